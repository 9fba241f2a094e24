"""`hover: text`: what is shown holds the text; `hover: nothing` where nothing is shown."""

from __future__ import annotations

from tests.ide.places import Place
from ts_lsp.ide.hover import hover


def check(place: Place, text: str) -> list[str]:
    found = hover(place.snapshot, place.position)
    shown = " / ".join((*found.code, *found.notes)) if found is not None else "nothing"
    fits = shown == text if text == "nothing" else text in shown
    return [] if fits else [f"shows {shown!r}"]
