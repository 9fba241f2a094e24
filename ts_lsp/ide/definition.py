"""Where what a name denotes is defined, and where its type is."""

from __future__ import annotations

from ts_lsp.ide.cursor import cursor_at
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.ide.symbol_at import Site, class_behind, symbol_at
from ts_lsp.records import dataclass
from ts_lsp.text import Position, Range
from ts_lsp.types.model import ClassType


@dataclass(frozen=True, slots=True)
class Target:
    """A name in a file."""

    path: str
    place: Range


def definitions_at(snapshot: Snapshot, position: Position) -> tuple[Target, ...]:
    """Where the name at a place is bound: a definition or a parameter alone, else each assignment of it."""
    found = symbol_at(snapshot, position)
    if found is None:
        return ()
    sites = found[1].sites
    return _targets(sites[:1] if found[1].kind in ("parameter", "function", "class") else sites)


def type_definitions_at(snapshot: Snapshot, position: Position) -> tuple[Target, ...]:
    """The classes of the workspace that the expression at a place gives objects of."""
    cursor = cursor_at(snapshot, position)
    types = cursor.types(cursor.node) if cursor is not None else ()
    classes = [class_behind(each) for each in types if isinstance(each, ClassType)]
    return _targets([Site(each.unit, each.node) for each in classes if each is not None and each.node is not None])


def _targets(sites: tuple[Site, ...] | list[Site]) -> tuple[Target, ...]:
    placed = ((each.unit.path, each.place) for each in sites)
    return tuple(Target(path, place) for path, place in placed if place is not None)
