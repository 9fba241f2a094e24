"""Time and peak memory of `ts-lsp check` on a generated file, beside a peer of the same run.

`python -m scripts.bench [--lines N] [--rounds N]`. Every measurement is a process of its own, cold, and the best of the
rounds counts. The peer is `mypy` on the same file without cache where it is installed, else parsing it with `ast`.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FUNCTION = """

@torch.jit.script
def step_{number}(x: Tensor, weights: List[Tensor], scale: float, bias: Optional[Tensor]) -> Tuple[Tensor, int]:
    total = x * scale
    count = 0
    for weight in weights:
        if weight.size(0) == x.size(0):
            total = total + torch.matmul(weight, x).relu()
            count += 1
        elif weight.dim() > 1:
            total = total - weight.sum(dim=0)
    if bias is not None:
        total = total + bias
    sizes = [each.numel() for each in weights]
    label = f"step {number}: {{count}} of {{len(sizes)}}"
    assert len(label) > 0, "no label"
    return total.clamp(min=0.0), count{call}
"""
HEADER = "from typing import List, Optional, Tuple\n\nimport torch\nfrom torch import Tensor\n"


@dataclass(frozen=True, slots=True)
class Measurement:
    """Seconds of wall clock and mebibytes of peak memory of one process."""

    seconds: float
    mebibytes: float


def generated_file(lines: int) -> str:
    """A program of about that many lines: functions that call each other in chains of ten."""
    text, number = HEADER, 0
    while text.count("\n") < lines:
        call = f" + step_{number - 1}(x, weights, scale, bias)[1]" if number % 10 else ""
        text += FUNCTION.format(number=number, call=call)
        number += 1
    return text


def measured(command: Sequence[str], rounds: int) -> Measurement:
    """The best of several cold runs. A command that fails for another reason than findings ends the benchmark."""
    best = [_measured_once(command) for _ in range(rounds)]
    return Measurement(min(each.seconds for each in best), min(each.mebibytes for each in best))


def _measured_once(command: Sequence[str]) -> Measurement:
    quiet = os.open(os.devnull, os.O_WRONLY)
    start = time.perf_counter()
    pid = os.posix_spawn(
        command[0],
        list(command),
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, quiet, 1), (os.POSIX_SPAWN_DUP2, quiet, 2)],
    )
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    os.close(quiet)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"failed: {' '.join(command)}")
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return Measurement(seconds, usage.ru_maxrss / unit)


def _peer(path: str) -> tuple[str, list[str]]:
    if importlib.util.find_spec("mypy") is not None:
        options = [
            "--no-incremental",
            "--cache-dir",
            os.devnull,
            "--follow-imports",
            "skip",
            "--ignore-missing-imports",
        ]
        return "mypy, no cache", [sys.executable, "-m", "mypy", *options, path]
    return "python -c ast.parse", _parsing(path)


def _parsing(path: str) -> list[str]:
    return [sys.executable, "-c", f"import ast; ast.parse(open({path!r}).read())"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "generated.py"))
        text = generated_file(arguments.lines)
        Path(path).write_text(text, encoding="utf-8")
        name, command = _peer(path)
        own = measured([sys.executable, "-m", "ts_lsp", "check", "--quiet", path], arguments.rounds)
        start = measured([sys.executable, "-m", "ts_lsp", "--version"], arguments.rounds)
        peer = measured(command, arguments.rounds)
        parsing = measured(_parsing(path), arguments.rounds)
    count = text.count("\n")
    print(f"a file of {count} lines, {text.count('@torch.jit.script')} entry points; best of {arguments.rounds} runs")
    for label, each in (
        ("ts-lsp check", own),
        ("ts-lsp --version", start),
        (name, peer),
        ("python -c ast.parse", parsing),
    ):
        print(f"  {label:<22}{each.seconds:8.2f} s {each.mebibytes:8.0f} MiB")
    print(f"  check / {name}: {own.seconds / peer.seconds:.2f} x time, {own.mebibytes / peer.mebibytes:.2f} x memory")
    return 0


if __name__ == "__main__":
    sys.exit(main())
