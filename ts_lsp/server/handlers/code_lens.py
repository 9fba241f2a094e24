"""Code lenses: those about an entry point lead there where the client can."""

from __future__ import annotations

from lsprotocol import types as lsp

from ts_lsp.ide.code_lens import CodeLens, code_lenses
from ts_lsp.server.view import View
from ts_lsp.text import Range


def lenses(view: View, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    return [_lens(view, each) for each in code_lenses(view.snapshot)]


def _lens(view: View, lens: CodeLens) -> lsp.CodeLens:
    command = lsp.Command(lens.title, "")
    if lens.entry is not None:
        line = lens.entry.line
        location = view.location(lens.entry.unit.path, Range(line, lens.entry.column, line, lens.entry.column))
        if location is not None:
            arguments = [location.uri, location.range.start]
            command = lsp.Command(lens.title, "ts-lsp.showEntryPoint", arguments=arguments)
    return lsp.CodeLens(view.to_lsp(lens.range), command)
