"""`code-lens: title` above the definition whose name begins at the place."""

from __future__ import annotations

from tests.ide.places import Place
from ts_lsp.ide.code_lens import code_lenses


def check(place: Place, text: str) -> list[str]:
    titles = [each.title for each in code_lenses(place.snapshot) if each.range.start == place.position]
    return [] if any(text in each for each in titles) else [f"shows {titles}"]
