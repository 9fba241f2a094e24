"""Operators that compiled libraries register: read from their bytes, known in the namespace of the package."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from ts_lsp.project.libraries import registered_operators
from ts_lsp.semantic.analysis import Analysis
from ts_lsp.torchdata.loader import load
from ts_lsp.values.workspace import Workspace

LIBRARY = b"\0".join(
    (
        b"\x7fELF",
        b"keep(Tensor boxes, float threshold=0.5, SymInt most=-1) -> Tensor",
        b"vision::split.int(Tensor x, int parts) -> (Tensor, Tensor)",
        b"elsewhere::other(Tensor x) -> Tensor",
        b"lambda (x) -> nothing of the kind",
        b"broken(Tensor -> x) -> ",
        b"\xff\xfe(Tensor x) -> Tensor",
        b"",
    )
)
PROGRAM = """
import torch
import vision

@torch.jit.script
def use(x: torch.Tensor):
    kept = torch.ops.vision.keep(x, 0.3)
    left, right = torch.ops.vision.split(x, 2)
    return kept, left

@torch.jit.script
def misuse(x: torch.Tensor):
    return torch.ops.vision.keep(x, "much")

@torch.jit.script
def missing(x: torch.Tensor):
    return torch.ops.vision.no_such_operator(x)

@torch.jit.script
def other(x: torch.Tensor):
    return torch.ops.elsewhere.other(x)
"""


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, ...]:
    (tmp_path / "vision").mkdir()
    (tmp_path / "vision" / "_C.so").write_bytes(LIBRARY)
    (tmp_path / "vision" / "notes.txt").write_bytes(b"\0unread(Tensor x) -> Tensor\0")
    return (tmp_path / "none", tmp_path)


def test_schemas_in_a_library(folders: tuple[Path, ...]) -> None:
    assert registered_operators(folders, "vision") == (
        "keep(Tensor boxes, float threshold=0.5, SymInt most=-1) -> Tensor",
        "split.int(Tensor x, int parts) -> (Tensor, Tensor)",
    )
    assert registered_operators(folders, "elsewhere") == ()


def test_registered_operators_are_called_like_those_of_torch(folders: tuple[Path, ...]) -> None:
    torch = load("2.13").with_libraries(partial(registered_operators, folders))
    analysis = Analysis(torch, Workspace(torch))
    analysis.apply_change("main.py", PROGRAM)
    facts = {each.qualname: each for each in analysis.file_facts("main.py").definitions}
    assert {name: each.verdict for name, each in facts.items()} == {
        "use": "ok",
        "misuse": "error",
        "missing": "unknown",
        "other": "unknown",
    }
    assert [finding.code for finding in facts["misuse"].findings] == ["argument-type"]


def test_namespaces_of_torch_are_not_looked_for() -> None:
    asked: list[str] = []

    def libraries(namespace: str) -> tuple[str, ...]:
        asked.append(namespace)
        return ("add(str x) -> str",)

    torch = load("2.13").with_libraries(libraries)
    assert len(torch.schemas("aten::add")) > 1
    assert torch.schemas("aten::no_such_operator") == ()
    assert torch.schemas("mine::add")[0].returns[0].type == torch.schemas("mine::add")[0].arguments[0].type
    assert asked == ["mine"]
