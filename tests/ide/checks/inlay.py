"""`inlay: label` at the place where it stands; `inlay: nothing`."""

from __future__ import annotations

from tests.ide.places import Place
from ts_lsp.ide.inlay_hints import inlay_hints
from ts_lsp.text import Range

KINDS = ("variable-types", "parameter-types", "return-types", "refinements", "conversions")


def check(place: Place, text: str) -> list[str]:
    line = place.position.line
    found = inlay_hints(place.snapshot, Range(line, 0, line, 1000), KINDS)
    labels = [each.label.strip() for each in found if each.place == place.position]
    return [] if labels == ([] if text == "nothing" else [text]) else [f"shows {labels}"]
