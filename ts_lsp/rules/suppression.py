"""`# ts-lsp: ignore` comments: which diagnostics they silence, and which of them silence nothing.

Invariant: pure; a comment covers the lines of the diagnostic's own range and the first line of its statement.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ts_lsp.rules.diagnostics import Diagnostic
from ts_lsp.text import Range

_COMMENT = re.compile(r"#\s*ts-lsp\s*:\s*ignore(?:\s*\[(?P<codes>[^\]]*)\])?")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment. `codes` is None where the comment silences everything on its line; `range` counts in the file."""

    range: Range
    codes: tuple[str, ...] | None


def read_suppression(comment: str, line: int, column: int) -> Suppression | None:
    """What a comment that starts at that place asks for; None where it is about something else."""
    match = _COMMENT.search(comment)
    if match is None:
        return None
    listed = match.group("codes")
    codes = None if listed is None else tuple(code.strip() for code in listed.split(",") if code.strip())
    return Suppression(Range(line, column + match.start(), line, column + match.end()), codes)


@dataclass(frozen=True, slots=True)
class Suppressed:
    """What is left: the diagnostics that no comment covers, and the comments (with those of their codes) without use."""

    kept: tuple[Diagnostic, ...]
    unused: tuple[tuple[Suppression, tuple[str, ...]], ...]


def apply_suppressions(
    diagnostics: Iterable[Diagnostic],
    suppressions: Sequence[Suppression],
    is_active: Callable[[Suppression], bool],
) -> Suppressed:
    """Drop what the comments cover. A comment counts as unused only where `is_active` says that its place was checked."""
    used: dict[Suppression, set[str]] = {suppression: set() for suppression in suppressions}
    kept: list[Diagnostic] = []
    for diagnostic in diagnostics:
        covering = [each for each in suppressions if _covers(each, diagnostic)]
        for suppression in covering:
            used[suppression].add(diagnostic.code)
        if not covering:
            kept.append(diagnostic)
    unused = [
        (suppression, without_use)
        for suppression in suppressions
        if is_active(suppression) and (without_use := _without_use(suppression, used[suppression])) is not None
    ]
    return Suppressed(tuple(kept), tuple(unused))


def _covers(suppression: Suppression, diagnostic: Diagnostic) -> bool:
    line = suppression.range.line
    if suppression.codes is not None and diagnostic.code not in suppression.codes:
        return False
    return diagnostic.range.line <= line <= diagnostic.range.end_line or line == _statement_line(diagnostic)


def _without_use(suppression: Suppression, used: set[str]) -> tuple[str, ...] | None:
    """The listed codes that silenced nothing (empty for a bare comment that did not); None where all had a use."""
    if suppression.codes is None:
        return None if used else ()
    return tuple(code for code in suppression.codes if code not in used) or None


def _statement_line(diagnostic: Diagnostic) -> int | None:
    """The file line on which the simple statement around the diagnostic begins."""
    if diagnostic.finding is None or diagnostic.unit is None:
        return None
    line = diagnostic.finding.place.line
    lines = [
        node.lineno - 1
        for node in ast.walk(diagnostic.unit.chunk.tree)
        if isinstance(node, ast.stmt)
        and not hasattr(node, "body")
        and node.lineno - 1 <= line < (node.end_lineno or node.lineno)
    ]
    return max(lines) + diagnostic.unit.first_line if lines else None
