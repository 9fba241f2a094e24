"""Hover: what `ide` knows of a place, in the client's markup."""

from __future__ import annotations

from lsprotocol import types as lsp

from ts_lsp.ide import hover as ide
from ts_lsp.server.view import View


def hover(view: View, params: lsp.HoverParams) -> lsp.Hover | None:
    found = ide.hover(view.snapshot, view.from_lsp(params.position))
    if found is None:
        return None
    is_markdown = view.client.hover_markup == lsp.MarkupKind.Markdown
    code = "\n".join(found.code)
    parts = [f"```python\n{code}\n```" if is_markdown else code] if code else []
    documentation = view.python.documentation(found.denotes) if found.denotes else ""
    deprecated = view.python.deprecated_note(found.denotes) if found.denotes else ""
    notes = found.notes if is_markdown else (each.replace("`", "") for each in found.notes)
    text = "\n\n".join(each for each in (*parts, *notes, deprecated, documentation) if each)
    return lsp.Hover(lsp.MarkupContent(view.client.hover_markup, text), view.to_lsp(found.range))
