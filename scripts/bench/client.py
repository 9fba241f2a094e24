"""A language server in a process of its own, spoken to over its pipes.

Everything happens in the caller's thread: messages are read while something is waited for, and what the server asks is
answered at once. Times are seconds of `time.perf_counter`.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.bench.editing import Buffer, Change

CONTENT_MODIFIED = -32801
_CHUNK = 1 << 20


class ServerFailure(Exception):
    """The server ended, or did not answer in time."""


@dataclass(frozen=True)
class Answer:
    """What came back for a request, and after how long."""

    result: Any
    error: Mapping[str, Any] | None
    seconds: float


class Server:
    """One server process with one document open."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], folder: Path, patience: float) -> None:
        self.patience = patience
        self.capabilities: Mapping[str, Any] = {}
        self.published: dict[str, list[int | None]] = {}
        """For each document the versions of the diagnostics pushed so far."""
        self._answers: dict[int, Mapping[str, Any]] = {}
        self._requests = 0
        self._received = b""
        self._folder = folder
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(environment),
            cwd=folder,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in = self._process.stdin.fileno()
        self._out = self._process.stdout.fileno()

    @property
    def pid(self) -> int:
        return self._process.pid

    def start(self, *, pull: bool, python: str) -> None:
        """The handshake. With `pull` the server may wait to be asked for diagnostics."""
        uri = self._folder.as_uri()
        self._python = python
        answer = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": uri,
                "workspaceFolders": [{"uri": uri, "name": self._folder.name}],
                "capabilities": _capabilities(pull),
            },
        )
        self.capabilities = (answer.result or {}).get("capabilities", {})
        self.notify("initialized", {})

    @property
    def pulls(self) -> bool:
        """Whether this server tells diagnostics only when it is asked."""
        return bool(self.capabilities.get("diagnosticProvider"))

    def open(self, uri: str, buffer: Buffer) -> None:
        item = {"uri": uri, "languageId": "python", "version": buffer.version, "text": buffer.text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, buffer: Buffer, change: Change) -> None:
        """Apply a change to the buffer and tell the server."""
        buffer.apply(change)
        self.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": buffer.version},
                "contentChanges": [
                    {"range": {"start": place(change.start), "end": place(change.end)}, "text": change.text}
                ],
            },
        )

    def diagnostics(self, uri: str, version: int, earlier: int) -> None:
        """Wait for the diagnostics of a version. Without versions, for a push more than the `earlier` ones."""
        if self.pulls:
            while self.request("textDocument/diagnostic", {"textDocument": {"uri": uri}}).error is not None:
                time.sleep(0.001)
            return

        def are_there() -> bool:
            pushed = self.published.get(uri, [])
            return any(each == version or (each is None and index >= earlier) for index, each in enumerate(pushed))

        self._read_until(are_there)

    def pushes(self, uri: str) -> int:
        """How often diagnostics came, after everything that waits in the pipe is read."""
        self.pause(0.0)
        return len(self.published.get(uri, []))

    def request(self, method: str, parameters: Mapping[str, Any] | None) -> Answer:
        self._requests += 1
        number = self._requests
        start = time.perf_counter()
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})
        self._read_until(lambda: number in self._answers)
        message = self._answers.pop(number)
        return Answer(message.get("result"), message.get("error"), time.perf_counter() - start)

    def notify(self, method: str, parameters: Mapping[str, Any] | None) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": parameters})

    def pause(self, seconds: float) -> None:
        """Let time pass, and read what comes."""
        until = time.perf_counter() + seconds
        while True:
            ready, _, _ = select.select([self._out], [], [], max(0.0, until - time.perf_counter()))
            if not ready:
                return
            self._read()

    def stop(self) -> None:
        """Shut down as the protocol wants it; kill what does not end."""
        try:
            self.patience = 5.0
            self.request("shutdown", None)
            self.notify("exit", None)
            self._process.wait(5.0)
        except (ServerFailure, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()

    def _send(self, message: Mapping[str, Any]) -> None:
        body = json.dumps(message).encode()
        data = memoryview(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        try:
            while data:
                data = data[os.write(self._in, data) :]
        except BrokenPipeError:
            raise ServerFailure("the server ended") from None

    def _read_until(self, is_there: Callable[[], bool]) -> None:
        until = time.perf_counter() + self.patience
        while not is_there():
            ready, _, _ = select.select([self._out], [], [], max(0.0, until - time.perf_counter()))
            if not ready:
                raise ServerFailure(f"no answer within {self.patience:.0f} s")
            self._read()

    def _read(self) -> None:
        data = os.read(self._out, _CHUNK)
        if not data:
            raise ServerFailure("the server ended")
        self._received += data
        while (message := self._next_message()) is not None:
            self._take(message)

    def _next_message(self) -> Mapping[str, Any] | None:
        head, separator, rest = self._received.partition(b"\r\n\r\n")
        if not separator:
            return None
        length = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        if len(rest) < length:
            return None
        self._received = rest[length:]
        message: Mapping[str, Any] = json.loads(rest[:length])
        return message

    def _take(self, message: Mapping[str, Any]) -> None:
        method = message.get("method")
        if method is None:
            self._answers[message["id"]] = message
        elif "id" in message:
            self._send({"jsonrpc": "2.0", "id": message["id"], "result": self._reply(method, message.get("params"))})
        elif method == "textDocument/publishDiagnostics":
            parameters = message["params"]
            self.published.setdefault(parameters["uri"], []).append(parameters.get("version"))

    def _reply(self, method: str, parameters: Any) -> Any:
        if method != "workspace/configuration":
            return None
        chosen = {"python": {"pythonPath": self._python}}
        return [chosen.get(item.get("section", "")) for item in parameters["items"]]


def place(at: tuple[int, int]) -> dict[str, int]:
    return {"line": at[0], "character": at[1]}


def _capabilities(pull: bool) -> dict[str, Any]:
    document: dict[str, Any] = {
        "synchronization": {"didSave": True},
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "completion": {
            "completionItem": {
                "snippetSupport": True,
                "labelDetailsSupport": True,
                "resolveSupport": {"properties": ["documentation", "detail", "additionalTextEdits"]},
            },
            "completionList": {"itemDefaults": ["commitCharacters", "editRange", "insertTextFormat", "data"]},
        },
        "signatureHelp": {"signatureInformation": {"parameterInformation": {"labelOffsetSupport": True}}},
        "definition": {"linkSupport": True},
    }
    if pull:
        document["diagnostic"] = {"dynamicRegistration": False}
    return {
        "general": {"positionEncodings": ["utf-16"]},
        "workspace": {"configuration": True, "workspaceFolders": True},
        "window": {"workDoneProgress": True},
        "textDocument": document,
    }
