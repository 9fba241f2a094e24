"""Running the tests under the recorder and gathering what it wrote into the committed facts.

Each test file runs in a fork of one process that has imported torch already. A fork that crashes or stalls is
replaced by another, which leaves out the tests already begun.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from scripts.conformance.facts import FactRow, write_facts

_FILE_SECONDS = 240
_LONG_FILE_SECONDS = {"test_jit.py": 1500}
_STALL_SECONDS = 60
_MOST_FORKS = 10
_ADDRESS = re.compile(r"\b0x[0-9a-f]{8,}")

# Outside jit/, the files with many compile calls of definitions for little time.
_OTHER_FILES = (
    "test_jit.py",
    "test_jit_string.py",
    "export/test_converter.py",
    "package/test_package_script.py",
    "quantization/jit/test_quantize_jit.py",
    "quantization/jit/test_ondevice_quantization.py",
    "quantization/jit/test_fusion_passes.py",
    "mobile/test_lite_script_module.py",
    "mobile/test_lite_script_type.py",
    "test_bundled_inputs.py",
    "test_mobile_optimizer.py",
    "test_static_runtime.py",
    "test_tensorexpr.py",
    "test_jit_autocast.py",
    "test_jit_fuser.py",
    "test_jit_fuser_te.py",
)
_NEED_OTHER_HARDWARE = ("jit/test_cuda.py", "jit/test_fuser_common.py")


def test_files(root: Path) -> list[str]:
    """The recorded test files, relative to the test folder; those of jit/ first."""
    inside = sorted(f"jit/{path.name}" for path in (root / "jit").glob("test_*.py"))
    return [name for name in (*inside, *_OTHER_FILES) if name not in _NEED_OTHER_HARDWARE and (root / name).exists()]


def record(root: Path, work: Path, facts: Path, only: str = "*") -> None:
    """Record the test files that match again and write the facts of all.

    `work` receives logs and what the recorder wrote; what it holds of other files from before counts too.
    """
    work.mkdir(parents=True, exist_ok=True)
    for name in fnmatch.filter(test_files(root), only):
        started = time.monotonic()
        _record_file(root, name, work)
        print(f"{name}: {time.monotonic() - started:.0f} s", file=sys.stderr)
    write_facts(facts, _gather(work))


def _record_file(root: Path, name: str, work: Path) -> None:
    stem = name.removesuffix(".py").replace("/", "__")
    output, started, log = (work / f"{stem}.{kind}" for kind in ("jsonl", "started", "log"))
    for path in (output, started, log):
        path.unlink(missing_ok=True)
    deadline = time.monotonic() + _LONG_FILE_SECONDS.get(name, _FILE_SECONDS)
    for _ in range(_MOST_FORKS):
        child = os.fork()
        if not child:
            _run_in_fork(root, name, output, started, log)
        if _wait(child, started, deadline) or not started.exists() or time.monotonic() > deadline:
            return


def _wait(child: int, started: Path, deadline: float) -> bool:
    """True when the fork came to its end by itself; a fork that stalls, or runs past the deadline, is ended."""
    tests_begun, since = -1, time.monotonic()
    while True:
        finished, status = os.waitpid(child, os.WNOHANG)
        if finished:
            return os.WIFEXITED(status)
        begun = started.stat().st_size if started.exists() else 0
        if begun != tests_begun:
            tests_begun, since = begun, time.monotonic()
        if time.monotonic() > deadline or time.monotonic() - since > _STALL_SECONDS:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return False
        time.sleep(0.2)


def _run_in_fork(root: Path, name: str, output: Path, started: Path, log: Path) -> None:
    """The fork's whole life; it never returns."""
    try:
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(descriptor, 1)
        os.dup2(descriptor, 2)
        _run_tests(root, name, output, started)
    finally:
        os._exit(0)


def _run_tests(root: Path, name: str, output: Path, started: Path) -> None:
    import pytest
    from torch.testing._internal import common_utils

    from scripts.conformance.recorder import Recorder, install
    from scripts.conformance.shims import import_with_placeholders

    os.chdir(root)
    sys.path[:0] = [str(root), str((root / name).parent)]
    sys.argv = [name]
    common_utils.parse_cmd_line_args()
    recorder = Recorder(root, output, started)
    install(recorder)
    import_with_placeholders(name.removesuffix(".py").replace("/", "."))
    options = ["-q", "--noconftest", "-c", os.devnull, f"--rootdir={root}", "--tb=line", "--assert=plain"]
    pytest.main([*options, "-p", "no:cacheprovider", "-p", "no:warnings", name], plugins=[recorder])
    sys.stdout.flush()


def _gather(work: Path) -> Iterator[FactRow]:
    """What the recorder wrote, each fact once and without addresses in memory."""
    seen: set[str] = set()
    for path in sorted(work.glob("*.jsonl")):
        for line in path.read_text().splitlines():
            fact: FactRow = json.loads(_ADDRESS.sub("0x0", line))
            same = json.dumps({key: value for key, value in fact.items() if key != "test"}, sort_keys=True)
            if same not in seen:
                seen.add(same)
                yield fact


def main(root: str, work: str, facts: str, only: str = "*") -> None:
    """Import what every fork needs, then record; runs with the interpreter that has torch."""
    os.environ["OMP_NUM_THREADS"] = "1"
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    import torch.testing._internal.jit_utils  # noqa: F401

    record(Path(root).resolve(), Path(work).resolve(), Path(facts).resolve(), only)


if __name__ == "__main__":
    main(*sys.argv[1:])
