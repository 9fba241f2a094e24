"""Diagnostics for clients that ask for them.

The id of a result is a digest of what it says: where it is the one that the client has, nothing is said again. So an
edit elsewhere, other settings and files that come or go count exactly where they make a difference.
"""

from __future__ import annotations

import hashlib
import json

from lsprotocol import types as lsp

from ts_lsp.server.diagnostics import Json, diagnostic_items
from ts_lsp.server.session import Session
from ts_lsp.server.view import View
from ts_lsp.server.worker import CancelToken


def document_diagnostic(view: View, params: lsp.DocumentDiagnosticParams) -> Json:
    return report(view, params.previous_result_id)


def workspace_diagnostics(session: Session, params: lsp.WorkspaceDiagnosticParams, token: CancelToken) -> list[Json]:
    """What is new to say of the files of all folders. A file that has gone has nothing to say."""
    known = {each.uri: each.value for each in params.previous_result_ids}
    found: list[Json] = []
    for document in session.every_document(token):
        token.check()
        view = session.view(document, token, needs_all=True)
        previous = known.pop(document.uri, None)
        told = report(view, previous) if view is not None else None
        if told is not None and (told["kind"] == "full") and (told["items"] or previous is not None):
            found.append({**told, "uri": document.uri, "version": document.version})
    gone = [uri for uri, identity in known.items() if identity != _digest([])]
    return found + [{"kind": "full", "resultId": _digest([]), "items": [], "uri": uri, "version": None} for uri in gone]


def report(view: View, previous: str | None) -> Json:
    """What is to be said of a document, or that it is what the client has already."""
    items = diagnostic_items(view)
    identity = _digest(items)
    if identity == previous:
        return {"kind": "unchanged", "resultId": identity}
    return {"kind": "full", "resultId": identity, "items": items}


def _digest(items: list[Json]) -> str:
    return hashlib.sha1(json.dumps(items).encode(), usedforsecurity=False).hexdigest()
