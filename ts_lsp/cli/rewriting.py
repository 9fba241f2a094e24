"""Fixes applied to texts.

Invariant: edits that overlap are not applied together; the rest of the text stays as it is.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from ts_lsp.cli.results import Found, FoundFix
from ts_lsp.text import EditsTogether, TextEdit


def chosen_fixes(findings: Iterable[Found], unsafe: bool) -> tuple[list[FoundFix], Mapping[str, tuple[TextEdit, ...]]]:
    """The first applicable fix of each finding, but for those that clash with an earlier one; their edits by path."""
    chosen, edits = [], EditsTogether()
    for found in findings:
        fix = next((each for each in found.fixes if unsafe or each.applicability == "safe"), None)
        if fix is not None and edits.take((each.path, each.edit) for each in fix.edits):
            chosen.append(fix)
    return chosen, edits.by_path()


def unified(path: str, before: str, after: str) -> str:
    """A diff that `patch` reads."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), fromfile=path, tofile=path
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
