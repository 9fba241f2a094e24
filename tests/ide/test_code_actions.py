"""Whole-file actions, and edits in texts of any shape: line ends, tabs, no final newline, characters of any width."""

from __future__ import annotations

import pytest

from tests.ide.places import opened
from ts_lsp.ide.code_actions import Action, code_actions, edits_of
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.ide.whole_file import FIX_ALL, ORGANIZE_TYPES, has_work, mended
from ts_lsp.text import Range, TextEdit, apply_edits

PROGRAM = """\
import torch
from typing import Optional


@torch.jit.script
def é(ü: Optional[torch.Tensor], s: str = "é😋"):
    "😋"; y = ü + 1
    z = []
    z.append(3)
    return z


@torch.jit.script
def g(n, x=1):  # é: a colon
    return x
"""


def opened_text(text: str) -> Snapshot:
    return opened({"main.py": text})["main.py"]


def after(snapshot: Snapshot, action: Action) -> str:
    return apply_edits(snapshot.text, [TextEdit(each.range, each.text) for each in edits_of(snapshot, action)])


def at_all(text: str) -> list[tuple[Action, str]]:
    """Every action of a file, with the text after it."""
    snapshot = opened_text(text)
    found = code_actions(snapshot, Range(0, 0, len(snapshot.lines), 0))
    return [(each, after(snapshot, each)) for each in found]


SHAPES = {
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "tabs": lambda text: text.replace("    ", "\t"),
    "no final newline": lambda text: text.rstrip("\n"),
    "tabs and carriage returns": lambda text: text.replace("    ", "\t").replace("\n", "\r\n"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_edits_keep_the_shape_of_a_text(shape: str) -> None:
    plain, shaped = at_all(PROGRAM), at_all(SHAPES[shape](PROGRAM))
    assert len(plain) >= 8
    assert {FIX_ALL, ORGANIZE_TYPES} <= {action.kind for action, _ in plain}
    assert [action.title for action, _ in plain] == [action.title for action, _ in shaped]
    for (action, text), (_, other) in zip(plain, shaped, strict=True):
        assert other == SHAPES[shape](text), action.title


def test_all_fixes_go_on_until_nothing_is_left() -> None:
    text = """\
import torch
from typing import Optional, List


class M(torch.nn.Module):
    def forward(self, x: Optional[torch.Tensor], y: Optional[torch.Tensor]):
        a = x + y
        n = []
        n.append(1)
        return a, n


torch.jit.script(M())
"""
    snapshot = opened_text(text)
    assert has_work(snapshot, FIX_ALL)
    mended_text = apply_edits(text, [TextEdit(each.range, each.text) for each in mended(snapshot, FIX_ALL)])
    assert not has_work(opened_text(mended_text), FIX_ALL)
    assert [each.verdict for each in opened_text(mended_text).facts.entries] == ["ok"]
    assert snapshot.facts is opened_text(text).facts, "the program itself stays as it was"


def test_annotations_need_imports_of_several_kinds() -> None:
    text = """\
import torch


@torch.jit.script
def f(x):
    return [x], {"a": 1}


@torch.jit.script
def g(x: torch.Tensor, flag: bool):
    if flag:
        return None
    return x
"""
    snapshot = opened_text(text)
    edits = mended(snapshot, ORGANIZE_TYPES)
    organized = apply_edits(text, [TextEdit(each.range, each.text) for each in edits])
    assert "def f(x: torch.Tensor) -> tuple[list[torch.Tensor], dict[str, int]]:" in organized
    assert "def g(x: torch.Tensor, flag: bool) -> Optional[torch.Tensor]:" in organized
    assert organized.count("import") == 2
    assert not has_work(opened_text(organized), ORGANIZE_TYPES)


def test_whole_file_actions_need_a_reason() -> None:
    snapshot = opened_text(PROGRAM)
    nothing_here = Range(0, 0, 0, 0)
    assert not [each for each in code_actions(snapshot, nothing_here) if each.kind in (FIX_ALL, ORGANIZE_TYPES)]
    assert [each.kind for each in code_actions(snapshot, nothing_here, ["source"])] == [FIX_ALL, ORGANIZE_TYPES]
    assert [each.kind for each in code_actions(snapshot, nothing_here, ["source.fixAll"])] == [FIX_ALL]
    assert not code_actions(snapshot, nothing_here, ["source.organizeImports"])
