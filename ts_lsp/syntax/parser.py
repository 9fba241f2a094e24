"""From text to chunks with trees.

Owns parsing, recovery and reuse. Invariants: nothing here raises, whatever the text; `reparse` equals `parse_source`
of the same text but for the identity of chunks; a chunk whose text did not change is the same object as before.
"""

from __future__ import annotations

import ast
import warnings
from collections import defaultdict

from ts_lsp.syntax.recovery import parse_tolerantly
from ts_lsp.syntax.split import split_top_level
from ts_lsp.syntax.tree import Chunk, PlacedChunk, SourceFile


def parse_source(text: str) -> SourceFile:
    """The chunks of `text`, each parsed on its own."""
    return _assemble(text, {})


def reparse(old: SourceFile, text: str) -> SourceFile:
    """The chunks of `text`; those whose text stands in `old`, there or elsewhere, are taken from it."""
    if text == old.text:
        return old
    known: dict[str, list[Chunk]] = defaultdict(list)
    for placed in reversed(old.chunks):
        known[placed.chunk.text].append(placed.chunk)
    return _assemble(text, known)


def _assemble(text: str, known: dict[str, list[Chunk]]) -> SourceFile:
    """Each known chunk is used once at most, so that no two places share a tree."""
    chunks: list[PlacedChunk] = []
    line = 0
    with warnings.catch_warnings():
        # Python warns of odd escapes and literals while it parses; they are no business of ours.
        warnings.simplefilter("ignore")
        for piece in split_top_level(text):
            same = known.get(piece)
            chunk = same.pop() if same else _parse_chunk(piece)
            chunks.append(PlacedChunk(chunk, line))
            line += chunk.line_count
    return SourceFile(text, tuple(chunks))


def _parse_chunk(text: str) -> Chunk:
    try:
        return Chunk(text, ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Chunk(text, *parse_tolerantly(text))
