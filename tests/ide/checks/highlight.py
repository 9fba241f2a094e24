"""`highlight: write 0:6, read 1:11`: lines counted from the marked one, columns from 0."""

from __future__ import annotations

from tests.ide.places import Place
from ts_lsp.ide.highlight import highlights_at


def check(place: Place, text: str) -> list[str]:
    found = ", ".join(
        f"{'write' if each.writes else 'read'} {each.place.line - place.position.line}:{each.place.column}"
        for each in highlights_at(place.snapshot, place.position)
    )
    return [] if found == text else [f"expected {text!r}, found {found!r}"]
