"""Folding and growing selections."""

from __future__ import annotations

from lsprotocol import types as lsp

from ts_lsp.ide.structure import folding_ranges, selection_ranges
from ts_lsp.server.view import View


def folding(view: View, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    return [lsp.FoldingRange(first, last) for first, last in sorted(folding_ranges(view.snapshot))]


def selections(view: View, params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
    return [_selection(view, each) for each in params.positions]


def _selection(view: View, place: lsp.Position) -> lsp.SelectionRange:
    whole: lsp.SelectionRange | None = None
    for each in reversed(selection_ranges(view.snapshot, view.from_lsp(place))):
        whole = lsp.SelectionRange(view.to_lsp(each), whole)
    return whole or lsp.SelectionRange(lsp.Range(place, place))
