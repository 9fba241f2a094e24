"""Code actions. Findings are matched by their place, as some clients send none along."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp

from ts_lsp.ide.code_actions import Action, code_actions
from ts_lsp.server.diagnostics import SOURCE
from ts_lsp.server.edits import workspace_edit
from ts_lsp.server.view import View


def actions(view: View, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    only = [str(each.value if isinstance(each, lsp.CodeActionKind) else each) for each in params.context.only or ()]
    found = code_actions(view.snapshot, view.from_lsp(params.range), only)
    return [_action(view, each, params.context.diagnostics) for each in found]


def _action(view: View, action: Action, given: Sequence[lsp.Diagnostic]) -> lsp.CodeAction:
    mended = None
    if action.diagnostic is not None:
        place = view.to_lsp(action.diagnostic.range)
        code = action.diagnostic.code
        mended = [each for each in given if each.source == SOURCE and each.code == code and each.range == place] or None
    return lsp.CodeAction(
        action.title,
        action.kind,
        diagnostics=mended,
        is_preferred=action.is_preferred or None,
        edit=workspace_edit(view, action.edits),
    )
