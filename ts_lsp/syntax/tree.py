"""Source files as sequences of top-level chunks.

Owns `Chunk` and `SourceFile`. Invariant: a chunk's positions count from its own first line, so a chunk whose text did
not change is the very same object after an edit elsewhere.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ts_lsp.text import Range


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """A place that Python cannot parse, relative to the chunk."""

    range: Range
    message: str


@dataclass(frozen=True, eq=False, slots=True)
class Chunk:
    """A top-level stretch of a file: its exact text, and the tree of what could be parsed (line 1 is its first)."""

    text: str
    tree: ast.Module
    problems: tuple[SyntaxProblem, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class PlacedChunk:
    chunk: Chunk
    first_line: int


@dataclass(frozen=True, eq=False, slots=True)
class SourceFile:
    """A whole file. `chunks` cover `text` without gaps."""

    text: str
    chunks: tuple[PlacedChunk, ...]
