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


MODULES = """\
import torch
from torch import nn


class Part(nn.Module):
    def forward(self, x):
        return x


class Whole(nn.Module):
    __constants__ = ["size"]

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(1))
        self.register_buffer("seen", torch.ones(1))
        self.size = 3
        self.part = Part()
        self.source = object()

    def forward(self, x):
        return self.used(self.part(x))

    def used(self, x):
        return x

    def never(self, x):
        return x + "a"

    @torch.jit.ignore
    def ignored(self, x):
        return x


def lonely(x):
    return x


model = Whole()
torch.jit.script(model)
"""


def test_dump_says_why_a_definition_compiles_and_why_another_does_not(folder: Path) -> None:
    (folder / "modules.py").write_text(MODULES)
    run = ts_lsp("dump", "modules.py", folder=folder)
    (file,) = json.loads(run.out)["files"]
    line = MODULES.splitlines().index("torch.jit.script(model)") + 1
    compiled = {each["qualname"]: each for each in file["definitions"]}
    assert set(compiled) == {"Part", "Part.forward", "Whole", "Whole.forward", "Whole.used"}
    assert all(each["entries"] == [{"path": "modules.py", "line": line}] for each in compiled.values())
    attributes = {each["name"]: (each["kind"], each["type"]) for each in compiled["Whole"]["attributes"]}
    assert attributes["weight"] == ("parameter", "Tensor")
    assert attributes["seen"] == ("buffer", "Tensor")
    assert attributes["size"] == ("constant", "int")
    assert attributes["part"] == ("module", "__torch__.modules.Part")
    assert attributes["source"] == ("dropped", None)
    reasons = {each["qualname"]: each["why"] for each in file["unreached"]}
    assert set(reasons) == {"Whole.__init__", "Whole.never", "Whole.ignored", "lonely"}
    assert "ignore" in reasons["Whole.ignored"]
    text = ts_lsp("dump", "--output-format", "text", "modules.py", folder=folder).out
    assert f"{line}: module Whole (modules.py:10): ok" in text
    assert f"because of modules.py:{line}" in text
    assert "function lonely: no entry point reaches it" in text


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
