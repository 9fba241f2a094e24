"""`complete: a, b (detail), !c`: what is offered at a place.

`name (detail)` also tells the beginning of the detail, `!name` is not offered, `first name` comes before all others
but those said to be first, too; `nothing` is no list at all.
"""

from __future__ import annotations

import re

from tests.ide.places import Place
from ts_lsp.ide.completion import complete


def check(place: Place, text: str) -> list[str]:
    found = complete(place.snapshot, place.position)
    if text == "nothing":
        return [] if found is None or not found.items else [f"offered {len(found.items)} names"]
    items = {each.label: each for each in found.items} if found is not None else {}
    ranks = sorted(each.rank for each in items.values())
    problems = []
    for wanted in re.split(r", (?![^()]*\))", text):
        match = re.fullmatch(r"(!|first )?([\w=]+)(?: \((.*)\))?", wanted)
        if match is None:
            problems.append(f"cannot read {wanted!r}")
            continue
        sign, name, detail = match.groups()
        if sign == "!":
            problems += [f"{name} is offered"] if name in items else []
        elif name not in items:
            problems.append(f"{name} is not offered, but {', '.join(sorted(items)[:20]) or 'nothing'}")
        elif detail is not None and not items[name].detail.startswith(detail):
            problems.append(f"{name} has the detail {items[name].detail!r}")
        elif sign and items[name].rank > ranks[0]:
            problems.append(f"{name} is no better than others")
    return problems
