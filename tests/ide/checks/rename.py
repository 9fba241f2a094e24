"""`rename: new -> main.py 3, other.py 1`: how many places change; or `new -> refused: why`, a part of the reason.

What is renamed compiles as before, and renaming it back gives the text before.
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.ide.places import Place, opened
from ts_lsp.ide.rename import Edits, Refusal, Renamable, prepare_rename, rename
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.text import Position, apply_edits


def check(place: Place, text: str) -> list[str]:
    name, _, wanted = text.partition(" -> ")
    found = rename(place.snapshot, place.position, name)
    if wanted == "nothing":
        return [] if found is None else [f"found {found}"]
    if isinstance(found, Refusal) or wanted.startswith("refused: "):
        reason = found.reason if isinstance(found, Refusal) else f"not refused: {found}"
        return [] if wanted.startswith("refused: ") and wanted[9:] in reason else [reason]
    if found is None:
        return ["found nothing"]
    told = ", ".join(f"{path} {len(edits)}" for path, edits in found.items())
    problems = [] if told == wanted else [f"found {told}"]
    texts = {path: apply_edits(each.text, found.get(path, ())) for path, each in place.files.items()}
    renamed = opened(texts)
    if _verdicts(renamed) != _verdicts(place.files):
        problems.append("other verdicts")
    return problems + _back(place, renamed, found, name)


def _back(place: Place, renamed: Mapping[str, Snapshot], edits: Edits, name: str) -> list[str]:
    """What is wrong when it is renamed back."""
    old = prepare_rename(place.snapshot, place.position)
    assert isinstance(old, Renamable)
    line = old.range.line
    before = [each for each in edits.get(place.file, ()) if each.range.line == line and each.range < old.range]
    column = old.range.column + sum(len(name) - len(old.name) for _ in before)
    back = rename(renamed[place.file], Position(line, column), old.name)
    if back is None or isinstance(back, Refusal):
        return [f"not renamed back: {back}"]
    texts = {path: apply_edits(each.text, back.get(path, ())) for path, each in renamed.items()}
    return [f"{path} is another text" for path, each in place.files.items() if texts[path] != each.text]


def _verdicts(files: Mapping[str, Snapshot]) -> list[tuple[str, str]]:
    return [(path, each.verdict) for path, snapshot in files.items() for each in snapshot.facts.definitions]
