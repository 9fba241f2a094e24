"""From text to chunks with trees.

Owns parsing, recovery and reuse. Invariants: nothing here raises, whatever the text; `reparse` equals `parse_source`
of the same text but for the identity of chunks; a chunk whose text did not change is the same object as before.
"""

from __future__ import annotations

import ast
import operator
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, compress, pairwise, takewhile

from ts_lsp.syntax.quiet import without_warnings
from ts_lsp.syntax.recovery import BYTE_ORDER_MARK, parse_tolerantly, problem_of
from ts_lsp.syntax.split import cut, leaves_open, statement_starts
from ts_lsp.syntax.tree import Chunk, PlacedChunk, SourceFile, SyntaxProblem
from ts_lsp.weakcache import cached_weakly

_BLANK_OR_COMMENT = " \t\f\r\n#"
_LARGEST_STEP = 4**7
_CHUNK, _TEXT, _PROBLEMS = map(operator.attrgetter, ("chunk", "chunk.text", "chunk.problems"))


def parse_source(text: str) -> SourceFile:
    """The chunks of `text`, each parsed on its own."""
    return SourceFile(text, tuple(_place(_pieces(text), 0, {})))


def reparse(old: SourceFile, text: str) -> SourceFile:
    """The chunks of `text`; those whose text stands in `old`, there or elsewhere, are taken from it.

    Only the stretch between the first and the last change is scanned again.
    """
    if text == old.text:
        return old
    old_starts = [0, *accumulate(map(len, map(_TEXT, old.chunks)))]
    kept, begin = _kept_in_front(old, old_starts, text)
    longer = len(text) - len(old.text)
    common_end = len(old.text) - _length_in_common(old.text, text, at_end=True)
    first_same = bisect_left(old_starts, max(common_end, begin - longer + 1), kept)
    starts = [begin]
    rest = len(old.chunks)
    for start in statement_starts(text, begin):
        starts.append(start)
        number = bisect_left(old_starts, start - longer, first_same, rest)
        if old_starts[number] == start - longer and number < rest:
            rest = number
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
    before, after = list(map(_CHUNK, old.chunks)), list(map(_CHUNK, new.chunks))
    most = min(len(before), len(after))
    front = _same_at_start(before, after)
    return front, min(_same_at_start(reversed(before), reversed(after)), most - front)


def _same_at_start(one: Iterable[Chunk], other: Iterable[Chunk]) -> int:
    return sum(1 for _ in takewhile(bool, map(operator.is_, one, other)))


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


def _kept_in_front(old: SourceFile, starts: Sequence[int], text: str) -> tuple[int, int]:
    """How many first chunks of `old` are sure to be the first chunks of `text`, and where they end.

    The change may run on from the last statement before it, which is therefore scanned again. So is all behind a
    long string or bracket that was not closed: it may be now.
    """
    same = bisect_right(starts, _length_in_common(old.text, text)) - 1
    broken = compress(range(same), map(_PROBLEMS, old.chunks))
    same = next((number for number in broken if _may_be_open(old.chunks[number].chunk)), same)
    for number in range(same - 1, 0, -1):
        last = old.chunks[number].chunk.text
        if last[0] not in _BLANK_OR_COMMENT and last[-1] in "\r\n":
            return number, starts[number]
    return 0, 0


def _length_in_common(one: str, other: str, at_end: bool = False) -> int:
    """How many characters two texts have in common at their start, or at their end."""
    most = min(len(one), len(other))
    same, step = 0, _LARGEST_STEP
    while step:
        start, other_start = (len(one) - same - step, len(other) - same - step) if at_end else (same, same)
        if same + step <= most and one[start : start + step] == other[other_start : other_start + step]:
            same += step
        else:
            step //= 4
    return same


def _may_be_open(chunk: Chunk) -> bool:
    """Whether a chunk with problems may go on behind its end."""
    return '"""' in chunk.text or "'''" in chunk.text or leaves_open(chunk.text)


def _parse_chunk(text: str) -> Chunk:
    try:
        return Chunk(text, ast.parse(text))
    except SyntaxError as error:
        return Chunk(text, *parse_tolerantly(text, error))
    except (ValueError, RecursionError, MemoryError):
        return Chunk(text, *parse_tolerantly(text))


@cached_weakly
def beyond_parsing(chunk: Chunk) -> tuple[SyntaxProblem, ...]:
    """What Python refuses in a chunk that parses, such as `break` outside a loop: its file cannot be imported."""
    if chunk.problems:
        return ()
    with without_warnings():
        if _refusal(chunk.tree) is None:
            return ()
        source = chunk.text.removeprefix(BYTE_ORDER_MARK)
        error = _refusal(source)  # with the text at hand it says places as a parser does
    return (problem_of(error, chunk.lines, len(chunk.text) - len(source)),) if error is not None else ()


def _refusal(source: ast.Module | str) -> SyntaxError | None:
    try:
        compile(source, "<chunk>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return error
    except (ValueError, TypeError, RecursionError, MemoryError):
        pass
    return None
