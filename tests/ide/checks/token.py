"""`token: type modifier, ...` of what begins at the place; `token: nothing`."""

from __future__ import annotations

from tests.ide.places import Place
from ts_lsp.ide.semantic_tokens import semantic_tokens
from ts_lsp.text import Range


def check(place: Place, text: str) -> list[str]:
    line = place.position.line
    found = semantic_tokens(place.snapshot, Range(line, 0, line, 1000))
    shown = [f"{each.type} {', '.join(each.modifiers)}" for each in found if each.column == place.position.column]
    return [] if shown == ([] if text == "nothing" else [text]) else [f"shows {shown}"]
