"""Edits of files as a client applies them.

Owns `workspace_edit`. Invariant: plain `changes`, which every client knows; edits of a file that has gone are left out.
"""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types as lsp

from ts_lsp.rules.model import Edit
from ts_lsp.server.view import View


def workspace_edit(view: View, edits: Iterable[Edit]) -> lsp.WorkspaceEdit:
    """The edits by the addresses of their files."""
    changes: dict[str, list[lsp.TextEdit]] = {}
    for each in edits:
        location = view.location(each.path, each.range)
        if location is not None:
            changes.setdefault(location.uri, []).append(lsp.TextEdit(location.range, each.text))
    return lsp.WorkspaceEdit(changes)
