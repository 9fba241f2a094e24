"""A large workspace: what the scan for scripted code costs, and whether somebody who types meanwhile notices it."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.bench.client import Server
from scripts.bench.editing import Buffer, Change, typing
from scripts.bench.figures import Series
from scripts.bench.generation import program
from scripts.bench.peers import Peer
from scripts.bench.processes import tree_cpu, tree_memory

_PATIENCE = 60.0
_KEYSTROKES = 100
_PAUSE = 0.05
_IDLE_CPU = 0.02  # seconds in one second
_PLAIN = "import os\nimport torch\n\n" + "".join(
    f"def function{number}(value):\n    return os.path.join(str(value), '{number}')\n\n" for number in range(20)
)


@dataclass(frozen=True)
class Scan:
    """Seconds from the start to the first diagnostics and to the end of the scan, CPU seconds, peak mebibytes."""

    first: float
    whole: float
    cpu: float
    mebibytes: float
    during: Series
    after: Series


def scan(peer: Peer, files: int, scripted: int, seed: int) -> Scan:
    """One session in a workspace, of whose files so many are scripted."""
    with TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name).resolve()
        _write(folder, files, scripted, seed)
        text, path = program(200, seed), folder / "opened.py"
        buffer = Buffer(text)
        changes = typing(buffer, random.Random(seed))
        start = time.perf_counter()
        server = Server(peer.command, peer.environment, folder, _PATIENCE)
        try:
            server.start(pull=False, python=sys.executable)
            server.open(path.as_uri(), buffer)
            server.diagnostics(path.as_uri(), buffer.version, 0)
            first = time.perf_counter() - start
            during = _keystrokes(server, path.as_uri(), buffer, changes)
            _wait_until_idle(server)
            whole, cpu = time.perf_counter() - start, tree_cpu(server.pid)
            after = _keystrokes(server, path.as_uri(), buffer, changes)
            return Scan(first, whole, cpu, tree_memory(server.pid, "VmHWM"), during, after)
        finally:
            server.stop()


def _write(folder: Path, files: int, scripted: int, seed: int) -> None:
    for number in range(files):
        place = folder / f"package{number // 200}" / f"part{number // 20 % 10}"
        place.mkdir(parents=True, exist_ok=True)
        text = program(200, seed + number) if number % (files // scripted) == 0 else _PLAIN
        (place / f"module{number}.py").write_text(text, encoding="utf-8")


def _keystrokes(server: Server, uri: str, buffer: Buffer, changes: Iterator[Change]) -> Series:
    seconds: list[float] = []
    for _ in range(_KEYSTROKES):
        earlier, start = server.pushes(uri), time.perf_counter()
        server.change(uri, buffer, next(changes))
        server.diagnostics(uri, buffer.version, earlier)
        seconds.append(time.perf_counter() - start)
        server.pause(_PAUSE)
    return Series(tuple(seconds))


def _wait_until_idle(server: Server) -> None:
    until, before = time.perf_counter() + _PATIENCE, tree_cpu(server.pid)
    while time.perf_counter() < until:
        server.pause(1.0)
        now = tree_cpu(server.pid)
        if now - before < _IDLE_CPU:
            return
        before = now
