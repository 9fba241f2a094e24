"""The server without threads and streams, as a worker of a browser has neither.

Owns `serve_messages`. Invariant: messages are texts without headers, and whatever handles them runs in the event loop.
"""

from __future__ import annotations

from collections.abc import Callable

from ts_lsp.server.app import Server
from ts_lsp.server.transport import Connection
from ts_lsp.server.worker import WorkerInLoop


class _Posting(Connection):
    """A connection of which only the way out is used."""

    def __init__(self, post: Callable[[str], object]) -> None:
        super().__init__(lambda size: b"", lambda data: None)
        self._post = post

    def send_body(self, body: bytes) -> None:
        self._post(body.decode("utf-8"))


def serve_messages(post: Callable[[str], object]) -> Callable[[str], None]:
    """Serves one client, to which `post` sends a message; gives the function that takes those of the client."""
    server = Server(_Posting(post), WorkerInLoop)

    def take(message: str) -> None:
        server.protocol.receive(message.encode("utf-8", "surrogatepass"))

    return take
