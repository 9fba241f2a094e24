"""The server: the life of a connection, and who answers what.

Owns `Server` and the ways to start one. Invariant: this is the event loop's side; whatever needs facts is handed to the
worker, and what comes back for a text that is not the newest any more is not answered.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from ts_lsp import __version__
from ts_lsp.records import replace
from ts_lsp.server.capabilities import server_capabilities
from ts_lsp.server.client import Client, client_of
from ts_lsp.server.commands import Commands
from ts_lsp.server.configuration import Configuring
from ts_lsp.server.diagnostics import Json, diagnostic_items, published
from ts_lsp.server.documents import Document, Documents
from ts_lsp.server.handlers import DOCUMENT_FEATURES, WORKSPACE_FEATURES, Feature
from ts_lsp.server.logs import ClientLog
from ts_lsp.server.notebooks import Notebooks
from ts_lsp.server.parent import is_running
from ts_lsp.server.progress import Progress
from ts_lsp.server.protocol import Protocol, Stage
from ts_lsp.server.syncing import Syncing
from ts_lsp.server.transport import Connection, accepted, standard_streams
from ts_lsp.server.uris import uri_of
from ts_lsp.server.worker import Cancelled, CancelToken, Job, Worker

if TYPE_CHECKING:
    from ts_lsp.server.session import Project, Session
    from ts_lsp.server.view import View

_LOOKS_AFTER_PARENT = 2.0
"""Seconds between two looks whether the client's process still runs."""
_PATIENCE_OF_THREADS = 0.001
"""Seconds that a thread may compute while another one waits: a message should not wait long for an analysis."""
_BETWEEN_LOOKS = 1.0
"""Seconds between two looks at what the client does not watch on disk."""
_BETWEEN_SCANS = 5.0
"""Seconds between two scans for such a client, at least: `_SHARE_OF_SCANS` of the time at most is spent on them."""
_SHARE_OF_SCANS = 0.02
_SERVER_CANCELLED = -32802
PROJECTS = "ts-lsp/projects"
"""Tells an own extension which projects there are."""
log = logging.getLogger(__name__)


class Server(LanguageServer):
    """One client's server. `finished` is the exit code, once it is over."""

    protocol: Protocol

    def __init__(self, connection: Connection, worker: type[Worker] = Worker) -> None:
        super().__init__("ts-lsp", __version__, protocol_cls=Protocol)
        self.protocol.connection = connection
        self.client = Client()
        self.documents = Documents()
        loop = asyncio.get_running_loop()
        self.finished: asyncio.Future[int] = loop.create_future()
        self.worker = worker(self._make_session, self._tell_fault, partial(loop.call_soon_threadsafe, self.finish))
        self._news = asyncio.Event()
        self._disk_state = 0
        self._scanning: tuple[int, asyncio.Task[Sequence[str]]] | None = None
        self._next_look = 0.0
        self._next_scan = 0.0
        self.configuring = Configuring(self)
        self.commands = Commands(self)
        self.log = ClientLog(connection.send)
        self.log.attach()
        self.protocol.on(lsp.INITIALIZE, self._initialize, raw=True)
        self.protocol.on(lsp.SHUTDOWN, self._shut_down, raw=True)
        self.protocol.on(lsp.EXIT, lambda params: self.finish(), raw=True)

    def report_server_error(self, error: Exception, source: object) -> None:
        """Faults are logged: a popup would be in the way of somebody who types."""
        log.error("%s", error)

    def _tell_fault(self, fault: BaseException) -> None:
        log.error("the analysis failed: %r", fault, exc_info=fault)

    # The life of a connection.

    def _initialize(self, params: Mapping[str, Any]) -> dict[str, object]:
        self.client = client_of(params)
        self._serve(self.client)
        self.worker.start()
        if self.client.process is not None and is_running(self.client.process):  # else it runs on another machine
            self._look_after(self.client.process)
        self.protocol.stage = Stage.RUNNING
        info = {"name": "ts-lsp", "version": __version__}
        return {"capabilities": server_capabilities(self.client), "serverInfo": info}

    def _serve(self, client: Client) -> None:
        """Says who handles what this client may send."""
        on = self.protocol.on
        self.log.trace(client.trace)
        on(lsp.SET_TRACE, lambda params: self.log.trace(str(params["value"])), raw=True)
        syncing = Syncing(self.documents, client.encoding, self._changed, self._closed)
        on(lsp.TEXT_DOCUMENT_DID_OPEN, syncing.opened, raw=True)
        on(lsp.TEXT_DOCUMENT_DID_CHANGE, syncing.changed, raw=True)
        on(lsp.TEXT_DOCUMENT_DID_CLOSE, syncing.closed, raw=True)
        notebooks = Notebooks(self.documents, client.encoding, self._changed, self._closed, self._clear)
        on(lsp.NOTEBOOK_DOCUMENT_DID_OPEN, notebooks.opened, raw=True)
        on(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE, notebooks.changed, raw=True)
        on(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE, notebooks.closed, raw=True)
        self.configuring.serve(client)
        on(lsp.WORKSPACE_EXECUTE_COMMAND, self.commands.execute)
        if client.pulls_diagnostics:
            on(lsp.WORKSPACE_DIAGNOSTIC, self._diagnose_workspace)
        for features, ask in ((DOCUMENT_FEATURES, self._ask_about_document), (WORKSPACE_FEATURES, self._ask_session)):
            for feature in features:
                if feature.announced_to(client) is not None:
                    on(feature.method, partial(ask, feature))

    def _make_session(self) -> Session:
        """Made in the worker's thread, where the analysis is imported while the client reads the capabilities."""
        from ts_lsp.server.session import Session

        return Session(self.client, self.documents, self.configuring.current, self._publish, self._tell_projects)

    def _look_after(self, process: int) -> None:
        """Ends the server when the client's process has gone without a word."""
        if not is_running(process):
            log.info("the client's process %d has gone", process)
            self.finish()
        elif not self.finished.done():
            self.finished.get_loop().call_later(_LOOKS_AFTER_PARENT, self._look_after, process)

    def _shut_down(self, params: object) -> None:
        self.protocol.stage = Stage.SHUT_DOWN
        self.worker.close()
        self.protocol.cancel_all()

    def finish(self) -> None:
        """The end: the client said so, or has gone."""
        if not self.finished.done():
            self.finished.set_result(0 if self.protocol.stage is Stage.SHUT_DOWN else 1)

    # Documents.

    def _changed(self, document: Document) -> None:
        self.worker.changed(document.path)
        self._news.set()

    def _closed(self, document: Document) -> None:
        self._changed(document)
        for each in [cell.document for cell in document.cells] or [document]:
            self._clear(each)

    def _clear(self, document: Document) -> None:
        """Takes back the diagnostics that a client was told without asking."""
        if not self.client.pulls_diagnostics or self.commands.verified(document):
            self.protocol.send(published(document.uri, None, []))

    def _publish(self, document: Document, view: View) -> None:
        """Tells a document's diagnostics to a client that does not ask for them. Called by the worker."""
        for cell in document.cells:
            items = diagnostic_items(replace(view, cell=cell))
            if self.documents.get(document.uri) is document:
                self.tell(cell.document, items)
        items = diagnostic_items(view) if not document.cells else []
        if self.documents.get(document.uri) is document and not document.cells:
            self.tell(document, [*items, *self.commands.verified(document)])

    def _tell_projects(self, projects: Sequence[Project]) -> None:
        """Tells a client that wants to know which projects there are now. Called by the worker."""
        if self.client.wants_projects:
            params = {"projects": [_project_item(each) for each in projects]}
            self.protocol.send({"jsonrpc": "2.0", "method": PROJECTS, "params": params})

    def tell_all_again(self) -> None:
        """What was said of documents may be otherwise now, and other files may have entry points."""
        self._disk_state += 1
        self.protocol.begin(self.count_unopened())
        self._news.set()
        if self.client.refreshes_diagnostics:
            self.protocol.ask_client(lsp.WORKSPACE_DIAGNOSTIC_REFRESH, None)
        for method in self.client.refreshed:
            self.protocol.ask_client(method, None)
        self.worker.concern_all()

    def tell(self, document: Document, items: Sequence[Json]) -> None:
        """Sends diagnostics of a document."""
        self.protocol.send(published(document.uri, document.version, items))

    # Requests.

    def _ask_about_document(self, feature: Feature, params: object) -> Coroutine[Any, Any, object]:
        self._look_at_disk()
        asked = _address_in(params)
        uri = self.documents.owner(asked)
        opened = self.documents.get(uri)

        def answer(session: Session, token: CancelToken) -> object:
            document = session.document(uri)
            if document is None:
                raise JsonRpcInvalidParams(f"there is no document {uri}")
            if opened is not None and document is not opened:
                raise _outdated(feature)
            view = session.view(document, token, feature.needs_all, asked)
            return feature.answer()(view, params) if view is not None else None

        async def unless_changed(found: Awaitable[object]) -> object:
            while True:
                try:
                    result = await found
                except Cancelled:
                    if self.worker.is_closing or is_outdated():
                        raise _outdated(feature) from None
                    found = self.ask(answer)  # an edit of another document came between: the question stands
                    continue
                if is_outdated():
                    raise _outdated(feature)
                return result

        def is_outdated() -> bool:
            return opened is not None and self.documents.get(uri) is not opened

        return unless_changed(self.ask(answer))

    async def _diagnose_workspace(self, params: lsp.WorkspaceDiagnosticParams) -> Json:
        """Tells what is new of all files, as soon as there is something: a client asks again at once."""
        while True:
            self._news.clear()
            reports = await self._workspace_reports(params)
            if reports:
                return {"items": reports}
            await self._news.wait()

    async def _workspace_reports(self, params: lsp.WorkspaceDiagnosticParams) -> list[Json]:
        from ts_lsp.server.handlers.diagnostic import workspace_diagnostics

        paths = await self._files()
        progress = Progress(self.protocol, self.client, "Checking the workspace")
        found = self.ask_later(partial(workspace_diagnostics, paths, params, progress.step))
        progress.stop = found.cancel
        try:
            reports: list[Json] = await found
        except asyncio.CancelledError:
            if progress.is_stopped:
                raise JsonRpcException("stopped", _SERVER_CANCELLED, {"retriggerRequest": False}) from None
            raise
        finally:
            progress.end()
        return reports

    async def _files(self) -> Sequence[str]:
        """The files of all folders that may script something."""
        while True:
            if self._scanning is None or self._scanning[0] != self._disk_state:
                before = self._scanning[1] if self._scanning is not None else None
                self._scanning = self._disk_state, asyncio.ensure_future(self._scan(before))
            state, scan = self._scanning
            paths = await asyncio.shield(scan)
            if state == self._disk_state:
                return paths

    async def _scan(self, before: asyncio.Task[Sequence[str]] | None) -> Sequence[str]:
        """Looks for files whose entry points count, when nothing else is to be done. A person may stop that."""
        if before is not None:
            await asyncio.wait([before])
        start = time.monotonic()
        progress = Progress(self.protocol, self.client, "Looking for scripted code")
        found = self.ask_later(lambda session, token: session.scan(progress.step, token))
        progress.stop = found.cancel
        try:
            paths: Sequence[str] = await found
        except asyncio.CancelledError:
            if not progress.is_stopped:
                raise
            paths = ()
        finally:
            progress.end()
            now = time.monotonic()
            self._next_scan = now + max(_BETWEEN_SCANS, (now - start) / _SHARE_OF_SCANS)
        return paths

    async def count_unopened(self) -> None:
        """The entry points of files that nobody has open count, too, as soon as they are found."""
        if self.configuring.current.folders and self.protocol.stage is Stage.RUNNING:
            await self._files()
            self.worker.concern_all()

    async def _scan_again(self, before: asyncio.Task[Sequence[str]]) -> None:
        """Looks for files that have entry points since the last scan, or have none any more."""
        self._disk_state += 1
        if await self._files() != await before:
            self._news.set()
            self.worker.concern_all()

    def _look_at_disk(self) -> None:
        """What is asked next is answered for what stands on disk, also where the client does not tell of changes."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _BETWEEN_LOOKS
        scan = self._scanning[1] if self._scanning is not None else None
        if scan is not None and scan.done() and now >= self._next_scan and not self.client.watches_files:
            self.protocol.begin(self._scan_again(scan))
        loop = self.finished.get_loop()

        def look(session: Session, token: CancelToken) -> None:
            if session.look_at_disk():
                loop.call_soon_threadsafe(self.tell_all_again)

        self.worker.ask(look)

    async def _ask_session(self, feature: Feature, params: object) -> object:
        self._look_at_disk()
        return await self.ask(lambda session, token: feature.answer()(session, params, token))

    def ask(self, run: Callable[[Session, CancelToken], Any]) -> asyncio.Future[Any]:
        """What a function finds in the worker's thread, which is told of it at once."""
        return _answer(self.worker.ask(run))

    def ask_later(self, run: Callable[[Session, CancelToken], Any]) -> asyncio.Future[Any]:
        """What a function finds in the worker's thread, when nothing else is to be done there."""
        return _answer(self.worker.ask_later(run))


def _project_item(project: Project) -> Json:
    return {
        "root": uri_of(str(project.root)),
        "torchVersion": project.analysis.torch.version,
        "torchIsInstalled": project.environment.torch_version is not None,
        "environment": project.environment.origin,
    }


def _answer(job: Job) -> asyncio.Future[Any]:
    found = asyncio.wrap_future(job.future)
    found.add_done_callback(lambda future: job.cancel() if future.cancelled() else None)
    return found


def _outdated(feature: Feature) -> JsonRpcException:
    """The answer to a request whose document has changed: diagnostics should be asked for again."""
    if feature.method == lsp.TEXT_DOCUMENT_DIAGNOSTIC:
        return JsonRpcException("the document has changed", _SERVER_CANCELLED, {"retriggerRequest": True})
    return JsonRpcContentModified()


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


def _run(connection: Connection) -> int:
    sys.setswitchinterval(_PATIENCE_OF_THREADS)
    return asyncio.run(serve(connection))


def serve_standard_streams() -> int:
    return _run(standard_streams())


def serve_socket(host: str, port: int) -> int:
    """Waits for one client on a port, and serves it."""
    return _run(accepted(host, port))
