"""Messages as bytes: a header with the length, then JSON.

Owns `Frames`, which finds messages in a stream, and `Connection`, which reads and writes them; `Encoded` is what is
JSON before it is sent. Invariant: nothing that a client sends raises here; what is between two messages is skipped.
"""

from __future__ import annotations

import json
import os
import re
import socket
import sys
import threading
from collections.abc import Callable, Iterator

_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,10})[ \t]*$", re.IGNORECASE)
_LONGEST_HEADER = 8192
_PIECE = 65536


class Frames:
    """The bodies of the messages in a stream of bytes that comes in pieces."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None
        self._in_body = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The bodies that are whole with these bytes."""
        self._buffer += data
        while (body := self._next()) is not None:
            yield body

    def _next(self) -> bytes | None:
        while not self._in_body:
            end = self._buffer.find(b"\n")
            if end < 0:
                if len(self._buffer) > _LONGEST_HEADER:
                    self._buffer.clear()
                return None
            line = bytes(self._buffer[:end]).rstrip(b"\r")
            del self._buffer[: end + 1]
            found = _LENGTH.search(line)
            if found:
                self._length = int(found[1])
            self._in_body = not line and self._length is not None
        length = self._length or 0
        if len(self._buffer) < length:
            return None
        body = bytes(self._buffer[:length])
        del self._buffer[:length]
        self._length, self._in_body = None, False
        return body


class Encoded:
    """A part of a message that is JSON already: what is large, or the same each time."""

    __slots__ = ("body",)

    def __init__(self, body: bytes) -> None:
        self.body = body


def encoded(data: object) -> Encoded:
    """Plain data as JSON."""
    return Encoded(json.dumps(data, separators=(",", ":")).encode("ascii"))


class Connection:
    """Two ways for bytes. Messages are written whole, by any thread."""

    def __init__(self, read: Callable[[int], bytes], write: Callable[[bytes], object]) -> None:
        self._read = read
        self._write = write
        self._writing = threading.Lock()
        self._is_open = True

    def bodies(self) -> Iterator[bytes]:
        """The messages as they come, until the other side closes."""
        frames = Frames()
        while True:
            try:
                data = self._read(_PIECE)
            except OSError:
                return
            if not data:
                return
            yield from frames.feed(data)

    def send(self, message: object) -> None:
        """Writes a message. Where nobody listens any more, nothing happens."""
        self.send_body(encoded(message).body)

    def send_body(self, body: bytes) -> None:
        """Writes a message that is JSON already."""
        with self._writing:
            if self._is_open:
                try:
                    self._write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                except OSError:
                    self._is_open = False


def standard_streams() -> Connection:
    """The process's own input and output. What else is printed from now on goes to stderr."""
    source, sink = os.dup(sys.stdin.fileno()), os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    _make_binary(source, sink)

    def write(data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(sink, rest) :]

    return Connection(lambda size: os.read(source, size), write)


def _make_binary(*descriptors: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        for each in descriptors:
            msvcrt.setmode(each, os.O_BINARY)


def accepted(host: str, port: int) -> Connection:
    """A connection to the first client that comes to a port; says on stderr which one it is, as 0 picks a free one."""
    with socket.create_server((host, port)) as server:
        print(f"ts-lsp: listening on {host}:{server.getsockname()[1]}", file=sys.stderr, flush=True)
        client, _ = server.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Connection(client.recv, client.sendall)
