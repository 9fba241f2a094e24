"""`implementation: text`: the lines that define what implements it."""

from __future__ import annotations

from tests.ide.checks.definition import differing
from tests.ide.places import Place
from ts_lsp.ide.definition import implementation


def check(place: Place, text: str) -> list[str]:
    return differing(place, implementation(place.snapshot, place.position), text)
