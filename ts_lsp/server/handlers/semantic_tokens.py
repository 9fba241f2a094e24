"""Semantic tokens: of a file, of a stretch of it, and what changed since they were last told."""

from __future__ import annotations

from lsprotocol import types as lsp

from ts_lsp.ide.semantic_tokens import file_tokens, semantic_tokens
from ts_lsp.server.token_data import difference, encode
from ts_lsp.server.view import View
from ts_lsp.text import Range


def whole(view: View, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    data = _data(view)
    return lsp.SemanticTokens(data, view.tokens.tell(view.uri, data))


def changes(view: View, params: lsp.SemanticTokensDeltaParams) -> lsp.SemanticTokens | lsp.SemanticTokensDelta:
    name, before = view.tokens.told.get(view.uri, ("", []))
    if name != params.previous_result_id:
        return whole(view, lsp.SemanticTokensParams(params.text_document))
    data = _data(view)
    found = difference(before, data)
    edits = [lsp.SemanticTokensEdit(*found)] if found is not None else []
    return lsp.SemanticTokensDelta(edits, view.tokens.tell(view.uri, data))


def stretch(view: View, params: lsp.SemanticTokensRangeParams) -> lsp.SemanticTokens:
    return lsp.SemanticTokens(_in_stretch(view, view.from_lsp(params.range)))


def _data(view: View) -> list[int]:
    """All tokens of what was asked about."""
    if view.cell is None:
        return view.tokens.encode(view.document, file_tokens(view.snapshot, view.tokens.tokens))
    first = view.cell.first_line
    return _in_stretch(view, Range(first, 0, first + len(view.cell.document.lines) - 1, 0))


def _in_stretch(view: View, place: Range) -> list[int]:
    found = semantic_tokens(view.snapshot, place, view.tokens.tokens)
    return encode(view.document, found, counted_from=view.cell.first_line if view.cell is not None else 0)
