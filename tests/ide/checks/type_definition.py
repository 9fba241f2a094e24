"""`type-definition: class C:`: told as `definition` tells it."""

from __future__ import annotations

from tests.ide.checks.definition import told
from tests.ide.places import Place
from ts_lsp.ide.definition import type_definitions_at


def check(place: Place, text: str) -> list[str]:
    found = told(place, type_definitions_at(place.snapshot, place.position))
    return [] if found == text else [f"expected {text!r}, found {found!r}"]
