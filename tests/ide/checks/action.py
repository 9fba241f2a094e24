"""`action: title`: such an action is offered at the place; `action: title => line` tells the line after it."""

from __future__ import annotations

from tests.ide.places import Place
from ts_lsp.ide.code_actions import code_actions, edits_of
from ts_lsp.text import Range, TextEdit, apply_edits


def check(place: Place, text: str) -> list[str]:
    title, _, after = text.partition(" => ")
    position = place.position
    found = code_actions(place.snapshot, Range(position.line, position.column, position.line, position.column))
    action = next((each for each in found if each.title == title), None)
    if action is None:
        return [f"offers {[each.title for each in found]}"]
    edits = [TextEdit(each.range, each.text) for each in edits_of(place.snapshot, action) if each.path == place.file]
    lines = [line.strip() for line in apply_edits(place.snapshot.text, edits).splitlines()]
    return [] if not after or after.strip() in lines else [f"no line reads {after!r}"]
