"""Renaming any local: the program means the same in between, and is the same text afterwards."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.bench.generation import program
from tests.ide.places import opened
from ts_lsp.ide.names import chunk_names
from ts_lsp.ide.rename import Refusal, rename
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.text import Position, apply_edits


def _locals(snapshot: Snapshot) -> list[Position]:
    """Every place that names a local or parameter of something scripted."""
    return [
        each.range.moved(unit.first_line).start
        for unit in snapshot.units
        for found in chunk_names(unit.chunk).by_line.values()
        for each in found
        if each.kind == "name" and each.scope is not None and hasattr(each.scope.node, "args")
    ]


def _renamed(text: str, position: Position, name: str) -> str:
    edits = rename(opened({"main.py": text})["main.py"], position, name)
    assert edits is not None
    assert not isinstance(edits, Refusal), edits.reason
    assert set(edits) == {"main.py"}
    return apply_edits(text, edits["main.py"])


def _verdicts(text: str) -> list[tuple[str, str]]:
    return [(each.qualname, each.verdict) for each in opened({"main.py": text})["main.py"].facts.definitions]


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 5), data=st.data())
def test_a_local_is_renamed_and_renamed_back(seed: int, data: st.DataObject) -> None:
    text = program(120, seed)
    snapshot = opened({"main.py": text})["main.py"]
    position = data.draw(st.sampled_from(_locals(snapshot)))
    old = next(
        each.name
        for unit in snapshot.units
        for each in chunk_names(unit.chunk).by_line.get(position.line - unit.first_line, ())
        if each.range.moved(unit.first_line).start == position
    )
    renamed = _renamed(text, position, "fresh_name")
    assert renamed != text
    assert _verdicts(renamed) == _verdicts(text)
    column = renamed.splitlines()[position.line].index("fresh_name")
    assert _renamed(renamed, Position(position.line, column), old) == text
