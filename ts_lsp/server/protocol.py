"""JSON-RPC as the language server protocol uses it.

Owns `Protocol`: which message may come when, who handles it, and what is answered. Invariant: every request gets one
answer, whatever is wrong with it; nothing that comes in raises.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, InvalidStateError
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol

from ts_lsp.server.transport import Encoded, encoded
from ts_lsp.server.worker import Cancelled

if TYPE_CHECKING:
    from cattrs import Converter

    from ts_lsp.server.app import Server
    from ts_lsp.server.transport import Connection

Handler = Callable[[Any], Any]
log = logging.getLogger(__name__)


class Stage(Enum):
    """How far a connection has come."""

    NEW = auto()
    RUNNING = auto()
    SHUT_DOWN = auto()


class Protocol(LanguageServerProtocol):
    """Hands messages to handlers. Lives in the event loop's thread; only `send` may be called from others."""

    def __init__(self, server: Server, converter: Converter) -> None:
        super().__init__(server, converter)
        self.stage = Stage.NEW
        self.connection: Connection | None = None
        self._handlers: dict[str, Handler] = {}
        self._reads_raw: set[str] = set()
        self._tasks: set[asyncio.Future[Any]] = set()
        self._questions = itertools.count(1)
        self.stops: dict[object, Callable[[], object]] = {}
        """What stops the work that is shown under a token."""
        self.on(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL, self._stop, raw=True)

    def _stop(self, params: dict[str, Any]) -> None:
        stop = self.stops.get(params["token"])
        if stop is not None:
            stop()

    def on(self, method: str, handler: Handler, raw: bool = False) -> None:
        """Has a method handled, by a function or a coroutine function. `raw` parameters are given as JSON has them."""
        self._handlers[method] = handler
        (self._reads_raw.add if raw else self._reads_raw.discard)(method)

    # What comes in.

    def receive(self, body: bytes) -> None:
        """Takes one message, whatever it is."""
        try:
            message = json.loads(_decoded(body))
        except (ValueError, RecursionError) as fault:
            log.error("a message that is no JSON: %s", fault)
            self._refuse(None, JsonRpcParseError(str(fault)))
            return
        try:
            self._take(message)
        except JsonRpcException as fault:
            identity = message.get("id") if isinstance(message, dict) else None
            self._refuse(identity if isinstance(identity, (str, int)) else None, fault)
        except Exception as fault:
            log.exception("a message could not be handled")
            if isinstance(message, dict) and "method" in message and isinstance(message.get("id"), (str, int)):
                self._refuse(message["id"], JsonRpcInternalError(f"{type(fault).__name__}: {fault}"))

    def _take(self, message: object) -> None:
        if not isinstance(message, dict):
            raise JsonRpcInvalidRequest("a message must be an object")
        if "method" not in message:
            self._take_response(message)
            return
        method = message["method"]
        if not isinstance(method, str):
            raise JsonRpcInvalidRequest("the method must be a string")
        if "id" not in message:
            self._take_notification(method, message)
        elif isinstance(message["id"], (str, int)):
            self._take_request(method, message)
        else:
            raise JsonRpcInvalidRequest("the id must be a string or a number")

    def _take_request(self, method: str, message: dict[str, Any]) -> None:
        if self.stage is Stage.NEW and method != lsp.INITIALIZE:
            raise JsonRpcServerNotInitialized(f"{method} before initialize")
        if self.stage is Stage.SHUT_DOWN:
            raise JsonRpcInvalidRequest(f"{method} after shutdown")
        if self.stage is Stage.RUNNING and method == lsp.INITIALIZE:
            raise JsonRpcInvalidRequest("initialize a second time")
        handler = self._handlers.get(method)
        if handler is None:
            raise JsonRpcMethodNotFound.of(method)
        identity, params = message["id"], self._params(method, message)
        try:
            found = handler(params)
        except (KeyError, TypeError, ValueError, AttributeError) as fault:
            if method not in self._reads_raw:
                raise
            raise JsonRpcInvalidParams(f"the parameters of {method} make no sense: {fault!r}") from fault
        if asyncio.iscoroutine(found):
            task = asyncio.ensure_future(found)
            self._request_futures[identity] = task  # type: ignore[assignment]
            task.add_done_callback(partial(self._send_handler_result, msg_id=identity))
        else:
            self._send_result(identity, found)

    def _take_notification(self, method: str, message: dict[str, Any]) -> None:
        if method == lsp.CANCEL_REQUEST:
            self._cancel(message.get("params"))
            return
        if self.stage is not Stage.RUNNING and method != lsp.EXIT:
            log.warning("%s before initialize or after shutdown", method)
            return
        handler = self._handlers.get(method)
        if handler is None:
            log.debug("nobody handles %s", method)
            return
        try:
            done = handler(self._params(method, message))
        except (JsonRpcInvalidParams, KeyError, TypeError, ValueError, AttributeError) as fault:
            log.error("%s makes no sense: %r", method, fault)
            return
        if asyncio.iscoroutine(done):
            self.begin(done)

    def begin(self, work: Coroutine[Any, Any, object]) -> None:
        """Has something done for which nobody waits; what fails is logged."""
        self._tasks.add(task := asyncio.ensure_future(work))
        task.add_done_callback(self._end_task)

    def _end_task(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            log.error("a notification was not handled", exc_info=fault)

    def _cancel(self, params: object) -> None:
        identity = params.get("id") if isinstance(params, dict) else None
        future = self._request_futures.pop(identity, None) if isinstance(identity, (str, int)) else None
        if future is not None:
            future.cancel()

    def _take_response(self, message: dict[str, Any]) -> None:
        identity = message.get("id")
        future = self._request_futures.pop(identity, None) if isinstance(identity, (str, int)) else None
        if future is None:
            log.warning("an answer to no request: %r", identity)
            return
        assert isinstance(identity, (str, int))
        result_type = self._result_types.pop(identity, None)
        try:
            if "error" in message:
                error = self._converter.structure(message["error"], lsp.ResponseError)
                future.set_exception(JsonRpcException.from_error(error))
            elif result_type is None:
                future.set_result(message.get("result"))
            else:
                future.set_result(self._converter.structure(message, result_type).result)
        except InvalidStateError:
            log.debug("an answer that nobody waits for any more")
        except Exception as fault:
            with contextlib.suppress(InvalidStateError):
                future.set_exception(fault)

    def _params(self, method: str, message: dict[str, Any]) -> Any:
        """The message's parameters as lsprotocol has them."""
        message_type = self.get_message_type(method)
        if method in self._reads_raw or message_type is None:
            params = message.get("params")
            return {} if params is None else params
        try:
            message.setdefault("jsonrpc", "2.0")
            return self._converter.structure(message, message_type).params
        except Exception as fault:
            raise JsonRpcInvalidParams(f"the parameters of {method} are not as the protocol has them") from fault

    # What goes out.

    def send(self, message: object) -> None:
        """Sends a message as it is. Any thread may."""
        if self.connection is not None:
            self.connection.send(message)

    def ask_client(self, method: str, params: object) -> Future[Any]:
        """Asks the client something, in plain data or lsprotocol's types; its answer is plain data."""
        identity = f"ts-lsp-{next(self._questions)}"
        future: Future[Any] = Future()
        self._request_futures[identity] = future
        self.send({"jsonrpc": "2.0", "id": identity, "method": method, "params": self._converter.unstructure(params)})
        return future

    def cancel_all(self) -> None:
        """Nothing that is under way is wanted any more."""
        for future in tuple(self._request_futures.values()):
            future.cancel()

    def _send_handler_result(self, future: Future[Any], *, msg_id: str | int) -> None:
        self._request_futures.pop(msg_id, None)
        if future.cancelled():
            self._refuse(msg_id, JsonRpcRequestCancelled())
            return
        fault = future.exception()
        if fault is None:
            self._send_result(msg_id, future.result())
        elif isinstance(fault, Cancelled):
            self._refuse(msg_id, JsonRpcRequestCancelled())
        elif isinstance(fault, JsonRpcException):
            self._refuse(msg_id, fault)
        else:
            log.error("a request failed", exc_info=fault)
            self._refuse(msg_id, JsonRpcInternalError(f"{type(fault).__name__}: {fault}"))

    def _send_result(self, msg_id: str | int, result: object) -> None:
        if not isinstance(result, Encoded):
            self._send_data({"jsonrpc": "2.0", "id": msg_id, "result": result})
        elif self.connection is not None:
            head = b'{"jsonrpc":"2.0","id":%s,"result":' % encoded(msg_id).body
            self.connection.send_body(b"".join((head, result.body, b"}")))

    def _refuse(self, msg_id: str | int | None, fault: JsonRpcException) -> None:
        error: dict[str, Any] = {"code": fault.code, "message": fault.message}
        if fault.data is not None:
            error["data"] = fault.data
        self._send_data({"jsonrpc": "2.0", "id": msg_id, "error": error})

    def _send_data(self, data: Any) -> None:
        self.send(self._converter.unstructure(data))


def _decoded(body: bytes) -> str:
    """The text of a body; what is no UTF-8 is replaced, so that an edit is not lost with it."""
    try:
        return body.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return body.decode("utf-8", "replace")
