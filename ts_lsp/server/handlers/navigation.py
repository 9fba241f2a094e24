"""Where things are defined and used: places that `ide` finds, as the client has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from lsprotocol import types as lsp

from ts_lsp.ide import definition as definitions
from ts_lsp.ide import references as uses
from ts_lsp.ide.python_names import python_path
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.ide.symbol_at import Spot
from ts_lsp.server.view import View
from ts_lsp.text import Position

_Locations = list[lsp.Location]
_Links = list[lsp.LocationLink]


def definition(view: View, params: lsp.DefinitionParams) -> _Locations | _Links:
    return _answer(view, params.position, partial(_defined, view), "definition")


def _defined(view: View, snapshot: Snapshot, position: Position) -> Sequence[Spot]:
    """Where the program defines it, or else the Python source of a package of the environment."""
    own = definitions.definition(snapshot, position)
    path = python_path(snapshot, position) if not own else ""
    outside = view.python.definition(path) if path else None
    return (outside,) if outside is not None else own


def type_definition(view: View, params: lsp.TypeDefinitionParams) -> _Locations | _Links:
    return _answer(view, params.position, definitions.type_definition, "type_definition")


def implementation(view: View, params: lsp.ImplementationParams) -> _Locations | _Links:
    return _answer(view, params.position, definitions.implementation, "implementation")


def references(view: View, params: lsp.ReferenceParams) -> _Locations:
    place = view.from_lsp(params.position)
    found = uses.references(view.snapshot, place, params.context.include_declaration)
    return _known(view.location(each.path, each.range) for each in found)


def highlight(view: View, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
    kinds = {True: lsp.DocumentHighlightKind.Write, False: lsp.DocumentHighlightKind.Read}
    found = uses.highlights(view.snapshot, view.from_lsp(params.position))
    return [
        lsp.DocumentHighlight(view.to_lsp(each.range), kinds[each.is_write]) for each in found if view.holds(each.range)
    ]


def _answer(
    view: View,
    position: lsp.Position,
    find: Callable[[Snapshot, Position], Sequence[Spot]],
    capability: str,
) -> _Locations | _Links:
    """Links where the client takes them: they tell the whole definition, too."""
    found = find(view.snapshot, view.from_lsp(position))
    if not view.client.takes_links(capability):
        return _known(view.location(each.path, each.range) for each in found)
    links = []
    for each in found:
        name, full = view.location(each.path, each.range), view.location(each.path, each.full)
        if name is not None and full is not None:
            holds = (full.range.start, full.range.end) if full.uri == name.uri else (name.range.start, name.range.end)
            links.append(lsp.LocationLink(name.uri, lsp.Range(*holds), name.range))
    return links


def _known(locations: Iterable[lsp.Location | None]) -> _Locations:
    return [each for each in locations if each is not None]
