"""Inlay hints of the kinds that the settings want; written down by a double click."""

from __future__ import annotations

from lsprotocol import types as lsp

from ts_lsp.ide.inlay_hints import InlayHint, inlay_hints
from ts_lsp.server.view import View


def hints(view: View, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    return [
        _hint(view, each) for each in inlay_hints(view.snapshot, view.from_lsp(params.range), view.settings.inlay_hints)
    ]


def _hint(view: View, hint: InlayHint) -> lsp.InlayHint:
    own = [each for each in hint.edits if each.path == view.snapshot.path]
    edits = [lsp.TextEdit(view.to_lsp(each.range), each.text) for each in own]
    kind = lsp.InlayHintKind.Parameter if hint.kind == "parameter-types" else lsp.InlayHintKind.Type
    return lsp.InlayHint(view.to_lsp(hint.place), hint.label, kind, edits or None, hint.tooltip or None)
