"""`ts-lsp check` from a cold start: beside what torch takes for the same file, and in two processes beside one."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.bench.figures import Series
from scripts.bench.generation import program
from scripts.bench.peers import OURS
from scripts.bench.processes import Cost, cost

FOUND_NOTHING, FOUND_SOMETHING = 0, 1


@dataclass(frozen=True)
class Runs:
    """Cold runs of one command."""

    wall: Series
    cpu: Series
    mebibytes: float


def check(text: str, rounds: int) -> Runs | None:
    """`ts-lsp check` of a file."""
    with TemporaryDirectory(prefix="bench-") as folder:
        return _runs(_check_command(_written(folder, text)), rounds)


def scripting(text: str, rounds: int) -> Runs | None:
    """Importing torch and handing everything in the file to its compiler. None where there is no torch."""
    if importlib.util.find_spec("torch") is None:
        return None
    with TemporaryDirectory(prefix="bench-") as folder:
        return _runs([sys.executable, _written(folder, text)], rounds)


def starting(code: str, rounds: int) -> Runs | None:
    """A Python that runs one line: what nobody can do without."""
    return _runs([sys.executable, "-c", code], rounds)


def two_jobs(files: int, lines: int, rounds: int, seed: int) -> tuple[Runs, Runs] | None:
    """`ts-lsp check` of a folder in one process and in two."""
    with TemporaryDirectory(prefix="bench-") as folder:
        for number in range(files):
            Path(folder, f"part_{number}.py").write_text(program(lines, seed + number), encoding="utf-8")
        one = _runs(_check_command(folder, "--jobs", "1"), rounds)
        two = _runs(_check_command(folder, "--jobs", "2"), rounds)
    return (one, two) if one is not None and two is not None else None


def _written(folder: str, text: str) -> str:
    path = Path(folder, "generated.py")
    path.write_text(text, encoding="utf-8")
    return str(path)


def _check_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", OURS.program, "check", "--quiet", *arguments]


def _runs(command: Sequence[str], rounds: int) -> Runs | None:
    """The first run is not counted: it may have to write byte code."""
    found: list[Cost] = []
    for _ in range(rounds + 1):
        run = cost(command, OURS.environment, (FOUND_NOTHING, FOUND_SOMETHING))
        if run is None:
            return None
        found.append(run)
    return Runs(
        Series(tuple(each.seconds for each in found[1:])),
        Series(tuple(each.cpu for each in found[1:])),
        max(each.mebibytes for each in found),
    )
