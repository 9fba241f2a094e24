"""Semantic tokens, as differences from one to the next."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types as lsp

from ts_lsp.ide.semantic_tokens import Token, semantic_tokens
from ts_lsp.server.handlers import TOKEN_MODIFIERS, TOKEN_TYPES
from ts_lsp.server.view import View
from ts_lsp.text import Position, Range


def whole(view: View, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    last = len(view.document.lines)
    return lsp.SemanticTokens(_encoded(view, semantic_tokens(view.snapshot, Range(0, 0, last, 0))))


def stretch(view: View, params: lsp.SemanticTokensRangeParams) -> lsp.SemanticTokens:
    return lsp.SemanticTokens(_encoded(view, semantic_tokens(view.snapshot, view.from_lsp(params.range))))


def _encoded(view: View, tokens: Iterable[Token]) -> list[int]:
    data: list[int] = []
    line = start = 0
    for each in tokens:
        _, column = view.document.units(Position(each.line, each.column))
        _, end = view.document.units(Position(each.line, each.end_column))
        modifiers = sum(1 << TOKEN_MODIFIERS.index(name) for name in each.modifiers)
        moved = column - start if each.line == line else column
        data += (each.line - line, moved, end - column, TOKEN_TYPES.index(each.type), modifiers)
        line, start = each.line, column
    return data
