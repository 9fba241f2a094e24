"""The server: the life of a connection, open documents, and who answers what.

Owns `Server` and the ways to start one. Invariant: this is the event loop's side; whatever needs facts is handed to the
worker, and what comes back for a text that is not the newest any more is not answered.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from ts_lsp import __version__
from ts_lsp.server import diagnostics
from ts_lsp.server.capabilities import server_capabilities
from ts_lsp.server.client import Client
from ts_lsp.server.documents import Change, Document, Documents, open_lines
from ts_lsp.server.handlers import DOCUMENT_FEATURES, WORKSPACE_FEATURES, Feature
from ts_lsp.server.protocol import Protocol, Stage
from ts_lsp.server.transport import Connection, accepted, standard_streams
from ts_lsp.server.units import joined_pairs
from ts_lsp.server.uris import path_of
from ts_lsp.server.worker import CancelToken, Worker

if TYPE_CHECKING:
    from ts_lsp.server.session import Configuration, Session
    from ts_lsp.server.view import View

log = logging.getLogger(__name__)


class Server(LanguageServer):
    """One client's server. `finished` is the exit code, once it is over."""

    protocol: Protocol

    def __init__(self, connection: Connection) -> None:
        super().__init__("ts-lsp", __version__, protocol_cls=Protocol)
        self.protocol.connection = connection
        self.client = Client(lsp.ClientCapabilities())
        self.documents = Documents()
        self.finished: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.worker = Worker(self._session, partial(log.error, "the analysis failed: %r"))
        self.folders: list[str] = []
        self.settings: dict[str, object] = {}
        self.protocol.handlers |= {
            lsp.INITIALIZE: self._initialize,
            lsp.INITIALIZED: lambda params: None,
            lsp.SHUTDOWN: self._shut_down,
            lsp.EXIT: lambda params: self.finish(),
            lsp.SET_TRACE: self._set_trace,
            lsp.TEXT_DOCUMENT_DID_OPEN: self._opened,
            lsp.TEXT_DOCUMENT_DID_CHANGE: self._changed,
            lsp.TEXT_DOCUMENT_DID_CLOSE: self._closed,
        }

    def report_server_error(self, error: Exception, source: object) -> None:
        """Faults are logged: a popup would be in the way of somebody who types."""
        log.error("%s", error)

    # The life of a connection.

    def _initialize(self, params: lsp.InitializeParams) -> lsp.InitializeResult:
        self.client = Client(params.capabilities)
        self.folders = _folders(params)
        for feature in DOCUMENT_FEATURES:
            if feature.announced(self.client) is not None:
                self.protocol.handlers[feature.method] = partial(self._ask_about_document, feature)
        for feature in WORKSPACE_FEATURES:
            if feature.announced(self.client) is not None:
                self.protocol.handlers[feature.method] = partial(self._ask_session, feature)
        self.worker.start()
        self.protocol.stage = Stage.RUNNING
        return lsp.InitializeResult(server_capabilities(self.client), lsp.ServerInfo("ts-lsp", __version__))

    def _session(self) -> Session:
        """Made in the worker's thread, where the analysis is imported while the client reads the capabilities."""
        from ts_lsp.server.session import Session

        return Session(self.client, self.documents, self._configuration(), self._publish, log.warning)

    def _configuration(self) -> Configuration:
        from ts_lsp.server.session import Configuration

        return Configuration(tuple(self.folders), self.settings)

    def _shut_down(self, params: None) -> None:
        self.protocol.stage = Stage.SHUT_DOWN
        self.worker.close()

    def finish(self) -> None:
        """The end: the client said so, or has gone."""
        if not self.finished.done():
            self.finished.set_result(0 if self.protocol.stage is Stage.SHUT_DOWN else 1)

    def _set_trace(self, params: lsp.SetTraceParams) -> None:
        self.protocol.trace = lsp.TraceValue(params.value)

    # Documents.

    def _opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        lines = open_lines(joined_pairs(item.text))
        encoding, language = self.client.encoding, str(item.language_id)
        self._put(Document(item.uri, path_of(item.uri), item.version, lines, encoding, language))

    def _changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        uri, version = params.text_document.uri, params.text_document.version
        document = self.documents.get(uri)
        if document is None:
            log.error("a change of %s, which is not open", uri)
            return
        if document.version is not None and version <= document.version:
            log.warning("version %d of %s after version %d", version, uri, document.version)
        self._put(document.changed([_change(each) for each in params.content_changes], version))

    def _put(self, document: Document) -> None:
        self.documents.put(document)
        self.worker.changed(document.path)

    def _closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        document = self.documents.remove(params.text_document.uri)
        if document is not None:
            self.worker.changed(document.path)
            self.protocol._send_data(_published(document.uri, None, []))

    def _publish(self, document: Document, view: View) -> None:
        """Tells a client that does not ask for them the diagnostics of a document. Called by the worker."""
        if not self.client.pulls_diagnostics and self.documents.get(document.uri) is document:
            items = diagnostics.diagnostic_items(view)
            self.protocol._send_data(_published(document.uri, document.version, items))

    # Requests.

    async def _ask_about_document(self, feature: Feature, params: object) -> object:
        uri = _address_in(params)
        opened = self.documents.get(uri)

        def answer(session: Session, token: CancelToken) -> object:
            document = session.document(uri)
            if document is None:
                raise JsonRpcInvalidParams(f"there is no document {uri}")
            if opened is not None and document is not opened:
                raise JsonRpcContentModified
            view = session.view(document, token)
            return feature.answer()(view, params) if view is not None else None

        found = await self._ask(answer)
        if opened is not None and self.documents.get(uri) is not opened:
            raise JsonRpcContentModified
        return found

    async def _ask_session(self, feature: Feature, params: object) -> object:
        return await self._ask(lambda session, token: feature.answer()(session, params, token))

    async def _ask(self, run: Any) -> object:
        job = self.worker.ask(run)
        try:
            return await asyncio.wrap_future(job.future)
        except asyncio.CancelledError:
            job.cancel()
            raise


def _folders(params: lsp.InitializeParams) -> list[str]:
    """The paths of the client's folders."""
    if params.workspace_folders is not None:
        return [path_of(each.uri) for each in params.workspace_folders]
    if params.root_uri:
        return [path_of(params.root_uri)]
    return [params.root_path] if params.root_path else []


def _change(change: lsp.TextDocumentContentChangeEvent) -> Change:
    if isinstance(change, lsp.TextDocumentContentChangeWholeDocument):
        return Change(None, (0, 0), change.text)
    start, end = change.range.start, change.range.end
    return Change((start.line, start.character), (end.line, end.character), change.text)


def _published(uri: str, version: int | None, items: Sequence[diagnostics.Json]) -> diagnostics.Json:
    params: diagnostics.Json = {"uri": uri, "diagnostics": items}
    if version is not None:
        params["version"] = version
    return {"jsonrpc": "2.0", "method": lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, "params": params}


def _address_in(params: Any) -> str:
    """The document that a request is about."""
    for holder in (getattr(params, "text_document", None), getattr(params, "item", None)):
        if holder is not None:
            return str(holder.uri)
    data = getattr(params, "data", None)
    uri = data.get("uri") if isinstance(data, dict) else None
    if not isinstance(uri, str):
        raise JsonRpcInvalidParams("the request names no document")
    return uri


async def serve(connection: Connection) -> int:
    """Serves one client; gives the exit code."""
    loop = asyncio.get_running_loop()
    server = Server(connection)

    def read() -> None:
        try:
            for body in connection.bodies():
                loop.call_soon_threadsafe(server.protocol.receive, body)
            loop.call_soon_threadsafe(server.finish)
        except RuntimeError:
            return  # the loop has ended

    threading.Thread(target=read, name="reader", daemon=True).start()
    return await server.finished


def serve_standard_streams() -> int:
    return asyncio.run(serve(standard_streams()))


def serve_socket(host: str, port: int) -> int:
    """Waits for one client on a port, and serves it."""
    return asyncio.run(serve(accepted(host, port)))
