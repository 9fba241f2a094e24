"""`call-hierarchy: a, b < f > c`: what makes it compile, its own name, and what compiles because of it."""

from __future__ import annotations

from collections.abc import Iterable

from tests.ide.places import Place
from ts_lsp.ide.call_hierarchy import Step, compiled_because_of, compiles, hierarchy_at


def check(place: Place, text: str) -> list[str]:
    told = []
    for each in hierarchy_at(place.snapshot, place.position):
        home, start = place.files[each.spot.path], each.spot.range.start
        above, below = compiled_because_of(home, start), compiles(home, start)
        assert all(step.places for step in (*above, *below))
        told.append(" ".join([*_names(above, "", " <"), each.name, *_names(below, "> ", "")]))
    found = "; ".join(told) or "nothing"
    return [] if found == text else [f"expected {text!r}, found {found!r}"]


def _names(steps: Iterable[Step], before: str, behind: str) -> list[str]:
    names = ", ".join(each.station.name for each in steps)
    return [before + names + behind] if names else []
