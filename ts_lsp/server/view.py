"""What a handler is given: a document at one moment, and the way between its places and the client's.

Owns `View`. Invariant: `to_lsp` and `from_lsp` are the only places where positions of the protocol come and go.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, overload

from lsprotocol import types as lsp

from ts_lsp.records import dataclass
from ts_lsp.server.client import Client
from ts_lsp.server.documents import Document
from ts_lsp.text import Position, Range

if TYPE_CHECKING:
    from ts_lsp.ide.snapshot import Snapshot
    from ts_lsp.project.settings import Settings
    from ts_lsp.rules.diagnostics import Diagnostic
    from ts_lsp.server.worker import CancelToken


@dataclass(frozen=True, eq=False)
class View:
    """One document with its facts. `token` is asked between the steps of long work."""

    document: Document
    snapshot: Snapshot
    settings: Settings
    client: Client
    token: CancelToken
    text_of: Callable[[str], Document | None]
    """The text at a path, for places in other files."""
    address: Callable[[str], str]
    """The address of a path."""
    is_ours: bool = True
    """Whether the file belongs to the program, and not to a library."""

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is to be said of the document: of a library's file nothing."""
        return self.snapshot.diagnostics if self.is_ours else ()

    @overload
    def from_lsp(self, place: lsp.Position) -> Position: ...
    @overload
    def from_lsp(self, place: lsp.Range) -> Range: ...
    def from_lsp(self, place: lsp.Position | lsp.Range) -> Position | Range:
        """A place of the client's in the view's document."""
        if isinstance(place, lsp.Position):
            return self.document.position(place.line, place.character)
        start, end = self.from_lsp(place.start), self.from_lsp(place.end)
        return Range(start.line, start.column, end.line, end.column)

    @overload
    def to_lsp(self, place: Position) -> lsp.Position: ...
    @overload
    def to_lsp(self, place: Range) -> lsp.Range: ...
    def to_lsp(self, place: Position | Range) -> lsp.Position | lsp.Range:
        """A place in the view's document, for the client."""
        return _position(self.document, place) if isinstance(place, Position) else _range(self.document, place)

    def location(self, path: str, place: Range) -> lsp.Location | None:
        """A place in any file; None where the file has gone."""
        document = self.document if path == self.document.path else self.text_of(path)
        if document is None:
            return None
        return lsp.Location(self.address(path), _range(document, place))


def _position(document: Document, place: Position) -> lsp.Position:
    return lsp.Position(*document.units(place))


def _range(document: Document, place: Range) -> lsp.Range:
    return lsp.Range(_position(document, place.start), _position(document, place.end))
