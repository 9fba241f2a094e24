"""Implicit conversions, held against the graphs that the compiler makes."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cases.format import Section, read_sections
from tests.ide.places import open_files
from ts_lsp.semantic.conversion import operator

torch = pytest.importorskip("torch")

CASES = Path(__file__).parents[1] / "cases" / "editor" / "conversions.md"
PLACED = {
    *(f"aten::{name}Implicit" for name in ("Int", "Float", "Complex", "Scalar")),
    *(f"aten::{name}" for name in ("Bool", "Int", "Float", "Complex", "device")),
}
"""Lists of one number have no place in a graph."""


@pytest.mark.parametrize("section", list(read_sections(CASES)), ids=lambda each: each.title)
def test_conversions_are_the_compilers(section: Section, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"converted_{section.title.lower().replace(' ', '_')}"
    (tmp_path / f"{name}.py").write_text(section.files["main.py"])
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module(name)
    monkeypatch.delitem(sys.modules, name)
    compiled = [each for each in vars(module).values() if isinstance(each, torch.jit.ScriptFunction)]
    expected = {found for each in compiled for found in _converted(each.graph)}
    recorded = {
        (kind, getattr(each.node, "lineno", 0) + facts.unit.first_line)
        for facts in open_files(section)["main.py"].facts.definitions
        for each in facts.conversions
        if (kind := operator(each.before, each.after)) in PLACED
    }
    assert compiled
    assert recorded == expected


def _converted(block: Any) -> Iterator[tuple[str, int]]:
    """The conversions in a graph with their lines."""
    for node in block.nodes():
        place = re.search(r"line (\d+)|:(\d+):", node.sourceRange())
        if node.kind() in PLACED and place is not None:
            yield node.kind(), int(place.group(1) or place.group(2))
        for inner in node.blocks():
            yield from _converted(inner)
