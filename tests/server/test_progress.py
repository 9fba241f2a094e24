"""Long work is shown once it is long, and can be stopped."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any, cast

import pytest

from ts_lsp.server import progress as module
from ts_lsp.server.client import client_of
from ts_lsp.server.progress import Progress
from ts_lsp.server.protocol import Protocol

SHOWS = {"capabilities": {"window": {"workDoneProgress": True}}}


class Wire:
    """What a progress needs of the protocol."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.stops: dict[object, Any] = {}
        self.answer: Future[object] | None = None

    def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message["params"]["value"])

    def ask_client(self, method: str, params: object) -> Future[object]:
        self.answer = Future()
        return self.answer


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return now


def begun(wire: Wire, params: dict[str, Any]) -> Progress:
    return Progress(cast("Protocol", wire), client_of(params), "Work")


def test_long_work_is_shown_once_the_client_agreed(clock: list[float]) -> None:
    wire = Wire()
    progress = begun(wire, SHOWS)
    progress.step(1, 10)
    assert wire.answer is None
    clock[0] = 1.0
    progress.step(2, 10)
    assert wire.answer is not None
    progress.step(3, 10)
    assert wire.sent == []
    wire.answer.set_result(None)
    for done in (4, 5, 5, 3, 10):
        progress.step(done, 10)
    progress.end()
    assert [each["kind"] for each in wire.sent] == ["begin", "report", "report", "end"]
    assert [each.get("percentage") for each in wire.sent] == [40, 50, 100, None]
    assert wire.stops == {}


def test_a_client_that_cannot_show_it_is_not_asked(clock: list[float]) -> None:
    wire = Wire()
    progress = begun(wire, {"capabilities": {}})
    clock[0] = 1.0
    progress.step(1, 0)
    progress.end()
    assert (wire.answer, wire.sent) == (None, [])


def test_work_is_stopped(clock: list[float]) -> None:
    wire = Wire()
    progress = begun(wire, SHOWS)
    stopped: list[bool] = []
    progress.stop = lambda: stopped.append(True)
    wire.stops[progress.token]()
    assert (stopped, progress.is_stopped) == ([True], True)
