"""Call hierarchy along compilation: what `ide` finds, as items of the client."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from ts_lsp.ide import call_hierarchy as hierarchy
from ts_lsp.server.view import View

_KINDS = {
    "function": lsp.SymbolKind.Function,
    "method": lsp.SymbolKind.Method,
    "class": lsp.SymbolKind.Class,
    "entry": lsp.SymbolKind.Event,
}


def prepare(view: View, params: lsp.CallHierarchyPrepareParams) -> list[lsp.CallHierarchyItem]:
    found = hierarchy.hierarchy_at(view.snapshot, view.from_lsp(params.position))
    return [item for each in found if (item := _item(view, each)) is not None]


def incoming(view: View, params: lsp.CallHierarchyIncomingCallsParams) -> list[lsp.CallHierarchyIncomingCall]:
    place = view.from_lsp(params.item.selection_range.start)
    return [
        lsp.CallHierarchyIncomingCall(item, list(_ranges(view, step.station.spot.path, step)))
        for step in hierarchy.compiled_because_of(view.snapshot, place)
        if (item := _item(view, step.station)) is not None
    ]


def outgoing(view: View, params: lsp.CallHierarchyOutgoingCallsParams) -> list[lsp.CallHierarchyOutgoingCall]:
    place = view.from_lsp(params.item.selection_range.start)
    return [
        lsp.CallHierarchyOutgoingCall(item, list(_ranges(view, view.document.path, step)))
        for step in hierarchy.compiles(view.snapshot, place)
        if (item := _item(view, step.station)) is not None
    ]


def _item(view: View, station: hierarchy.Station) -> lsp.CallHierarchyItem | None:
    spot = station.spot
    full, name = view.location(spot.path, spot.full), view.location(spot.path, spot.range)
    if full is None or name is None:
        return None
    return lsp.CallHierarchyItem(station.name, _KINDS[station.kind], name.uri, full.range, name.range)


def _ranges(view: View, path: str, step: hierarchy.Step) -> Iterator[lsp.Range]:
    found = (view.location(path, each) for each in step.places)
    return (each.range for each in found if each is not None)
