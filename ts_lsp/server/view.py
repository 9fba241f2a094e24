"""What a handler is given: a document at one moment, and the way between its places and the client's.

Owns `View`. Invariant: `to_lsp` and `from_lsp` are the only places where positions of the protocol come and go.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, overload

from lsprotocol import types as lsp

from ts_lsp.records import dataclass, field
from ts_lsp.server.client import Client
from ts_lsp.server.documents import Cell, Document
from ts_lsp.server.token_data import TokenMemory
from ts_lsp.text import Position, Range

if TYPE_CHECKING:
    from ts_lsp.ide.faded import Faded
    from ts_lsp.ide.snapshot import Snapshot
    from ts_lsp.project.settings import Settings
    from ts_lsp.pybridge.bridge import PythonBridge
    from ts_lsp.rules.diagnostics import Diagnostic
    from ts_lsp.server.worker import CancelToken


@dataclass(frozen=True, eq=False)
class View:
    """One document with its facts. `token` is asked between the steps of long work."""

    document: Document
    snapshot: Snapshot
    settings: Settings
    client: Client
    packages: Callable[[], PythonBridge]
    """What the environment's packages say of themselves."""
    token: CancelToken
    text_of: Callable[[str], Document | None]
    """The text at a path, for places in other files."""
    address: Callable[[str], str]
    """The address of a path."""
    is_ours: bool = True
    """Whether the file belongs to the program, and not to a library."""

    cell: Cell | None = None
    """The cell that was asked about, in a notebook. What is not in it (`holds`) cannot be told."""

    torch_is_installed: bool = False
    """Whether the project's environment has torch, to ask the real compiler."""

    tokens: TokenMemory = field(default_factory=TokenMemory)
    """What is kept of the document's semantic tokens."""

    @property
    def uri(self) -> str:
        """The address that was asked about."""
        return (self.cell or self).document.uri

    @property
    def python(self) -> PythonBridge:
        return self.packages()

    def holds(self, place: Range) -> bool:
        """Whether a place is in what was asked about: in a notebook's cell, or anywhere in another document."""
        return self.cell is None or self.cell.holds(place.line)

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is to be said of the document: of a library's file nothing."""
        return tuple(each for each in self.snapshot.diagnostics if self.holds(each.range)) if self.is_ours else ()

    @cached_property
    def faded(self) -> tuple[Faded, ...]:
        """What is not compiled, where the client can show it so: elsewhere it would read as a complaint."""
        if not (self.is_ours and self.settings.fade and lsp.DiagnosticTag.Unnecessary in self.client.shown_tags):
            return ()
        from ts_lsp.ide.faded import faded

        return tuple(each for each in faded(self.snapshot, self.settings.fade) if self.holds(each.range))

    @overload
    def from_lsp(self, place: lsp.Position) -> Position: ...
    @overload
    def from_lsp(self, place: lsp.Range) -> Range: ...
    def from_lsp(self, place: lsp.Position | lsp.Range) -> Position | Range:
        """A place of the client's in the view's document."""
        if isinstance(place, lsp.Position):
            first_line = self.cell.first_line if self.cell is not None else 0
            asked = self.cell.document if self.cell is not None else self.document
            position = asked.position(place.line, place.character)
            return Position(position.line + first_line, position.column)
        start, end = self.from_lsp(place.start), self.from_lsp(place.end)
        return Range(start.line, start.column, end.line, end.column)

    @overload
    def to_lsp(self, place: Position) -> lsp.Position: ...
    @overload
    def to_lsp(self, place: Range) -> lsp.Range: ...
    def to_lsp(self, place: Position | Range) -> lsp.Position | lsp.Range:
        """A place in the view's document, for the client."""
        if isinstance(place, Position):
            return _position(self.document, place, self.cell)
        return _range(self.document, place, self.cell)

    def location(self, path: str, place: Range) -> lsp.Location | None:
        """A place in any file; None where the file has gone."""
        document = self.document if path == self.document.path else self.text_of(path)
        return location_in(document, place, self.address(path)) if document is not None else None


def location_in(document: Document, place: Range, address: str) -> lsp.Location:
    """A place in a document with an address, or in the cell of the notebook that it is."""
    cell = document.cell_at(place.line)
    return lsp.Location(cell.document.uri if cell is not None else address, _range(document, place, cell))


def _position(document: Document, place: Position, cell: Cell | None) -> lsp.Position:
    line, units = document.units(place)
    return lsp.Position(max(0, line - cell.first_line) if cell is not None else line, units)


def _range(document: Document, place: Range, cell: Cell | None) -> lsp.Range:
    return lsp.Range(_position(document, place.start, cell), _position(document, place.end, cell))
