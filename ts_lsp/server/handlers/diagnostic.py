"""Diagnostics for clients that ask for them.

The id of a result is a digest of what it says: where it is the one that the client has, nothing is said again. So an
edit elsewhere, other settings and files that come or go count exactly where they make a difference.
"""

from __future__ import annotations

import hashlib
import json

from lsprotocol import types as lsp

from ts_lsp.server.diagnostics import Json, diagnostic_items
from ts_lsp.server.view import View


def document_diagnostic(view: View, params: lsp.DocumentDiagnosticParams) -> Json:
    return report(view, params.previous_result_id)


def report(view: View, previous: str | None) -> Json:
    """What is to be said of a document, or that it is what the client has already."""
    items = diagnostic_items(view)
    identity = hashlib.sha1(json.dumps(items).encode(), usedforsecurity=False).hexdigest()
    if identity == previous:
        return {"kind": "unchanged", "resultId": identity}
    return {"kind": "full", "resultId": identity, "items": items}
