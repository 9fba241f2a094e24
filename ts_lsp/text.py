"""Positions in text: the only place that converts them.

Owns `Range` and the conversion between UTF-8 byte columns (what `ast` and the compiler count) and code points (what
everything inside ts_lsp counts).
Invariant: inside, lines and columns are 0-based and columns are code points; only doors (CLI, server) add one or
change units.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Range:
    """A half-open stretch of text: 0-based lines and 0-based code-point columns, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int

    def moved(self, lines: int) -> Range:
        """The same range `lines` further down."""
        return Range(self.line + lines, self.column, self.end_line + lines, self.end_column)
