"""The texts that a client has open.

Owns `Document`, an immutable text with its lines, and `Documents`, which says what the newest of each is. Invariant:
an edit costs what it replaces, and beyond that only copies of lists; lines end where the Python tokenizer ends them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from ts_lsp.records import dataclass, replace
from ts_lsp.server.units import Encoding, column_of, cut, joined_pairs, units_of
from ts_lsp.text import Position, split_lines


@dataclass(frozen=True, slots=True)
class Change:
    """Text for the stretch between two places of the client's, given as line and units; None is the whole text."""

    start: tuple[int, int] | None
    end: tuple[int, int]
    text: str


@dataclass(frozen=True, eq=False)
class Document:
    """One text at one moment. `lines` have their ends, and the last one has none."""

    uri: str
    path: str
    version: int | None
    lines: Sequence[str]
    encoding: Encoding = "utf-16"
    language: str = "python"
    cells: tuple[Cell, ...] = ()
    """Of a notebook."""

    def cell_at(self, line: int) -> Cell | None:
        """The cell of a notebook that holds a line; None where there are no cells."""
        index = bisect_right(self.cells, max(line, 0), key=lambda cell: cell.first_line)
        return self.cells[max(index - 1, 0)] if self.cells else None

    @property
    def is_python(self) -> bool:
        """Whether the client takes it for Python: settings files and the like may be open, too."""
        return self.language.lower() == "python" or self.path.endswith((".py", ".pyi"))

    @cached_property
    def text(self) -> str:
        return "".join(self.lines)

    def line(self, number: int) -> str:
        """A line without its end; empty outside the text."""
        return self.lines[number].rstrip("\r\n") if 0 <= number < len(self.lines) else ""

    def position(self, line: int, units: int) -> Position:
        """The place that a client means; one outside the text is the nearest inside."""
        if line < 0:
            return Position(0, 0)
        if line >= len(self.lines):
            return Position(len(self.lines) - 1, len(self.lines[-1]))
        return Position(line, column_of(self.line(line), units, self.encoding))

    def units(self, position: Position) -> tuple[int, int]:
        """A place as the client counts it: line and units."""
        line = min(max(position.line, 0), len(self.lines) - 1)
        return line, units_of(self.line(line), position.column, self.encoding)

    def changed(self, changes: Sequence[Change], version: int | None) -> Document:
        """The document after changes, each of which counts in the text that the one before it left."""
        lines = list(self.lines)
        for change in changes:
            if change.start is None:
                lines = open_lines(joined_pairs(change.text))
            else:
                _replace(lines, change.start, change.end, change.text, self.encoding)
        return replace(self, version=version, lines=lines)


@dataclass(frozen=True, eq=False)
class Cell:
    """A cell of a notebook, and where its lines begin in the notebook's text."""

    document: Document
    first_line: int

    def holds(self, line: int) -> bool:
        """Whether a line of the notebook's text is one of the cell."""
        return 0 <= line - self.first_line < len(self.document.lines)


def open_lines(text: str) -> list[str]:
    """The lines of a text with their ends; the last one has none, and so may be empty."""
    lines = split_lines(text)
    if not lines or lines[-1].endswith(("\n", "\r")):
        lines.append("")
    return lines


def _replace(lines: list[str], start: tuple[int, int], end: tuple[int, int], text: str, encoding: Encoding) -> None:
    """Puts `text` between two places, in the list itself."""
    end = max(start, end)
    first, before, _ = _cut_at(lines, start, encoding)
    last, _, after = _cut_at(lines, end, encoding)
    if first and lines[first - 1].endswith("\r"):  # with a line feed behind it, that would become one line end
        first -= 1
        before = lines[first] + before
    changed = split_lines(joined_pairs(before + text + after))
    if last == len(lines) - 1 and (not changed or changed[-1].endswith(("\n", "\r"))):
        changed.append("")
    lines[first : last + 1] = changed


def _cut_at(lines: list[str], place: tuple[int, int], encoding: Encoding) -> tuple[int, str, str]:
    """The line of a place, and what of it stands before and after; its end stands after."""
    number, units = place
    if number < 0:
        return 0, "", lines[0]
    if number >= len(lines):
        return len(lines) - 1, lines[-1], ""
    line = lines[number]
    content = line.rstrip("\r\n")
    before, after = cut(content, units, encoding)
    return number, before, after + line[len(content) :]


class Documents:
    """The state of every open document. Written by one thread alone, read by anybody."""

    def __init__(self) -> None:
        self._owners: dict[str, str] = {}
        self._by_uri: dict[str, Document] = {}
        self._by_path: dict[str, Document] = {}

    def put(self, document: Document) -> None:
        self._by_uri[document.uri] = document
        self._by_path[document.path] = document
        self._owners.update({cell.document.uri: document.uri for cell in document.cells})

    def remove(self, uri: str) -> Document | None:
        document = self._by_uri.pop(uri, None)
        if document is not None and self._by_path.get(document.path) is document:
            del self._by_path[document.path]
        for cell in document.cells if document is not None else ():
            self._owners.pop(cell.document.uri, None)
        return document

    def owner(self, uri: str) -> str:
        """The address of the notebook that a cell belongs to; any other address as it is."""
        return self._owners.get(uri, uri)

    def get(self, uri: str) -> Document | None:
        return self._by_uri.get(uri)

    def at(self, path: str) -> Document | None:
        return self._by_path.get(path)

    def __iter__(self) -> Iterator[Document]:
        return iter(tuple(self._by_uri.values()))
