"""From text to chunks with trees.

Owns parsing, recovery and reuse. Invariants: nothing here raises, whatever the text; `reparse` equals `parse_source`
of the same text but for the identity of chunks; a chunk whose text did not change is the same object as before.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise

from ts_lsp.syntax.quiet import without_warnings
from ts_lsp.syntax.recovery import BYTE_ORDER_MARK, parse_tolerantly, problem_of
from ts_lsp.syntax.split import cut, leaves_open, statement_starts
from ts_lsp.syntax.tree import Chunk, PlacedChunk, SourceFile, SyntaxProblem
from ts_lsp.weakcache import cached_weakly

_BLANK_OR_COMMENT = " \t\f\r\n#"


def parse_source(text: str) -> SourceFile:
    """The chunks of `text`, each parsed on its own."""
    return SourceFile(text, tuple(_place(_pieces(text), 0, {})))


def reparse(old: SourceFile, text: str) -> SourceFile:
    """The chunks of `text`; those whose text stands in `old`, there or elsewhere, are taken from it.

    Only the stretch between the first and the last change is scanned again.
    """
    if text == old.text:
        return old
    kept, begin = _kept_in_front(old, text)
    tail = _ends_in_common(old, text, kept, begin)
    starts = [begin]
    rest = len(old.chunks)
    for start in statement_starts(text, begin):
        starts.append(start)
        if start in tail:
            rest = tail[start]
            break
    else:
        starts.append(len(text))
    known: dict[str, list[Chunk]] = defaultdict(list)
    for placed in reversed(old.chunks[kept:rest]):
        known[placed.chunk.text].append(placed.chunk)
    chunks = list(old.chunks[:kept])
    pieces = (piece for start, end in pairwise(starts) for piece in cut(text, start, end))
    chunks += _place(pieces, _line_behind(chunks), known)
    moved = _line_behind(chunks) - old.chunks[rest].first_line if rest < len(old.chunks) else 0
    if moved:
        chunks += (PlacedChunk(placed.chunk, placed.first_line + moved) for placed in old.chunks[rest:])
    else:
        chunks += old.chunks[rest:]
    return SourceFile(text, tuple(chunks))


def chunks_in_common(old: SourceFile, new: SourceFile) -> tuple[int, int]:
    """How many chunks at the front and at the back are the same."""
    most = min(len(old.chunks), len(new.chunks))
    front = 0
    while front < most and old.chunks[front].chunk is new.chunks[front].chunk:
        front += 1
    back = 0
    while back < most - front and old.chunks[-1 - back].chunk is new.chunks[-1 - back].chunk:
        back += 1
    return front, back


def _pieces(text: str) -> Iterator[str]:
    begin = 0
    for start in statement_starts(text):
        yield from cut(text, begin, start)
        begin = start
    yield from cut(text, begin, len(text))


def _place(pieces: Iterable[str], line: int, known: dict[str, list[Chunk]]) -> Iterator[PlacedChunk]:
    """Each known chunk is used once at most, so that no two places share a tree."""
    with without_warnings():
        for piece in pieces:
            same = known.get(piece)
            chunk = same.pop() if same else _parse_chunk(piece)
            yield PlacedChunk(chunk, line)
            line += chunk.line_count


def _line_behind(chunks: list[PlacedChunk]) -> int:
    return chunks[-1].first_line + chunks[-1].chunk.line_count if chunks else 0


def _kept_in_front(old: SourceFile, text: str) -> tuple[int, int]:
    """How many first chunks of `old` are sure to be the first chunks of `text`, and where they end.

    The change may run on from the last statement before it, which is therefore scanned again. So is all behind a
    long string or bracket that was not closed: it may be now.
    """
    starts = [0]
    for placed in old.chunks:
        if not text.startswith(placed.chunk.text, starts[-1]) or _may_be_open(placed.chunk):
            break
        starts.append(starts[-1] + len(placed.chunk.text))
    for number in range(len(starts) - 2, 0, -1):
        same = old.chunks[number].chunk.text
        if same[0] not in _BLANK_OR_COMMENT and same[-1] in "\r\n":
            return number, starts[number]
    return 0, 0


def _may_be_open(chunk: Chunk) -> bool:
    return bool(chunk.problems) and ('"""' in chunk.text or "'''" in chunk.text or leaves_open(chunk.text))


def _ends_in_common(old: SourceFile, text: str, kept: int, begin: int) -> dict[int, int]:
    """For each last chunk of `old` with which `text` ends too: its start in `text` and its number."""
    found: dict[int, int] = {}
    end = len(text)
    for number in range(len(old.chunks) - 1, kept - 1, -1):
        same = old.chunks[number].chunk.text
        start = end - len(same)
        if start <= begin or not text.startswith(same, start):
            break
        found[start] = number
        end = start
    return found


def _parse_chunk(text: str) -> Chunk:
    try:
        return Chunk(text, ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Chunk(text, *parse_tolerantly(text))


@cached_weakly
def beyond_parsing(chunk: Chunk) -> tuple[SyntaxProblem, ...]:
    """What Python refuses in a chunk that parses, such as `break` outside a loop: its file cannot be imported."""
    if chunk.problems:
        return ()
    source = chunk.text.removeprefix(BYTE_ORDER_MARK)
    try:
        with without_warnings():
            compile(source, "<chunk>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return (problem_of(error, chunk.lines, len(chunk.text) - len(source)),)
    except (ValueError, RecursionError, MemoryError):
        pass
    return ()
