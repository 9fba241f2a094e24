"""Hover: what `ide` knows of a place, in the client's markup."""

from __future__ import annotations

from lsprotocol import types as lsp

from ts_lsp.ide.cursor import cursor_at
from ts_lsp.server.view import View
from ts_lsp.types.display import annotation_form


def hover(view: View, params: lsp.HoverParams) -> lsp.Hover | None:
    cursor = cursor_at(view.snapshot, view.from_lsp(params.position))
    types = cursor.types(cursor.node) if cursor is not None else ()
    if cursor is None or not types:
        return None
    text = " | ".join(map(annotation_form, types))
    if view.client.hover_markup == lsp.MarkupKind.Markdown:
        text = f"```python\n{text}\n```"
    place = view.to_lsp(view.snapshot.place(cursor.unit, cursor.node))
    return lsp.Hover(lsp.MarkupContent(view.client.hover_markup, text), place)
