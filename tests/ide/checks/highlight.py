"""`highlight: write 0:6, read 1:11`: lines counted from the marked one, columns from 0."""

from __future__ import annotations

from tests.ide.places import Place
from ts_lsp.ide.references import highlights


def check(place: Place, text: str) -> list[str]:
    every = highlights(place.snapshot, place.position)
    spelled = {place.snapshot.lines.slice(each.range) for each in every}
    assert all(name.isidentifier() for name in spelled)
    found = ", ".join(
        f"{'write' if each.is_write else 'read'} {each.range.line - place.position.line}:{each.range.column}"
        for each in every
    )
    return [] if found == text else [f"expected {text!r}, found {found!r}"]
