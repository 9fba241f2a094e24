"""The order of work, with an owner that only writes down what it is asked."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from ts_lsp.server.worker import Cancelled, CancelToken, Worker

PATIENCE = 10.0


class Diary:
    """An owner. The worker stands still while `gate` is closed, and at the first pause of long work."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.gate = threading.Event()
        self.is_idle = threading.Event()
        self.fails = False

    def take_over(self, path: str) -> None:
        self.lines.append(f"take {path}")

    def glance(self, path: str, token: CancelToken) -> bool:
        self.lines.append(f"glance {path}")
        if self.fails:
            self.fails = False
            raise ValueError(path)
        return True

    def show(self, token: CancelToken) -> None:
        self.lines.append("show")
        token.check()
        self.is_idle.set()

    def recover(self) -> None:
        self.lines.append("recover")

    def wait(self, token: CancelToken) -> None:
        assert self.gate.wait(PATIENCE)


@pytest.fixture
def diary() -> Diary:
    return Diary()


@pytest.fixture
def faults() -> list[BaseException]:
    return []


@pytest.fixture
def worker(diary: Diary, faults: list[BaseException]) -> Iterator[Worker]:
    worker = Worker(lambda: diary, faults.append, lambda: faults.append(SystemExit()))
    worker.start()
    yield worker
    diary.gate.set()
    worker.close()


def test_edits_come_together_and_requests_before_diagnostics(worker: Worker, diary: Diary) -> None:
    waiting = worker.ask(Diary.wait)
    for path in ("a", "b", "a"):
        worker.changed(path)
    asked = worker.ask(lambda owner, token: owner.lines.append("answer"))
    later = worker.ask_later(lambda owner, token: owner.lines.append("later"))
    diary.gate.set()
    for job in (waiting, asked, later):
        job.future.result(PATIENCE)
    assert diary.lines == ["take a", "take b", "answer", "glance a", "glance b", "show", "later"]


def test_work_in_the_background_gives_way_and_is_done_again(worker: Worker, diary: Diary) -> None:
    has_begun = threading.Event()

    def long_work(owner: Diary, token: CancelToken) -> str:
        owner.lines.append("long work")
        has_begun.set()
        while not owner.is_idle.is_set():
            token.check()
        return "done"

    job = worker.ask_later(long_work)
    assert has_begun.wait(PATIENCE)
    worker.changed("a")
    assert job.future.result(PATIENCE) == "done"
    assert diary.lines == ["long work", "take a", "glance a", "show", "long work"]


def test_what_is_cancelled_is_not_begun_or_stops(worker: Worker, diary: Diary) -> None:
    waiting = worker.ask(Diary.wait)
    never = worker.ask(lambda owner, token: owner.lines.append("never"))
    never.cancel()
    has_begun = threading.Event()

    def endless(owner: Diary, token: CancelToken) -> None:
        has_begun.set()
        while True:
            token.check()

    stopped = worker.ask_later(endless)
    diary.gate.set()
    assert has_begun.wait(PATIENCE)
    stopped.cancel()
    with pytest.raises(Cancelled):
        stopped.future.result(PATIENCE)
    waiting.future.result(PATIENCE)
    worker.ask(lambda owner, token: None).future.result(PATIENCE)
    assert diary.lines == []


def test_a_fault_ends_only_the_work_it_came_from(worker: Worker, diary: Diary, faults: list[BaseException]) -> None:
    diary.fails = True
    worker.changed("a")
    worker.changed("b")
    assert diary.is_idle.wait(PATIENCE)
    failing = worker.ask(lambda owner, token: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        failing.future.result(PATIENCE)
    assert len(faults) == 1
    assert diary.lines.index("recover") < diary.lines.index("show")


def test_a_worker_without_an_owner_says_so() -> None:
    ended = threading.Event()
    faults: list[BaseException] = []

    def make() -> Diary:
        raise ImportError("no analysis")

    Worker(make, faults.append, ended.set).start()
    assert ended.wait(PATIENCE)
    assert isinstance(faults[0], ImportError)
