"""What a shell is offered, asked as the scripts ask."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import ROOT, ts_lsp


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_understood_by_their_shell(shell: str, tmp_path: Path) -> None:
    script = ts_lsp("completions", shell, folder=tmp_path)
    assert script.code == 0
    assert "_TS_LSP_COMPLETE" in script.out
    if program := shutil.which(shell):
        done = subprocess.run([program, "-n"], input=script.out, text=True, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_an_unknown_shell(tmp_path: Path) -> None:
    assert ts_lsp("completions", "tcsh", folder=tmp_path).code == 2


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("ts-lsp compl", ["plain,completions"]),
        ("ts-lsp explain reassigned-t", ["plain,reassigned-type"]),
        ("ts-lsp check --ignore print-keyword,reassigned-t", ["plain,print-keyword,reassigned-type"]),
        ("ts-lsp check --output-format s", ["plain,sarif"]),
        ("ts-lsp operators aten::bucketize", ["plain,aten::bucketize"]),
        ("ts-lsp operators bucketize", ["plain,bucketize"]),
        ("ts-lsp check ts_", ["file,ts_"]),
    ],
)
def test_what_is_offered(typed: str, offered: list[str], tmp_path: Path) -> None:
    variables = {
        "COMP_WORDS": typed,
        "COMP_CWORD": str(typed.count(" ")),
        "_TS_LSP_COMPLETE": "bash_complete",
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        [sys.executable, "-m", "ts_lsp"], cwd=tmp_path, env=variables, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == offered
