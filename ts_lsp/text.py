"""Positions in text: the only place that converts them.

Owns `Range`, `Lines` (a text with its line index), edits, the decoding of source bytes, and the conversion between
UTF-8 byte columns (what `ast` and the compiler count) and code points (what everything inside ts_lsp counts).
Invariant: inside, lines and columns are 0-based and columns are code points; only doors (CLI, server) add one or
change units.
"""

from __future__ import annotations

import ast
import codecs
import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterable, Mapping

from ts_lsp.records import dataclass

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_BINARY_PROBE = 8192


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place between two characters: 0-based line and 0-based code-point column."""

    line: int
    column: int


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

    @property
    def start(self) -> Position:
        return Position(self.line, self.column)

    @property
    def end(self) -> Position:
        return Position(self.end_line, self.end_column)

    def touches(self, place: Position) -> bool:
        """Whether a cursor at `place` stands in the range or at one of its ends."""
        return self.start <= place <= self.end


def split_lines(text: str) -> list[str]:
    """The lines of `text` with their ends: `\\n`, `\\r\\n` or a lone `\\r`, as Python's tokenizer counts them.

    Form feeds and the Unicode separators end no line; an empty last line is not listed.
    """
    if "\r" in text:
        return _LINE.findall(text)
    lines = text.split("\n")
    last = lines.pop()
    result = [line + "\n" for line in lines]
    if last:
        result.append(last)
    return result


def count_line_ends(text: str) -> int:
    """How many line ends `text` holds."""
    return text.count("\n") + text.count("\r") - text.count("\r\n")


class Lines:
    """A text and where its lines start. Columns past a line's end are cut to it; places past the text to its end."""

    __slots__ = ("_ascii", "starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._ascii = text.isascii()
        self.starts = [0]
        position = 0
        for line in split_lines(text):
            position += len(line)
            self.starts.append(position)
        if len(self.starts) > 1 and text[-1] not in "\r\n":
            self.starts.pop()

    def __len__(self) -> int:
        """The number of lines, counting the empty one behind a final line end."""
        return len(self.starts)

    def line(self, number: int) -> str:
        """Line `number` without its end; empty outside the text."""
        if not 0 <= number < len(self.starts):
            return ""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[number] : end].rstrip("\r\n")

    def column(self, number: int, byte_column: int) -> int:
        """The code-point column of a UTF-8 byte column (a place inside a character is its start)."""
        if self._ascii:
            return byte_column
        line = self.line(number)
        if line.isascii():
            return byte_column
        data = line.encode("utf-8", "surrogatepass")
        inside = len(data[:byte_column].decode("utf-8", "ignore"))
        return inside + max(0, byte_column - len(data))

    def byte_column(self, number: int, column: int) -> int:
        """The UTF-8 byte column of a code-point column."""
        if self._ascii:
            return column
        return len(self.line(number)[:column].encode("utf-8", "surrogatepass"))

    def offset(self, number: int, column: int) -> int:
        """The code-point offset in the text of a position."""
        if number < 0:
            return 0
        if number >= len(self.starts):
            return len(self.text)
        return self.starts[number] + min(max(column, 0), len(self.line(number)))

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column of a code-point offset."""
        offset = min(max(offset, 0), len(self.text))
        number = bisect_right(self.starts, offset) - 1
        return number, offset - self.starts[number]

    def slice(self, place: Range) -> str:
        """The text at `place`."""
        return self.text[self.offset(place.line, place.column) : self.offset(place.end_line, place.end_column)]


def range_of(node: ast.AST, lines: Lines) -> Range:
    """Where `node`, which must be of a kind that has positions, stands in the text that it was parsed from."""
    line: int = node.lineno - 1  # type: ignore[attr-defined]
    column: int = node.col_offset  # type: ignore[attr-defined]
    end_line = getattr(node, "end_lineno", None)
    end_column = getattr(node, "end_col_offset", None)
    last = line if end_line is None else end_line - 1
    end = lines.column(last, column if end_column is None else end_column)
    return Range(line, lines.column(line, column), last, end)


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Put `new_text` in the place of `range`."""

    range: Range
    new_text: str


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """`text` after all `edits`, whose places refer to the text before and do not overlap."""
    lines = Lines(text)
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.range.line, edit.range.column)):
        start = lines.offset(edit.range.line, edit.range.column)
        pieces += (text[position:start], edit.new_text)
        position = max(start, lines.offset(edit.range.end_line, edit.range.end_column))
    pieces.append(text[position:])
    return "".join(pieces)


class EditsTogether:
    """Edits of files that can be applied at once, since none overlaps with another."""

    def __init__(self) -> None:
        self._taken: dict[str, dict[TextEdit, None]] = {}

    def take(self, edits: Iterable[tuple[str, TextEdit]]) -> bool:
        """Takes edits, each of a path: all, or none where one clashes. The very same edit may be wanted twice."""
        new = [(path, edit) for path, edit in edits if edit not in self._taken.get(path, {})]
        if any(_overlap(edit.range, other.range) for path, edit in new for other in self._taken.get(path, ())):
            return False
        for path, edit in new:
            self._taken.setdefault(path, {})[edit] = None
        return True

    def by_path(self) -> Mapping[str, tuple[TextEdit, ...]]:
        """What was taken."""
        return {path: tuple(edits) for path, edits in self._taken.items()}


def _overlap(one: Range, other: Range) -> bool:
    """Whether two stretches have something in common, or begin at the same place."""
    first, second = sorted((one, other))
    return second.start < first.end or second.start == first.start


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of a draft. `start` is where it stands in the original; None for what is new."""

    text: str
    start: int | None


class Draft:
    """A text under edits on edits, which remembers what is left of the original."""

    __slots__ = ("_pieces", "original", "text")

    def __init__(self, original: str, pieces: tuple[_Piece, ...] | None = None) -> None:
        self.original = original
        self._pieces = (_Piece(original, 0),) if pieces is None else pieces
        self.text = "".join(piece.text for piece in self._pieces)

    def after(self, edits: Iterable[TextEdit]) -> Draft:
        """The draft after `edits`, whose places refer to its text and do not overlap."""
        lines, pieces = Lines(self.text), list(self._pieces)
        in_order = sorted(edits, key=lambda edit: (edit.range.line, edit.range.column))
        for edit in reversed(in_order):
            start = lines.offset(edit.range.line, edit.range.column)
            end = max(start, lines.offset(edit.range.end_line, edit.range.end_column))
            before, rest = _cut(pieces, start)
            pieces = [*before, _Piece(edit.new_text, None), *_cut(rest, end - start)[1]]
        return Draft(self.original, tuple(pieces))

    @property
    def edits(self) -> tuple[TextEdit, ...]:
        """What leads from the original to the text, in order."""
        lines, found, position, new = Lines(self.original), [], 0, ""
        for piece in (*self._pieces, _Piece("", len(self.original))):
            if piece.start is None:
                new += piece.text
                continue
            if new or piece.start > position:
                place = Range(*lines.position(position), *lines.position(piece.start))
                found.append(TextEdit(place, new))
            position, new = piece.start + len(piece.text), ""
        return tuple(found)


def _cut(pieces: list[_Piece], offset: int) -> tuple[list[_Piece], list[_Piece]]:
    """Pieces in two at an offset in their text."""
    for index, piece in enumerate(pieces):
        if offset <= len(piece.text):
            rest = None if piece.start is None else piece.start + offset
            halves = _Piece(piece.text[:offset], piece.start), _Piece(piece.text[offset:], rest)
            left, right = ([half] if half.text else [] for half in halves)
            return [*pieces[:index], *left], [*right, *pieces[index + 1 :]]
        offset -= len(piece.text)
    return pieces, []


@dataclass(frozen=True, slots=True)
class DecodedSource:
    """A source file as text. `problem` says, for people, why Python could not read the bytes (the text is a guess)."""

    text: str
    encoding: str
    problem: str | None = None
    is_binary: bool = False


def decode_source(data: bytes) -> DecodedSource:
    """The text of Python source bytes: byte order mark, then coding cookie, then UTF-8. Never raises."""
    if b"\0" in data[:_BINARY_PROBE]:
        return DecodedSource("", "binary", "not a text file: it holds NUL bytes", is_binary=True)
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    except SyntaxError:
        problem = "its coding line names an unknown encoding, or its first lines are not UTF-8"
        return DecodedSource(_as_utf8(data), "utf-8", problem)
    try:
        return DecodedSource(data.decode(encoding), encoding)
    except (UnicodeError, LookupError, ValueError):
        return DecodedSource(_as_utf8(data), "utf-8", f"its bytes are not valid {encoding}")


def _as_utf8(data: bytes) -> str:
    return data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
