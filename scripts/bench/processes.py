"""What processes cost: CPU seconds and mebibytes, of a whole tree of them where they are servers.

A tree is read off `/proc`, where the scheduler counts in nanoseconds. Without it servers have no such figures.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")


@dataclass(frozen=True)
class Cost:
    """Of a process that has ended, the children it waited for included."""

    seconds: float
    cpu: float
    mebibytes: float


def cost(command: Sequence[str], environment: Mapping[str, str], accepted: Sequence[int] = (0,)) -> Cost | None:
    """Run a command to its end, with its output thrown away. None when it fails."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    start = time.perf_counter()
    pid = os.posix_spawn(
        command[0],
        list(command),
        dict(environment),
        file_actions=[(os.POSIX_SPAWN_DUP2, quiet, 1), (os.POSIX_SPAWN_DUP2, quiet, 2)],
    )
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    os.close(quiet)
    if os.waitstatus_to_exitcode(status) not in accepted:
        return None
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def tree_cpu(pid: int) -> float:
    """CPU seconds that a process and those below it have taken so far."""
    return sum(map(_cpu, _tree(pid)))


def tree_memory(pid: int, what: str) -> float:
    """Mebibytes of a process and those below it: `VmRSS` now, `VmHWM` at the worst moment of each."""
    return sum(_status(each, what) for each in _tree(pid)) / 1024


def _tree(pid: int) -> Iterator[int]:
    yield pid
    try:
        for task in (_PROC / str(pid) / "task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _tree(int(child))
    except OSError:
        return


def _cpu(pid: int) -> float:
    folder = _PROC / str(pid)
    try:
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        whole = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # in ticks, ended threads included
        tasks = (task / "schedstat" for task in (folder / "task").iterdir())
        return max(whole, sum(int(task.read_text().split()[0]) for task in tasks) / 1e9)
    except (OSError, IndexError):
        return 0.0


def _status(pid: int, what: str) -> int:
    try:
        lines = (_PROC / str(pid) / "status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{what}:")), 0)
