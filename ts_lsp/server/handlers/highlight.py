"""Highlights: readings and writings of a name."""

from __future__ import annotations

from lsprotocol import types as lsp

from ts_lsp.ide.highlight import highlights_at
from ts_lsp.server.view import View


def highlight(view: View, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
    kinds = {True: lsp.DocumentHighlightKind.Write, False: lsp.DocumentHighlightKind.Read}
    found = highlights_at(view.snapshot, view.from_lsp(params.position))
    return [
        lsp.DocumentHighlight(view.to_lsp(each.place), kinds[each.writes]) for each in found if view.holds(each.place)
    ]
