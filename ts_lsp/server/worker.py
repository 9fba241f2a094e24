"""The thread that owns the analysis, and the order of its work.

Owns `Worker`, `WorkerInLoop` and `CancelToken`. Invariant: everything that touches the analysis runs here, one piece
after the other: first the newest texts are taken over, however many edits led to them; then requests, in their order;
then the diagnostics of edited documents, the last edited first; then those of other documents; then work in the
background.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, Protocol, TypeVar

from ts_lsp.records import dataclass, field

_Result = TypeVar("_Result")


class Cancelled(Exception):
    """The work is not wanted any more, or has to wait."""


class CancelToken:
    """Asked by long work between its steps whether to go on."""

    def __init__(self, outdated: Callable[[], bool] = bool) -> None:
        self._is_cancelled = False
        self._outdated = outdated

    def cancel(self) -> None:
        self._is_cancelled = True

    @property
    def cancelled(self) -> bool:
        return self._is_cancelled or self._outdated()

    def check(self) -> None:
        """Raises `Cancelled` where the work is not wanted any more."""
        if self.cancelled:
            raise Cancelled


class Owner(Protocol):
    """What the worker works on: made in its thread, and used nowhere else."""

    def take_over(self, path: str) -> None:
        """The document of a path was opened, changed or closed."""

    def glance(self, path: str, token: CancelToken) -> bool:
        """Tell the client the diagnostics of an edited document at once, those of what depends on it as they were.

        Gives whether there is more to be done.
        """

    def show(self, token: CancelToken) -> None:
        """Tell the client the diagnostics of all documents, as far as they changed."""

    def recover(self) -> None:
        """Work failed in the middle: what it left is not to be relied on."""


@dataclass(eq=False)
class Job:
    """A piece of work with an answer. `future` is done in the worker's thread."""

    run: Callable[[Any, CancelToken], Any]
    token: CancelToken
    future: Future[Any] = field(default_factory=Future)

    def cancel(self) -> None:
        """The answer is not wanted any more."""
        self.future.cancel()
        self.token.cancel()


class Worker:
    """Runs jobs against an owner in a thread of its own."""

    def __init__(
        self,
        make_owner: Callable[[], Owner],
        tell_fault: Callable[[BaseException], None],
        tell_end: Callable[[], object],
    ) -> None:
        """`tell_fault` is told of what failed, `tell_end` where no owner could be made: then nothing is done."""
        self._make_owner = make_owner
        self._tell_fault = tell_fault
        self._tell_end = tell_end
        self._wake = threading.Condition()
        self._changed: dict[str, None] = {}
        self._requests: deque[Job] = deque()
        self._edited: dict[str, None] = {}
        self._is_unfinished = False
        self._background: deque[Job] = deque()
        self._is_closing = False

    @property
    def is_closing(self) -> bool:
        return self._is_closing

    def start(self) -> None:
        threading.Thread(target=self._work, name="analysis", daemon=True).start()

    def close(self) -> None:
        """Ends the thread after the piece that it is at."""
        with self._wake:
            self._is_closing = True
            self._call()

    def changed(self, path: str) -> None:
        """The document of a path has a new text, or is open no more. Its diagnostics will be told."""
        with self._wake:
            self._changed[path] = None
            self._edited.pop(path, None)
            self._edited[path] = None
            self._call()

    def concern_all(self) -> None:
        """The diagnostics of any document may be others now."""
        with self._wake:
            self._is_unfinished = True
            self._call()

    def ask(self, run: Callable[[Any, CancelToken], _Result]) -> Job:
        """Have something done as soon as possible; its result is the job's."""
        return self._add(self._requests, Job(run, CancelToken(lambda: bool(self._changed or self._is_closing))))

    def ask_later(self, run: Callable[[Any, CancelToken], _Result]) -> Job:
        """Have something done when nothing else is to be done.

        It is stopped through its token when something else comes, and started again after that.
        """
        return self._add(self._background, Job(run, CancelToken(self.has_urgent_work)))

    def has_urgent_work(self) -> bool:
        """Whether something waits that comes before work in the background."""
        return bool(self._changed or self._requests or self._edited or self._is_unfinished or self._is_closing)

    def _add(self, jobs: deque[Job], job: Job) -> Job:
        with self._wake:
            jobs.append(job)
            self._call()
        return job

    def _call(self) -> None:
        """There is something to do. Called while `_wake` is held."""
        self._wake.notify()

    def _work(self) -> None:
        owner = self._owner()
        while owner is not None:
            with self._wake:
                while not (self.has_urgent_work() or self._background):
                    self._wake.wait()
            if self._is_closing:
                return
            self._step(owner)

    def _owner(self) -> Owner | None:
        """What is worked on; None where it could not be made."""
        try:
            return self._make_owner()
        except Exception as fault:
            self._tell_fault(fault)
            self._tell_end()
            return None

    def _step(self, owner: Owner) -> None:
        """Takes the newest texts over, and does the piece of work that is due."""
        with self._wake:
            changed, self._changed = list(self._changed), {}
            do_next = self._chosen()  # what came after these changes waits for its own
        try:
            for path in changed:
                owner.take_over(path)
            do_next(owner)
        except Exception as fault:
            self._tell_fault(fault)
            owner.recover()

    def _chosen(self) -> Callable[[Owner], object]:
        """The next piece of work, which is due no more."""
        if self._requests:
            return partial(_finish, self._requests.popleft())
        if self._edited:
            return partial(self._glance, self._edited.popitem()[0])
        if self._is_unfinished:
            self._is_unfinished = False
            return self._show_all
        return partial(self._continue, self._background.popleft()) if self._background else lambda owner: None

    def _glance(self, path: str, owner: Owner) -> None:
        try:
            if owner.glance(path, CancelToken(lambda: bool(self._changed or self._is_closing))):
                self.concern_all()
        except Cancelled:
            with self._wake:
                self._edited.setdefault(path)

    def _show_all(self, owner: Owner) -> None:
        """Tells what edits changed elsewhere; later again if something comes between."""
        try:
            owner.show(CancelToken(lambda: bool(self._changed or self._requests or self._edited or self._is_closing)))
        except Cancelled:
            self.concern_all()

    def _continue(self, job: Job, owner: Owner) -> None:
        """Does a piece of work in the background; again from its start if something came between."""
        if not _finish(job, owner, may_wait=True):
            with self._wake:
                self._background.appendleft(job)


class WorkerInLoop(Worker):
    """Does the same in the event loop, where there are no threads: between two messages one piece."""

    _made: Owner | None = None
    _is_called = False

    def start(self) -> None:
        self._made = self._owner()
        with self._wake:
            self._call()

    def _call(self) -> None:
        has_work = self.has_urgent_work() or bool(self._background)
        if has_work and self._made is not None and not self._is_called:
            self._is_called = True
            asyncio.get_running_loop().call_soon(self._turn, self._made)

    def _turn(self, owner: Owner) -> None:
        self._is_called = False
        if not self._is_closing:
            self._step(owner)
            with self._wake:
                self._call()


def _finish(job: Job, owner: Owner, may_wait: bool = False) -> bool:
    """Runs a job and gives its future the outcome; False where it stopped and has to be run again."""
    if not job.future.running() and not job.future.set_running_or_notify_cancel():
        return True
    try:
        result = job.run(owner, job.token)
    except Cancelled as reason:
        if may_wait and not job.token._is_cancelled:
            return False
        job.future.set_exception(reason)
    except Exception as fault:
        job.future.set_exception(fault)
    else:
        job.future.set_result(result)
    return True
