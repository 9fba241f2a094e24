"""A server process and its pipes: messages as they are, without a client library between.

Owns `Pipes`. Invariant: nothing waits longer than `PATIENCE`.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ts_lsp.server.transport import Frames

PATIENCE = 30.0
"""Seconds. Only a broken server takes as long."""
Message = dict[str, Any]


class Pipes:
    """A running `ts-lsp server`, to talk to in raw messages."""

    def __init__(self, folder: Path, *arguments: str, variables: Mapping[str, str] | None = None) -> None:
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **(variables or {})}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ts_lsp", "server", *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.seen: list[Message] = []
        self._incoming: queue.Queue[Message | None] = queue.Queue()
        self._numbers = iter(range(1, 1_000_000))
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        frames = Frames()
        while data := os.read(self.process.stdout.fileno(), 65536):
            for body in frames.feed(data):
                self._incoming.put(json.loads(body))
        self._incoming.put(None)

    # Sending.

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send_body(self, body: bytes) -> None:
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def send(self, message: object) -> None:
        self.send_body(json.dumps(message).encode())

    def notify(self, method: str, params: object = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: object = None) -> int:
        """Sends a request; gives its id."""
        number = next(self._numbers)
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    # Waiting.

    def wait(self, is_wanted: Callable[[Message], bool]) -> Message:
        """The next message that is wanted; those before it are kept in `seen`."""
        while True:
            message = self._incoming.get(timeout=PATIENCE)
            assert message is not None, f"the server has gone; it had said {self.seen}"
            if is_wanted(message):
                return message
            self.seen.append(message)

    def answer(self, number: int | None) -> Message:
        """The answer to a request, which may have come already."""

        def is_answer(message: Message) -> bool:
            return message.get("id", ...) == number and "method" not in message

        earlier = [each for each in self.seen if is_answer(each)]
        if earlier:
            self.seen.remove(earlier[0])
        return earlier[0] if earlier else self.wait(is_answer)

    def call(self, method: str, params: object = None) -> Any:
        """The result of a request, which must not fail."""
        answer = self.answer(self.ask(method, params))
        assert "error" not in answer, answer
        return answer["result"]

    def refused(self, method: str, params: object = None) -> int:
        """The code of the error that a request is answered with."""
        code = self.answer(self.ask(method, params))["error"]["code"]
        assert isinstance(code, int)
        return code

    def notification(self, method: str, is_wanted: Callable[[Message], bool] = lambda params: True) -> Message:
        """The parameters of the next such notification."""
        message = self.wait(lambda each: each.get("method") == method and is_wanted(each["params"]))
        params: Message = message["params"]
        return params

    def diagnostics(self, uri: str, version: int) -> list[Message]:
        """The diagnostics of a version of a document, once they are told."""
        wanted = {"uri": uri, "version": version}
        message = self.wait(
            lambda each: (
                each.get("method") == "textDocument/publishDiagnostics" and wanted.items() <= each["params"].items()
            )
        )
        found: list[Message] = message["params"]["diagnostics"]
        return found

    # What every test does.

    def start(self, capabilities: Message | None = None, **more: object) -> Message:
        """Initializes the connection; gives the server's capabilities."""
        result = self.call(
            "initialize", {"processId": None, "rootUri": None, "capabilities": capabilities or {}, **more}
        )
        self.notify("initialized", {})
        found: Message = result["capabilities"]
        return found

    def open(self, uri: str, text: str, version: int = 1) -> None:
        item = {"uri": uri, "languageId": "python", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, text: str, *place: int) -> None:
        """Puts text at a place (line, character, end line, end character), or in place of everything."""
        change: Message = {"text": text}
        if place:
            line, character, end_line, end_character = place
            start, end = {"line": line, "character": character}, {"line": end_line, "character": end_character}
            change["range"] = {"start": start, "end": end}
        self.notify(
            "textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]}
        )

    def end(self) -> int:
        """Shuts down in good order; gives the exit code."""
        self.call("shutdown")
        self.notify("exit")
        return self.process.wait(PATIENCE)


@contextlib.contextmanager
def serving(folder: Path, *arguments: str, variables: Mapping[str, str] | None = None) -> Iterator[Pipes]:
    """A server that is gone at the end, whatever happens."""
    pipes = Pipes(folder, *arguments, variables=variables)
    try:
        yield pipes
    finally:
        pipes.process.kill()
        pipes.process.wait()
        pipes.reader.join()
        for stream in (pipes.process.stdin, pipes.process.stdout, pipes.process.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.close()  # type: ignore[union-attr]
