"""`type-definition: text`: the lines that define the classes of the value's type."""

from __future__ import annotations

from tests.ide.checks.definition import differing
from tests.ide.places import Place
from ts_lsp.ide.definition import type_definition


def check(place: Place, text: str) -> list[str]:
    return differing(place, type_definition(place.snapshot, place.position), text)
