"""Code lenses of the kinds that the settings want: those about an entry point lead there."""

from __future__ import annotations

import os

from lsprotocol import types as lsp

from ts_lsp.ide.code_lens import CodeLens, code_lenses
from ts_lsp.server.commands import SHOW_ENTRY_POINT, VERIFY
from ts_lsp.server.view import View
from ts_lsp.text import Range


def lenses(view: View, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    wanted = set(view.settings.code_lens)
    if not (view.torch_is_installed and os.path.isfile(view.document.path)):
        wanted.discard("verify")
    shown = (each for each in code_lenses(view.snapshot) if each.kind in wanted and view.holds(each.range))
    return [lsp.CodeLens(view.to_lsp(each.range), _command(view, each)) for each in shown]


def _command(view: View, lens: CodeLens) -> lsp.Command:
    """What a lens does; nothing where the client could not show it."""
    if lens.kind == "verify":
        return lsp.Command(lens.title, VERIFY, arguments=[view.uri])
    location = None
    if lens.entry is not None and view.client.shows_documents:
        line, column = lens.entry.line, lens.entry.column
        location = view.location(lens.entry.unit.path, Range(line, column, line, column))
    if location is None:
        return lsp.Command(lens.title, "")
    place = {"line": location.range.start.line, "character": location.range.start.character}
    return lsp.Command(lens.title, SHOW_ENTRY_POINT, arguments=[location.uri, place])
