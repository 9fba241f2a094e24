"""`definition: text`: the lines where it is defined, their files told where they are others."""

from __future__ import annotations

from collections.abc import Sequence

from tests.ide.places import Place
from ts_lsp.ide.definition import definition
from ts_lsp.ide.symbol_at import Spot


def check(place: Place, text: str) -> list[str]:
    return differing(place, definition(place.snapshot, place.position), text)


def differing(place: Place, spots: Sequence[Spot], text: str) -> list[str]:
    found = " | ".join(_line(place, each) for each in spots)
    return [] if found == text else [f"expected {text!r}, found {found!r}"]


def _line(place: Place, spot: Spot) -> str:
    line = place.files[spot.path].lines.line(spot.range.line)
    assert line[spot.range.column : spot.range.end_column].isidentifier()
    assert spot.full.start <= spot.range.start
    assert spot.range.end <= spot.full.end
    told = line.split("#")[0].strip()
    return told if spot.path == place.file else f"{spot.path}: {told}"
