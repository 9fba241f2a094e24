"""Renaming: edits of `ide` as the client takes them, and its refusals as errors that say why."""

from __future__ import annotations

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from ts_lsp.ide import rename as renaming
from ts_lsp.server.view import View

_REQUEST_FAILED = -32803


def prepare_rename(view: View, params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
    found = renaming.prepare_rename(view.snapshot, view.from_lsp(params.position))
    if isinstance(found, renaming.Refusal):
        raise JsonRpcException(found.reason, _REQUEST_FAILED)
    return lsp.PrepareRenamePlaceholder(view.to_lsp(found.range), found.name) if found is not None else None


def rename(view: View, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    found = renaming.rename(view.snapshot, view.from_lsp(params.position), params.new_name)
    if found is None:
        return None
    if isinstance(found, renaming.Refusal):
        raise JsonRpcException(found.reason, _REQUEST_FAILED)
    changes: dict[str, list[lsp.TextEdit]] = {}
    for path, edits in found.items():
        for edit in edits:
            location = view.location(path, edit.range)
            if location is None:
                raise JsonRpcException(f"{path} is no longer there", _REQUEST_FAILED)
            changes.setdefault(location.uri, []).append(lsp.TextEdit(location.range, edit.new_text))
    if not view.client.takes_document_changes:
        return lsp.WorkspaceEdit(changes=changes)
    documents = [
        lsp.TextDocumentEdit(lsp.OptionalVersionedTextDocumentIdentifier(uri, _version(view, uri)), list(edits))
        for uri, edits in changes.items()
    ]
    return lsp.WorkspaceEdit(document_changes=list(documents))


def _version(view: View, uri: str) -> int | None:
    """The version of the document that was asked about; of others the edits do not say which they are made for."""
    return view.document.version if uri == view.document.uri else None
