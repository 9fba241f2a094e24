"""Folding and growing selections."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp

from ts_lsp.ide.structure import folding_ranges, selection_ranges
from ts_lsp.server.view import View
from ts_lsp.text import Range


def folding(view: View, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    return [lsp.FoldingRange(first, last) for first, last in sorted(folding_ranges(view.snapshot))]


def selections(view: View, params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange] | None:
    """One answer for each place, or none at all: plain code is selected by other servers."""
    grown = [selection_ranges(view.snapshot, view.from_lsp(each)) for each in params.positions]
    if not any(grown):
        return None
    return [_selection(view, place, each) for place, each in zip(params.positions, grown, strict=True)]


def _selection(view: View, place: lsp.Position, grown: Sequence[Range]) -> lsp.SelectionRange:
    whole: lsp.SelectionRange | None = None
    for each in reversed(grown):
        whole = lsp.SelectionRange(view.to_lsp(each), whole)
    return whole or lsp.SelectionRange(lsp.Range(place, place))
