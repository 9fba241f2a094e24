"""Fixes applied to texts.

Invariant: edits that overlap are not applied together; the rest of the text stays as it is.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from ts_lsp.cli.results import Found, FoundEdit, FoundFix, Span
from ts_lsp.text import TextEdit
from ts_lsp.text import apply_edits as apply_text_edits


def apply_edits(text: str, edits: Iterable[FoundEdit]) -> str:
    """The text with all edits applied, whose spans count in the text as it was and do not overlap."""
    return apply_text_edits(text, [TextEdit(edit.span.place, edit.text) for edit in dict.fromkeys(edits)])


def chosen_fixes(findings: Iterable[Found], unsafe: bool) -> list[FoundFix]:
    """The first applicable fix of each finding, without those that touch what an earlier one touches."""
    chosen: list[FoundFix] = []
    taken: dict[str, set[FoundEdit]] = {}
    for found in findings:
        fix = next((each for each in found.fixes if unsafe or each.applicability == "safe"), None)
        if fix is None or any(_clashes(edit, taken.get(edit.path, set())) for edit in fix.edits):
            continue
        chosen.append(fix)
        for edit in fix.edits:
            taken.setdefault(edit.path, set()).add(edit)
    return chosen


def _clashes(edit: FoundEdit, taken: set[FoundEdit]) -> bool:
    """Whether the edit touches another one. The very same edit (an import that two fixes need) does not clash."""
    return edit not in taken and any(_touch(edit.span, other.span) for other in taken)


def _touch(one: Span, other: Span) -> bool:
    first, second = sorted((one, other))
    return (second.line, second.column) < (first.end_line, first.end_column) or (
        (second.line, second.column) == (first.line, first.column)
    )


def edits_by_path(fixes: Iterable[FoundFix]) -> dict[str, list[FoundEdit]]:
    by_path: dict[str, list[FoundEdit]] = {}
    for fix in fixes:
        for edit in fix.edits:
            by_path.setdefault(edit.path, []).append(edit)
    return by_path


def unified(path: str, before: str, after: str) -> str:
    """A diff that `patch` reads."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), fromfile=path, tofile=path
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
