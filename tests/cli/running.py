"""Runs the command line: inside this process, which is quick, or in one of its own, as a user does."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from ts_lsp.cli.app import exit_code

ROOT = Path(__file__).resolve().parents[2]
# The environment of these tests must not decide which torch is asked.
_HIDDEN = ("VIRTUAL_ENV", "CONDA_PREFIX")


@dataclass(frozen=True)
class Run:
    """What a command left behind."""

    code: int
    out: str
    err: str


def ts_lsp(*arguments: str, folder: Path, stdin: str = "") -> Run:
    """`ts-lsp ARGUMENTS` in a folder."""
    out, err, given = (io.TextIOWrapper(io.BytesIO(data), "utf-8", newline="") for data in (b"", b"", stdin.encode()))
    with (
        _in_folder(folder),
        patch.dict(os.environ, _variables(), clear=True),
        patch("sys.stdin", given),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = exit_code(list(arguments))
    return Run(code, _written(out), _written(err))


def ts_lsp_process(*arguments: str, folder: Path) -> Run:
    """The same in a process of its own."""
    return python("-m", "ts_lsp", *arguments, folder=folder)


def python(*arguments: str, folder: Path) -> Run:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**_variables(), "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        timeout=120,
        check=False,
    )
    return Run(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


def _variables() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in _HIDDEN}


@contextlib.contextmanager
def _in_folder(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")
