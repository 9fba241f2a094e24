"""Long work that a person may want to see and to stop.

Owns `Progress`. Invariant: nothing is shown of work that is soon done, or to a client that cannot show it or does not
answer; what was begun is ended.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

if TYPE_CHECKING:
    from ts_lsp.server.client import Client
    from ts_lsp.server.protocol import Protocol

_PATIENCE = 0.5
"""Seconds that work may take before it is shown."""
_MANY = 500
"""Steps between two reports where the total is not known."""
_numbers = itertools.count(1)


class Progress:
    """One piece of work. Its steps may be told by any thread."""

    def __init__(self, protocol: Protocol, client: Client, title: str) -> None:
        self.stop: Callable[[], object] = lambda: None
        """Called when the person does not want the work done."""
        self.is_stopped = False
        self.token = f"ts-lsp-work-{next(_numbers)}"
        self._protocol = protocol
        self._can_be_shown = client.shows_progress
        self._title = title
        self._start = time.monotonic()
        self._asked: Future[object] | None = None
        self._has_begun = False
        self._percentage = -1
        protocol.stops[self.token] = self._stop

    def step(self, done: int, total: int) -> None:
        """So much of the work is done. A total of 0 is one that is not known."""
        if not self._is_shown():
            return
        percentage = min(100 * done // total, 100) if total else None
        known = {} if percentage is None else {"percentage": percentage}
        if not self._has_begun:
            self._has_begun = True
            self._send({"kind": "begin", "title": self._title, "cancellable": True, **known})
        elif percentage is None:
            if done - self._percentage >= _MANY:
                self._send({"kind": "report", "message": str(done)})
                self._percentage = done
            return
        elif percentage > self._percentage:
            self._send({"kind": "report", "percentage": percentage, "message": f"{done} of {total}"})
        self._percentage = max(percentage or 0, self._percentage)

    def end(self) -> None:
        self._protocol.stops.pop(self.token, None)
        if self._has_begun:
            self._send({"kind": "end"})

    def _stop(self) -> None:
        self.is_stopped = True
        self.stop()

    def _is_shown(self) -> bool:
        """Whether the client agreed; it is asked once the work takes long."""
        if self._asked is None:
            if not self._can_be_shown or time.monotonic() - self._start < _PATIENCE:
                return False
            self._asked = self._protocol.ask_client(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE, {"token": self.token})
        return self._asked.done() and not self._asked.cancelled() and self._asked.exception() is None

    def _send(self, value: dict[str, object]) -> None:
        params = {"token": self.token, "value": value}
        self._protocol.send({"jsonrpc": "2.0", "method": lsp.PROGRESS, "params": params})
