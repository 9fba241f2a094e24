"""`dump`, `explain`, `operators` and `verify` from outside."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from tests.cli.running import ROOT, ts_lsp

PROGRAM = """\
import torch
from torch import Tensor
from typing import Optional


def helper(x: Tensor, n: int = 2) -> Tensor:
    return x * n


@torch.jit.script
def good(x: Tensor) -> Tensor:
    return helper(x)


@torch.jit.script
def bad(x: Optional[Tensor]) -> Tensor:
    return x + 1
"""
has_torch = importlib.util.find_spec("torch") is not None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def test_dump_tells_entries_definitions_and_values(folder: Path) -> None:
    run = ts_lsp("dump", "program.py", folder=folder)
    assert run.code == 1
    (file,) = json.loads(run.out)["files"]
    entries = [(each["line"], each["target"], each["target_line"], each["verdict"]) for each in file["entries"]]
    assert entries == [(10, "good", 10, "ok"), (15, "bad", 15, "error")]
    definitions = {each["qualname"]: each for each in file["definitions"]}
    assert {name: each["verdict"] for name, each in definitions.items()} == {
        "helper": "ok",
        "good": "ok",
        "bad": "error",
    }
    assert (definitions["good"]["line"], definitions["good"]["end_line"]) == (10, 12)
    assert definitions["helper"]["schema"] == "helper(Tensor x, int n=2) -> Tensor"
    assert definitions["bad"]["first_error"] == {"path": "program.py", "line": 17, "code": "optional-operand"}
    values = {
        (each["line"], each["column"], each["end_column"]): each["type"] for each in definitions["helper"]["values"]
    }
    assert values[7, 12, 13] == "Tensor"
    assert values[7, 16, 17] == "int"


def test_explain_shows_the_page_and_lists_the_rules(folder: Path) -> None:
    run = ts_lsp("explain", "optional-operand", folder=folder)
    assert run.code == 0
    assert run.out.startswith("# optional-operand\n")
    assert "## Use instead" in run.out
    assert "optional-operand" in ts_lsp("explain", folder=folder).out


def test_operators_shows_schemas_and_lifetime(folder: Path) -> None:
    run = ts_lsp("operators", "aten::add", folder=folder)
    assert run.code == 0
    assert "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor" in run.out
    assert "in all known versions" in run.out
    assert "aten::relu\n" in ts_lsp("operators", folder=folder).out


def test_verify_does_not_execute_without_consent(folder: Path) -> None:
    (folder / "program.py").write_text("open('executed', 'w')\n")
    run = ts_lsp("verify", "--python", sys.executable, "program.py", folder=folder, stdin="n\n")
    assert run.code == 2
    assert "nothing was executed" in run.err
    assert not (folder / "executed").exists()


def test_verify_says_which_python_is_missing(folder: Path) -> None:
    run = ts_lsp("verify", "--yes", "--python", "no-such-python", "program.py", folder=folder)
    assert run.code == 2
    assert "there is no Python at no-such-python" in run.err


@pytest.mark.oracle
@pytest.mark.skipif(not has_torch, reason="needs torch")
def test_verify_shows_both_verdicts_side_by_side(folder: Path) -> None:
    run = ts_lsp("verify", "--yes", "--python", sys.executable, "program.py", folder=folder)
    assert run.code == 0, run.err
    rows = [line.split() for line in run.out.splitlines()[2:]]
    assert [(row[1], row[-1]) for row in rows] == [("good", "same"), ("bad", "same")]
    assert "error, line 17" in run.out


@pytest.mark.oracle
@pytest.mark.skipif(not has_torch, reason="needs torch")
def test_the_shipped_examples_do_the_same_under_torch() -> None:
    run = ts_lsp("verify", "--yes", "--python", sys.executable, "examples", folder=ROOT)
    assert run.code == 0, run.out
    assert "not reached" not in run.out
