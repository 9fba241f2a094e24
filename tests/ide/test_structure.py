"""Folding, growing selections and links: read off the trees of what compiles."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from tests.ide.places import opened
from ts_lsp.ide.document_links import rule_links
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.ide.structure import folding_ranges, selection_ranges
from ts_lsp.text import Position, Range

TEXT = """\
import torch
from torch import nn


def plain(x):
    if x:
        return 1


class Model(nn.Module):
    def forward(self, x: torch.Tensor, n: int):
        for i in range(n):
            if i == 1:
                x = x + i
            elif i == 2:
                x = x - i
            else:
                x = x * (i + 1)
        while n > 1: n -= 1
        return x, "é😋", [n, n]  # ts-lsp: ignore[unknown-attribute]

    @torch.jit.ignore
    def helper(self):
        if True:
            return 1


torch.jit.script(Model())
x = 1  # ts-lsp: ignore[no-such-rule]
"""


def snapshot() -> Snapshot:
    return opened({"main.py": TEXT})["main.py"]


def test_blocks_of_what_compiles_are_folded() -> None:
    lines = TEXT.split("\n")
    found = sorted(folding_ranges(snapshot()))
    assert [(lines[first].strip(), lines[last].strip()) for first, last in found] == [
        ("class Model(nn.Module):", "return 1"),
        ("def forward(self, x: torch.Tensor, n: int):", 'return x, "é😋", [n, n]  # ts-lsp: ignore[unknown-attribute]'),
        ("for i in range(n):", "x = x * (i + 1)"),
        ("if i == 1:", "x = x * (i + 1)"),
        ("elif i == 2:", "x = x * (i + 1)"),
        ("def helper(self):", "return 1"),
        ("if True:", "return 1"),
    ]


def test_a_selection_grows_from_the_name_to_the_definition() -> None:
    lines = snapshot().lines
    offset = TEXT.index("1)\n        while")
    grown = [lines.slice(each) for each in selection_ranges(snapshot(), Position(*lines.position(offset)))]
    assert grown[:3] == ["1", "i + 1", "x * (i + 1)"]
    assert [text.split("\n")[0] for text in grown[3:]] == [
        "x = x * (i + 1)",
        "elif i == 2:",
        "if i == 1:",
        "for i in range(n):",
        "def forward(self, x: torch.Tensor, n: int):",
        "class Model(nn.Module):",
    ]


@given(st.integers(0, 40), st.integers(0, 90))
def test_selections_hold_the_place_and_each_other(line: int, column: int) -> None:
    at = Position(line, column)
    found = selection_ranges(snapshot(), at)
    assert all(each.touches(at) for each in found)
    for inner, outer in itertools.pairwise(found):
        assert inner != outer
        assert outer.start <= inner.start
        assert inner.end <= outer.end


def test_links_lead_to_rules_that_there_are() -> None:
    [(place, code)] = rule_links(snapshot())
    assert code == "unknown-attribute"
    assert snapshot().lines.slice(place) == code
    assert isinstance(place, Range)


def test_nothing_in_an_empty_file() -> None:
    empty = opened({"main.py": ""})["main.py"]
    assert list(folding_ranges(empty)) == list(rule_links(empty)) == []
    assert selection_ranges(empty, Position(3, 3)) == []
