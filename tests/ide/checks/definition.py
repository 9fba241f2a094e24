"""`definition: x = 1 | x = 2`: the lines that the targets stand on, in order; `other.py: ` before those elsewhere."""

from __future__ import annotations

from tests.ide.places import Place
from ts_lsp.ide.definition import Target, definitions_at


def told(place: Place, targets: tuple[Target, ...]) -> str:
    """The lines of the targets without their comments."""
    words = []
    for each in targets:
        line = place.files[each.path].lines.line(each.place.line)
        file = "" if each.path == place.file else f"{each.path}: "
        words.append(file + line.partition("#")[0].strip())
    return " | ".join(words)


def check(place: Place, text: str) -> list[str]:
    found = told(place, definitions_at(place.snapshot, place.position))
    return [] if found == text else [f"expected {text!r}, found {found!r}"]
