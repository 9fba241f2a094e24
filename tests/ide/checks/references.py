"""`references: main.py 3, other.py 1`: how often it is named in each file."""

from __future__ import annotations

from collections import Counter

from tests.ide.places import Place
from ts_lsp.ide.references import references


def check(place: Place, text: str) -> list[str]:
    counted = Counter(each.path for each in references(place.snapshot, place.position))
    found = ", ".join(f"{path} {number}" for path, number in counted.items()) or "nothing"
    return [] if found == text else [f"found {found}"]
