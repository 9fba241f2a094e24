"""Code actions. Findings are matched by their place, as some clients send none along.

What changes a whole file is worked out when it is chosen, where the client can wait for that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from ts_lsp.ide.code_actions import Action, code_actions, edits_of
from ts_lsp.ide.whole_file import WHOLE_FILE, mended
from ts_lsp.server.commands import APPLY
from ts_lsp.server.diagnostics import SOURCE
from ts_lsp.server.edits import workspace_edit
from ts_lsp.server.session import Session
from ts_lsp.server.view import View
from ts_lsp.server.worker import CancelToken


def actions(view: View, params: lsp.CodeActionParams) -> list[lsp.CodeAction | lsp.Command]:
    if not view.is_ours:
        return []
    only = [str(each.value if isinstance(each, lsp.CodeActionKind) else each) for each in params.context.only or ()]
    stretch = view.from_lsp(params.range)
    found = code_actions(view.snapshot, stretch, only)
    if view.client.takes_actions:
        literals = (_action(view, each, params.context.diagnostics, bool(only)) for each in found)
        return [each for each in literals if each is not None]
    return [_command(view, each, params.range) for each in found] if view.client.applies_edits else []


def resolve(view: View, action: lsp.CodeAction) -> lsp.CodeAction:
    """The action with its edit, for the text as it is now."""
    if action.edit is None and action.kind in WHOLE_FILE:
        action.edit = workspace_edit(view, mended(view.snapshot, str(action.kind), view.token.check))
    return action


def edit_of_command(data: Mapping[str, Any], session: Session, token: CancelToken) -> lsp.WorkspaceEdit | None:
    """The edit of an action that was offered as a command, as long as it is still offered."""
    try:
        start, end = (lsp.Position(each["line"], each["character"]) for each in data["range"])
        uri, *wanted = str(data["uri"]), str(data["kind"]), str(data["title"])
    except (KeyError, TypeError, ValueError) as fault:
        raise JsonRpcInvalidParams(f"these are no arguments for {APPLY}") from fault
    owner = session.documents.owner(uri)
    document = session.document(owner)
    view = session.view(document, token, needs_all=True, asked=uri) if document is not None else None
    if view is None:
        return None
    stretch = view.from_lsp(lsp.Range(start, end))
    for each in code_actions(view.snapshot, stretch):
        if [each.kind, each.title] == wanted:
            return workspace_edit(view, edits_of(view.snapshot, each, view.token.check))
    return None


def _action(view: View, action: Action, given: Sequence[lsp.Diagnostic], is_asked_for: bool) -> lsp.CodeAction | None:
    """The action as a literal; None for one whose edit nobody asked for and which the client cannot resolve later."""
    mends: list[lsp.Diagnostic] = []
    if action.diagnostic is not None:
        place = view.to_lsp(action.diagnostic.range)
        code = action.diagnostic.code
        mends = [each for each in given if each.source == SOURCE and each.code == code and each.range == place]
    literal = lsp.CodeAction(
        action.title, action.kind, diagnostics=mends or None, is_preferred=action.is_preferred or None
    )
    if action.edits is None and view.client.resolves_action_edits:
        literal.data = {"uri": view.uri}
    elif action.edits is None and not is_asked_for:
        return None
    else:
        literal.edit = workspace_edit(view, edits_of(view.snapshot, action, view.token.check))
    return literal


def _command(view: View, action: Action, place: lsp.Range) -> lsp.Command:
    start, end = ({"line": each.line, "character": each.character} for each in (place.start, place.end))
    data = {"uri": view.uri, "range": [start, end], "kind": action.kind, "title": action.title}
    return lsp.Command(action.title, APPLY, arguments=[data])
