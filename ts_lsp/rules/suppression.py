"""`# ts-lsp: ignore` comments: which diagnostics they silence, and which of them silence nothing.

Invariant: pure. A comment covers the lines of a diagnostic's own range and the first line of its statement; a comment
on a line of its own covers the line below.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence

from ts_lsp.records import dataclass
from ts_lsp.rules.diagnostics import Diagnostic
from ts_lsp.syntax.tree import SourceFile, Suppression
from ts_lsp.text import Range


@dataclass(frozen=True, slots=True)
class PlacedSuppression:
    """A suppression comment of a file; `first_line` is that of its chunk."""

    comment: Suppression
    first_line: int

    @property
    def line(self) -> int:
        return self.comment.range.line + self.first_line

    @property
    def range(self) -> Range:
        return self.comment.range.moved(self.first_line)

    @property
    def codes(self) -> tuple[tuple[str, Range], ...] | None:
        """The listed codes with their places in the file; None where everything is silenced."""
        if self.comment.codes is None:
            return None
        return tuple((code, place.moved(self.first_line)) for code, place in self.comment.codes)

    def silences(self, code: str) -> bool:
        return self.comment.codes is None or any(code == listed for listed, _ in self.comment.codes)


@dataclass(frozen=True, slots=True)
class Suppressed:
    """What is left of the diagnostics, and the comments without use with those of their codes that have none."""

    kept: tuple[Diagnostic, ...]
    unused: tuple[tuple[PlacedSuppression, tuple[str, ...]], ...]


def suppressions_of(file: SourceFile) -> tuple[PlacedSuppression, ...]:
    """The suppression comments of a file, in order."""
    return tuple(
        PlacedSuppression(comment, placed.first_line)
        for placed in file.chunks
        if placed.chunk.names_us
        for comment in placed.chunk.suppressions
    )


def apply_suppressions(
    diagnostics: Iterable[Diagnostic],
    suppressions: Sequence[PlacedSuppression],
    was_checked: Callable[[int], bool],
) -> Suppressed:
    """Drop what the comments cover. A comment can count as unused only where the line that it covers was checked."""
    used: list[set[str]] = [set() for _ in suppressions]
    kept: list[Diagnostic] = []
    for diagnostic in diagnostics:
        covering = [index for index, each in enumerate(suppressions) if _covers(each, diagnostic)]
        for index in covering:
            used[index].add(diagnostic.code)
        if not covering:
            kept.append(diagnostic)
    unused = [
        (suppression, without_use)
        for suppression, codes in zip(suppressions, used, strict=True)
        if was_checked(_covered_line(suppression)) and (without_use := _without_use(suppression, codes)) is not None
    ]
    return Suppressed(tuple(kept), tuple(unused))


def _covered_line(suppression: PlacedSuppression) -> int:
    return suppression.line + (1 if suppression.comment.own_line else 0)


def _covers(suppression: PlacedSuppression, diagnostic: Diagnostic) -> bool:
    if not suppression.silences(diagnostic.code):
        return False
    line = _covered_line(suppression)
    return diagnostic.range.line <= line <= diagnostic.range.end_line or line == _statement_line(diagnostic)


def _without_use(suppression: PlacedSuppression, used: set[str]) -> tuple[str, ...] | None:
    """The listed codes that silenced nothing (empty for a bare comment that did not); None where all had a use."""
    if suppression.codes is None:
        return None if used else ()
    return tuple(code for code, _ in suppression.codes if code not in used) or None


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
