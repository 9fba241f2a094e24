"""One editing session with one server: how long it lets its user wait, and what that costs."""

from __future__ import annotations

import random
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.bench.client import CONTENT_MODIFIED, Answer, Server, ServerFailure, place
from scripts.bench.editing import Buffer, Change, storm, typing
from scripts.bench.figures import NOTHING, Series
from scripts.bench.peers import Peer
from scripts.bench.processes import tree_cpu, tree_memory

_PATIENCE = 60.0
_SETTLING = 0.3
_BETWEEN_KEYSTROKES = 0.03  # a fast typist leaves three times as much
_AT_PLACES = (
    ("hover", "hover", r"\btotal"),
    ("definition", "definition", r"\btotal"),
    ("signature help", "signatureHelp", r"\w\("),
)


@dataclass(frozen=True)
class Plan:
    """How much is measured: rounds of starting, keystrokes, requests of each kind; seconds that each part may take."""

    starts: int = 5
    keystrokes: int = 200
    requests: int = 60
    seconds: float = 20.0


@dataclass
class Report:
    """What one server took for one file. `answered` are the shares of requests that came back with something."""

    start: Series = NOTHING
    start_cpu: Series = NOTHING
    keystroke: Series = NOTHING
    keystroke_cpu: float = 0.0
    requests: dict[str, Series] = field(default_factory=dict)
    answered: dict[str, float] = field(default_factory=dict)
    peak: float = 0.0
    failure: str = ""


def measure(peer: Peer, text: str, plan: Plan, seed: int) -> Report:
    """Everything but endurance. What a server does not answer in time is its failure, and ends its measurement."""
    report = Report()
    starts: list[float] = []
    costs: list[float] = []
    try:
        until = time.perf_counter() + plan.seconds
        while len(starts) < plan.starts and (not starts or time.perf_counter() < until):
            with session(peer, text) as (server, _, _, seconds):
                starts.append(seconds)
                costs.append(tree_cpu(server.pid))
        report.start, report.start_cpu = Series(tuple(starts)), Series(tuple(costs))
        with session(peer, text) as (server, uri, buffer, _):
            server.pause(_SETTLING)
            _measure_keystrokes(report, server, uri, buffer, plan, random.Random(seed))
            _measure_requests(report, server, uri, buffer, plan, random.Random(seed))
            report.peak = tree_memory(server.pid, "VmHWM")
    except ServerFailure as failure:
        report.failure = str(failure)
    return report


def endurance(peer: Peer, text: str, edits: int, samples: int, seed: int) -> tuple[list[float], Series]:
    """Resident mebibytes at regular moments of a long storm of edits, the start included; the times they took."""
    seconds = []
    with session(peer, text) as (server, uri, buffer, _):
        changes = storm(buffer, random.Random(seed))
        memory = [tree_memory(server.pid, "VmRSS")]
        for number in range(1, edits + 1):
            seconds.append(_keystroke(server, uri, buffer, next(changes)))
            if number % (edits // samples) == 0:
                memory.append(tree_memory(server.pid, "VmRSS"))
    return memory, Series(tuple(seconds))


@contextmanager
def session(peer: Peer, text: str) -> Iterator[tuple[Server, str, Buffer, float]]:
    """A server with the text open and its first diagnostics there, and the seconds from its start to them."""
    with TemporaryDirectory(prefix="bench-") as folder:
        path = Path(folder).resolve() / "generated.py"
        path.write_text(text, encoding="utf-8")
        buffer = Buffer(text)
        start = time.perf_counter()
        server = Server(peer.command, peer.environment, path.parent, _PATIENCE)
        try:
            server.start(pull=bool(peer.registry), python=sys.executable)
            server.open(path.as_uri(), buffer)
            server.diagnostics(path.as_uri(), buffer.version, 0)
            yield server, path.as_uri(), buffer, time.perf_counter() - start
        finally:
            server.stop()
            shutil.rmtree(folder, ignore_errors=True)  # some servers write there until the end
            Path(folder).mkdir(exist_ok=True)


def _measure_keystrokes(
    report: Report, server: Server, uri: str, buffer: Buffer, plan: Plan, rng: random.Random
) -> None:
    changes = typing(buffer, rng)
    for _ in range(20):  # what is worked out once, however long one types
        _keystroke(server, uri, buffer, next(changes))
    server.pause(_SETTLING)
    until = time.perf_counter() + plan.seconds
    seconds: list[float] = []
    before = tree_cpu(server.pid)
    while len(seconds) < plan.keystrokes and time.perf_counter() < until:
        seconds.append(_keystroke(server, uri, buffer, next(changes)))
        server.pause(_BETWEEN_KEYSTROKES)
    server.pause(_SETTLING)
    report.keystroke = Series(tuple(seconds))
    report.keystroke_cpu = (tree_cpu(server.pid) - before) / len(seconds)
    while True:
        change = next(changes)
        _keystroke(server, uri, buffer, change)
        if change.end[0] > change.start[0]:
            return  # the statement begun last is gone again


def _keystroke(server: Server, uri: str, buffer: Buffer, change: Change) -> float:
    earlier = server.pushes(uri)
    start = time.perf_counter()
    server.change(uri, buffer, change)
    server.diagnostics(uri, buffer.version, earlier)
    return time.perf_counter() - start


def _measure_requests(report: Report, server: Server, uri: str, buffer: Buffer, plan: Plan, rng: random.Random) -> None:
    """Each request at seeded places: in quiet, and right behind a change, of which it has to know."""
    asking: dict[str, Callable[[], Answer]] = {}
    for name, method, pattern in _AT_PLACES:
        asking[name] = partial(_ask_at, server, uri, buffer, rng, method, pattern)
        asking[f"{name}, edited"] = partial(_ask_at, server, uri, buffer, rng, method, pattern, edited=True)
    for typed in ("torch.", "x."):
        asking[f"completion {typed}"] = partial(_complete, server, uri, buffer, rng, typed)
    for name, ask in asking.items():
        until = time.perf_counter() + plan.seconds / len(asking)
        answers: list[Answer] = []
        while len(answers) < plan.requests and (not answers or time.perf_counter() < until):
            answers.append(ask())
            server.pause(_BETWEEN_KEYSTROKES)
        report.requests[name] = Series(tuple(each.seconds for each in answers))
        report.answered[name] = sum(map(_says_something, answers)) / len(answers)


def _ask_at(
    server: Server, uri: str, buffer: Buffer, rng: random.Random, method: str, pattern: str, *, edited: bool = False
) -> Answer:
    """Ask about the end of what matches in a line; with `edited` while a line below it is new to the server."""
    line = rng.choice([number for number in buffer.statements() if re.search(pattern, buffer.lines[number])])
    *_, match = re.finditer(pattern, buffer.lines[line])
    if not edited:
        return _ask(server, uri, method, (line, match.end()))
    end = buffer.end_of(line)
    server.change(uri, buffer, Change(end, end, f"\n{_indentation(buffer, line)}x"))
    answer = _ask(server, uri, method, (line, match.end()))
    _keystroke(server, uri, buffer, Change(end, buffer.caret, ""))
    return answer


def _complete(server: Server, uri: str, buffer: Buffer, rng: random.Random, typed: str) -> Answer:
    """Ask what may follow a point that was typed just now, in a line of its own."""
    end = buffer.end_of(rng.choice(buffer.statements()))
    _keystroke(server, uri, buffer, Change(end, end, f"\n{_indentation(buffer, end[0])}{typed[:-1]}"))
    server.change(uri, buffer, Change(buffer.caret, buffer.caret, typed[-1]))
    context = {"triggerKind": 2, "triggerCharacter": typed[-1]}
    answer = _ask(server, uri, "completion", buffer.caret, context=context)
    _keystroke(server, uri, buffer, Change(end, buffer.caret, ""))
    return answer


def _ask(server: Server, uri: str, method: str, at: tuple[int, int], **more: object) -> Answer:
    """The answer to a request, which is asked again as long as the server says that the text has changed."""
    start = time.perf_counter()
    while True:
        answer = server.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": place(at), **more})
        if answer.error is None or answer.error.get("code") != CONTENT_MODIFIED:
            return replace(answer, seconds=time.perf_counter() - start)


def _says_something(answer: Answer) -> bool:
    result = answer.result
    if isinstance(result, dict):
        return bool(result.get("items", result.get("signatures", True)))
    return bool(result)


def _indentation(buffer: Buffer, line: int) -> str:
    text = buffer.lines[line]
    return text[: len(text) - len(text.lstrip())]
