"""What the server tells a client that it can do."""

from __future__ import annotations

from lsprotocol import types as lsp

from ts_lsp.server.client import Client
from ts_lsp.server.handlers import DOCUMENT_FEATURES, WORKSPACE_FEATURES


def server_capabilities(client: Client) -> lsp.ServerCapabilities:
    """Everything that this client can use."""
    capabilities = lsp.ServerCapabilities(
        position_encoding=lsp.PositionEncodingKind(client.encoding),
        text_document_sync=lsp.TextDocumentSyncOptions(
            open_close=True, change=lsp.TextDocumentSyncKind.Incremental, save=False
        ),
        workspace=lsp.WorkspaceOptions(
            workspace_folders=lsp.WorkspaceFoldersServerCapabilities(supported=True, change_notifications=True)
        ),
    )
    for feature in (*DOCUMENT_FEATURES, *WORKSPACE_FEATURES):
        if feature.provider:
            setattr(capabilities, feature.provider, feature.announced(client))
    return capabilities
