"""The other places in a file that mean what the name at a place means, each a reading or a writing."""

from __future__ import annotations

import ast

from ts_lsp.ide.cursor import Cursor
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.ide.symbol_at import FunctionDefinition, Symbol, bindings_in, symbol_at, uses_in
from ts_lsp.records import dataclass
from ts_lsp.syntax.names import name_range
from ts_lsp.text import Position, Range


@dataclass(frozen=True, slots=True)
class Highlight:
    place: Range
    writes: bool


def highlights_at(snapshot: Snapshot, position: Position) -> tuple[Highlight, ...]:
    """Every use of the local or parameter at a place, in the order of the text."""
    found = symbol_at(snapshot, position)
    return local_uses(*found) if found is not None else ()


def local_uses(cursor: Cursor, symbol: Symbol) -> tuple[Highlight, ...]:
    """The uses of a name of the function or comprehension around a cursor; none for other symbols."""
    around = symbol.around
    if around is None or around not in cursor.nodes:
        return ()
    bound = bindings_in(around, symbol.name) if isinstance(around, FunctionDefinition) else []
    nodes = dict.fromkeys([*bound, *uses_in(around, symbol.name)])
    lines = cursor.unit.chunk.lines
    placed = [(name_range(node, lines), not isinstance(getattr(node, "ctx", None), ast.Load)) for node in nodes]
    moved = [Highlight(place.moved(cursor.unit.first_line), writes) for place, writes in placed if place is not None]
    return tuple(sorted(moved, key=lambda each: each.place))
