"""Source files as sequences of top-level chunks.

Owns `Chunk`, `SourceFile` and the comments of a chunk. Invariant: a chunk's positions count from its own first line,
so a chunk whose text did not change is the very same object after an edit elsewhere.
"""

from __future__ import annotations

import ast
import re
from functools import cached_property

from ts_lsp.records import dataclass
from ts_lsp.syntax.split import scan_comments
from ts_lsp.text import Lines, Range, count_line_ends

_SUPPRESSION = re.compile(r"#\s*ts-lsp:\s*ignore(?![\w-])(?:\s*\[(?P<codes>[^\]]*)\])?")
_CODE = re.compile(r"[\w-]+")


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """A place that Python cannot parse, relative to the chunk."""

    range: Range
    message: str


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment with its `#`. `own_line`: nothing but blanks stands before it."""

    range: Range
    text: str
    own_line: bool


@dataclass(frozen=True, slots=True)
class Suppression:
    """A `# ts-lsp: ignore[code, ...]`: each code with its place; `codes` is None for `# ts-lsp: ignore`, which is all.

    `range` is the whole suppression, from `#` to the bracket, without what a person wrote behind it.
    """

    range: Range
    codes: tuple[tuple[str, Range], ...] | None
    own_line: bool


@dataclass(frozen=True, eq=False)
class Chunk:
    """A top-level stretch of a file: its exact text, and the tree of what could be parsed (line 1 is its first)."""

    text: str
    tree: ast.Module
    problems: tuple[SyntaxProblem, ...] = ()

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.text)

    @cached_property
    def line_count(self) -> int:
        """How many lines further down the next chunk starts."""
        return count_line_ends(self.text)

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """All comments in order."""
        found = []
        for offset, text in scan_comments(self.text):
            line, column = self.lines.position(offset)
            own_line = not self.lines.line(line)[:column].strip()
            found.append(Comment(Range(line, column, line, column + len(text)), text, own_line))
        return tuple(found)

    @cached_property
    def names_us(self) -> bool:
        """Whether the text may hold a suppression."""
        return "ts-lsp" in self.text

    @cached_property
    def suppressions(self) -> tuple[Suppression, ...]:
        """The comments that silence findings, in order."""
        return tuple(
            _suppression(comment, match) for comment in self.comments for match in _SUPPRESSION.finditer(comment.text)
        )


def _suppression(comment: Comment, match: re.Match[str]) -> Suppression:
    line, column = comment.range.line, comment.range.column

    def place(start: int, end: int) -> Range:
        return Range(line, column + start, line, column + end)

    codes = None
    if match["codes"] is not None:
        base = match.start("codes")
        codes = tuple(
            (code.group(), place(base + code.start(), base + code.end())) for code in _CODE.finditer(match["codes"])
        )
    return Suppression(place(*match.span()), codes, comment.own_line)


@dataclass(frozen=True, eq=False, slots=True)
class PlacedChunk:
    chunk: Chunk
    first_line: int


@dataclass(frozen=True, eq=False, slots=True)
class SourceFile:
    """A whole file. `chunks` cover `text` without gaps."""

    text: str
    chunks: tuple[PlacedChunk, ...]
