"""Diagnostics for clients that ask for them.

The id of a result is a digest of what it says: where it is the one that the client has, nothing is said again. So an
edit elsewhere, other settings and files that come or go count exactly where they make a difference.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence

from lsprotocol import types as lsp

from ts_lsp.server.diagnostics import Json, diagnostic_items
from ts_lsp.server.session import Session
from ts_lsp.server.view import View
from ts_lsp.server.worker import CancelToken


def document_diagnostic(view: View, params: lsp.DocumentDiagnosticParams) -> Json:
    return _report(view, params.previous_result_id)


def workspace_diagnostics(
    paths: Sequence[str],
    params: lsp.WorkspaceDiagnosticParams,
    step: Callable[[int, int], object],
    session: Session,
    token: CancelToken,
) -> list[Json]:
    """What is new to say of files and of all open documents. A file that has gone has nothing to say.

    `step` is told how much is done: taking a file over is half of the work for it.
    """
    known = {each.uri: each.value for each in params.previous_result_ids}
    nothing = _full([])
    found: list[Json] = []
    work = 2 * len(paths)
    documents = session.every_document(paths, lambda done: step(done, work), token)
    for number, document in enumerate(documents):
        token.check()
        step(len(paths) + number, work)
        if document.cells:
            continue  # a client asks for the diagnostics of single cells
        view = session.view(document, token, needs_all=True)
        told = _kept(session, view) if view is not None else nothing
        if told["resultId"] != known.pop(document.uri, nothing["resultId"]):
            found.append({**told, "uri": document.uri, "version": document.version})
    gone = [uri for uri, identity in known.items() if identity != nothing["resultId"]]
    return found + [{**nothing, "uri": uri, "version": None} for uri in gone]


def _kept(session: Session, view: View) -> Json:
    """A full report, made again only if the text or the facts are others than before."""
    source, facts = view.snapshot.source, view.snapshot.facts
    kept_source, kept_facts, report = session.reports.get(view.document.path, (None, None, None))
    if kept_source is not source or kept_facts is not facts or report is None:
        report = _full(diagnostic_items(view))
        if all(related.path == view.document.path for each in view.diagnostics for related in each.related):
            session.reports[view.document.path] = source, facts, report
    return report


def _full(items: list[Json]) -> Json:
    return {"kind": "full", "resultId": _digest(items), "items": items}


def _report(view: View, previous: str | None) -> Json:
    """What is to be said of a document, or that it is what the client has already."""
    report = _full(diagnostic_items(view))
    if report["resultId"] == previous:
        return {"kind": "unchanged", "resultId": previous}
    return report


def _digest(items: list[Json]) -> str:
    return hashlib.sha1(json.dumps(items).encode(), usedforsecurity=False).hexdigest()
