"""The protocol message by message, over pipes: order, refusals, bad input, and ways to end."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.pipes import PATIENCE, Message, Pipes, serving
from ts_lsp.server.transport import Connection, Frames

URI = "file:///nowhere/a.py"
ADD = "import torch\n\n@torch.jit.script\ndef add(x, y: int):\n    return x + y\n"
BROKEN = ADD + "\n@torch.jit.script\ndef broken(x):\n    return x.no_such_method()\n"
HOVER = {"textDocument": {"uri": URI}, "position": {"line": 4, "character": 11}}
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED, CANCELLED, MODIFIED = -32002, -32800, -32801

pytestmark = pytest.mark.xdist_group("server messages")


@pytest.fixture
def pipes(tmp_path: Path) -> Iterator[Pipes]:
    with serving(tmp_path) as pipes:
        yield pipes


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipes]:
    """A server for all tests that leave it as it was."""
    with serving(tmp_path_factory.mktemp("server")) as pipes:
        pipes.start()
        yield pipes


def hovered(pipes: Pipes) -> str:
    text = pipes.call("textDocument/hover", HOVER)["contents"]["value"]
    assert isinstance(text, str)
    return text


def logged(pipes: Pipes, part: str) -> Message:
    return pipes.notification("window/logMessage", lambda params: part in params["message"])


# What is told of documents.


def test_diagnostics_follow_the_text(running: Pipes) -> None:
    running.open(URI, BROKEN)
    (found,) = running.diagnostics(URI, 1)
    assert found["range"]["start"]["line"] == 8
    assert (found["severity"], found["source"]) == (1, "ts-lsp")
    running.change(URI, 2, "relu", 8, 13, 8, 27)
    assert running.diagnostics(URI, 2) == []
    running.change(URI, 3, BROKEN)
    assert len(running.diagnostics(URI, 3)) == 1
    running.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    told = running.notification("textDocument/publishDiagnostics")
    assert told == {"uri": URI, "diagnostics": []}


def test_a_burst_of_changes_ends_in_the_last_text(running: Pipes) -> None:
    uri = "file:///nowhere/burst.py"
    running.open(uri, BROKEN)
    for version in range(2, 2002):
        running.change(uri, version, "x" if version % 2 == 0 else "", 8, 4, 8, 4 + version % 2)
    assert len(running.diagnostics(uri, 2001)) == 1
    told = [each for each in running.seen if each.get("method") == "textDocument/publishDiagnostics"]
    assert len([each for each in told if each["params"]["uri"] == uri]) < 1000


def test_a_file_that_another_one_imports(tmp_path: Path, running: Pipes) -> None:
    library, user = (tmp_path / name for name in ("library.py", "user.py"))
    library.write_text("def double(x: str) -> str:\n    return x * 2\n")
    text = "import torch\nfrom library import double\n\n@torch.jit.script\ndef f(x):\n    return double(x)\n"
    running.open(user.as_uri(), text)
    assert len(running.diagnostics(user.as_uri(), 1)) == 1
    running.open(library.as_uri(), "from torch import Tensor\n\ndef double(x: Tensor) -> Tensor:\n    return x * 2\n")
    told = running.notification("textDocument/publishDiagnostics", lambda params: params["uri"] == user.as_uri())
    assert told["diagnostics"] == []


@pytest.mark.parametrize(
    ("offered", "chosen", "column"),
    [(["utf-8"], "utf-8", 24), (["utf-16"], "utf-16", 22), (["utf-32", "utf-16"], "utf-32", 21), (None, "utf-16", 22)],
)
def test_columns_in_the_units_of_the_client(
    tmp_path: Path, offered: list[str] | None, chosen: str, column: int
) -> None:
    text = 'import torch\n\n@torch.jit.script\ndef f(x):\n    return len("😋"), x.no_such()\n'
    with serving(tmp_path) as pipes:
        told = pipes.start({"general": {"positionEncodings": offered}} if offered else {})
        assert told["positionEncoding"] == chosen
        pipes.open(URI, text)
        (found,) = pipes.diagnostics(URI, 1)
        assert found["range"]["start"] == {"line": 4, "character": column}
        pipes.change(URI, 2, "relu", 4, column + 2, 4, column + 9)
        assert pipes.diagnostics(URI, 2) == []


# Requests.


def test_hover_tells_a_type(running: Pipes) -> None:
    running.open(URI, ADD)
    assert "Tensor" in hovered(running)


@pytest.mark.parametrize("place", [(-1, 5), (4, 999), (999, 0), (2**31 - 1, 2**31 - 1)])
def test_places_outside_the_text(running: Pipes, place: tuple[int, int]) -> None:
    running.open(URI, ADD)
    position = {"line": place[0], "character": place[1]}
    answer = running.answer(running.ask("textDocument/hover", {"textDocument": {"uri": URI}, "position": position}))
    assert "result" in answer or answer["error"]["code"] == INVALID_PARAMS


def test_requests_that_make_no_sense(running: Pipes) -> None:
    assert running.refused("no/such/method") == NO_METHOD
    assert running.refused("$/no/such/method") == NO_METHOD
    assert running.refused("textDocument/hover", {}) == INVALID_PARAMS
    assert running.refused("textDocument/hover", [1, 2]) == INVALID_PARAMS
    assert (
        running.refused("textDocument/hover", {**HOVER, "textDocument": {"uri": "file:///no/file.py"}})
        == INVALID_PARAMS
    )
    assert running.refused("workspace/executeCommand", {"command": "no-such-command"}) == INVALID_PARAMS
    assert running.refused("initialize", {"processId": None, "rootUri": None, "capabilities": {}}) == INVALID_REQUEST


def test_a_request_for_a_text_that_has_changed_is_not_answered(running: Pipes) -> None:
    running.open(URI, ADD * 400)
    number = running.ask("textDocument/hover", HOVER)
    running.change(URI, 2, "# more\n", 0, 0, 0, 0)
    assert running.answer(number)["error"]["code"] == MODIFIED
    running.open(URI, ADD)


def test_a_cancelled_request_is_answered_at_once(running: Pipes) -> None:
    running.open(URI, ADD * 200)
    number = running.ask("textDocument/hover", HOVER)
    running.notify("$/cancelRequest", {"id": number})
    assert running.answer(number)["error"]["code"] == CANCELLED
    running.notify("$/cancelRequest", {"id": number})
    running.notify("$/cancelRequest", {"id": "never asked"})
    running.notify("$/cancelRequest", None)
    running.open(URI, ADD)
    assert "Tensor" in hovered(running)


# Messages that are none.


def test_what_is_no_message_is_refused_or_logged(running: Pipes) -> None:
    for body, code in (
        (b"{", PARSE_ERROR),
        (b"", PARSE_ERROR),
        (b"[" * 100_000, PARSE_ERROR),
        (b"[]", INVALID_REQUEST),
        (b"7", INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": null, "method": "shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "method": 3}', INVALID_REQUEST),
    ):
        running.send_body(body)
        assert running.answer(None)["error"]["code"] == code, body[:60]
    running.send({"jsonrpc": "2.0", "id": "nobody asked", "result": 1})
    logged(running, "nobody asked")
    running.open(URI, ADD)
    assert "Tensor" in hovered(running)


def test_changes_that_make_no_sense_leave_the_text(running: Pipes) -> None:
    running.open(URI, ADD)
    for params in (
        None,
        {},
        {"textDocument": {"uri": URI}},
        {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{}]},
        {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": 5}]},
        {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": "x", "range": {"start": 1}}]},
        {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": ""}, {"text": 5}]},
    ):
        running.notify("textDocument/didChange", params)
        logged(running, "didChange")
    running.change("file:///nowhere/never-opened.py", 2, "x", 0, 0, 0, 0)
    logged(running, "never-opened")
    assert "Tensor" in hovered(running)
    running.change(URI, 0, "", 0, 0, 0, 0)
    logged(running, "version 0")
    assert "Tensor" in hovered(running)


def test_text_that_is_no_unicode(running: Pipes) -> None:
    running.open(URI, ADD)
    assert len(running.diagnostics(URI, 1)) == 0
    end = {"line": 5, "character": 0}
    change = {"text": "# @\ud83d\n", "range": {"start": end, "end": end}}
    params = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [change]}
    message = {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params}
    running.send_body(json.dumps(message).encode().replace(b"@", b"\xff"))
    running.diagnostics(URI, 2)
    assert "Tensor" in hovered(running)
    running.change(URI, 3, "", 5, 3, 5, 4)
    assert running.diagnostics(URI, 3) == []
    assert "Tensor" in hovered(running)


def test_bytes_between_messages_are_skipped(running: Pipes) -> None:
    running.open(URI, ADD)
    running.write(b"nonsense\r\nContent-Length: minus one\r\n\r\n")
    assert "Tensor" in hovered(running)


def test_frames_in_pieces() -> None:
    stream = b"content-length:2\r\nContent-Type: x\r\n\r\n{}junk\nContent-Length: 3\n\nabc"
    frames = Frames()
    found = [body for index in range(len(stream)) for body in frames.feed(stream[index : index + 1])]
    assert found == [b"{}", b"abc"] == list(Frames().feed(stream))


def test_nobody_listens_any_more() -> None:
    def write(data: bytes) -> None:
        raise BrokenPipeError

    connection = Connection(lambda size: b"", write)
    connection.send({})
    connection.send({})
    assert list(connection.bodies()) == []


# The ways of a life.


def test_order_of_life(pipes: Pipes) -> None:
    assert pipes.refused("textDocument/hover", HOVER) == NOT_INITIALIZED
    assert pipes.refused("shutdown") == NOT_INITIALIZED
    pipes.open(URI, ADD)
    logged(pipes, "didOpen before initialize")
    pipes.start()
    pipes.call("shutdown")
    assert pipes.refused("textDocument/hover", HOVER) == INVALID_REQUEST
    pipes.notify("exit")
    assert pipes.process.wait(PATIENCE) == 0


def test_exit_without_shutdown_is_a_failure(pipes: Pipes) -> None:
    pipes.start()
    pipes.open(URI, ADD * 100)
    pipes.notify("exit")
    assert pipes.process.wait(PATIENCE) == 1


def test_exit_before_initialize_is_a_failure(pipes: Pipes) -> None:
    pipes.notify("exit")
    assert pipes.process.wait(PATIENCE) == 1


def test_closed_input_ends_the_server(pipes: Pipes) -> None:
    pipes.start()
    assert pipes.process.stdin is not None
    pipes.process.stdin.close()
    assert pipes.process.wait(PATIENCE) == 1


def test_the_end_of_the_client_s_process_ends_the_server(pipes: Pipes) -> None:
    client = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    pipes.start(processId=client.pid)
    client.kill()
    client.communicate()
    assert pipes.process.wait(PATIENCE) == 1


def test_a_client_whose_process_is_on_another_machine(pipes: Pipes) -> None:
    pipes.start(processId=2**22 + 1)
    pipes.open(URI, ADD)
    assert pipes.diagnostics(URI, 1) == []
    assert pipes.end() == 0


def test_a_client_that_never_answers(pipes: Pipes) -> None:
    pipes.start({"workspace": {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}}})
    pipes.open(URI, BROKEN)
    assert len(pipes.diagnostics(URI, 1)) == 1
    asked = {each["method"] for each in pipes.seen if "id" in each and "method" in each}
    assert asked == {"client/registerCapability", "workspace/configuration"}
    assert pipes.end() == 0


def test_settings_come_with_the_client(pipes: Pipes) -> None:
    pipes.start(initializationOptions={"settings": {"ignore": ["unknown-attribute"], "scope": 7, "no-such": 1}})
    pipes.open(URI, BROKEN)
    assert pipes.diagnostics(URI, 1) == []
    texts = [each["params"]["message"] for each in pipes.seen if each["method"] == "window/logMessage"]
    assert any("`scope` must be" in each for each in texts)
    assert any("unknown setting `no-such`" in each for each in texts)


def test_a_client_may_say_what_it_counts_beside_the_protocol(pipes: Pipes) -> None:
    """As ALE does in editors/vim: its capabilities are silent, and its columns are bytes."""
    told = pipes.start(initializationOptions={"positionEncoding": "utf-8", "settings": {}})
    assert told["positionEncoding"] == "utf-8"
    line = '    "é😋"; x.no_such_method()'
    pipes.open(URI, f"import torch\n\n\n@torch.jit.script\ndef f(x):\n{line}\n")
    (found,) = pipes.diagnostics(URI, 1)
    assert found["range"]["start"]["character"] == len(line[: line.index("x.no")].encode())
    assert [each for each in pipes.seen if each.get("method") == "window/logMessage"] == []


def test_a_trace_tells_more(pipes: Pipes) -> None:
    pipes.start()
    pipes.notify("no/such/notification")
    pipes.notify("$/setTrace", {"value": "verbose"})
    pipes.notify("no/such/notification")
    assert "no/such/notification" in pipes.notification("$/logTrace")["message"]
    assert [each for each in pipes.seen if each.get("method") == "window/logMessage"] == []
    assert pipes.end() == 0


@pytest.mark.parametrize(
    "capabilities",
    [
        {"general": {"positionEncodings": [7, "utf-8"]}, "textDocument": {"hover": {"contentFormat": [None]}}},
        {"general": 1, "textDocument": [], "workspace": "yes", "window": 1, "notebookDocument": None},
        {"general": {"positionEncodings": 3}, "textDocument": {"hover": 1, "publishDiagnostics": [1]}},
    ],
)
def test_odd_capabilities(pipes: Pipes, capabilities: Message) -> None:
    pipes.start(capabilities)
    pipes.open(URI, ADD)
    assert "Tensor" in hovered(pipes)
    assert pipes.end() == 0


def test_nothing_but_messages_is_written(pipes: Pipes) -> None:
    pipes.start()
    pipes.open(URI, BROKEN)
    pipes.diagnostics(URI, 1)
    assert pipes.end() == 0
    assert pipes.process.stderr is not None
    assert pipes.process.stderr.read() == b""


def test_a_socket(tmp_path: Path) -> None:
    with serving(tmp_path, "--tcp", "127.0.0.1:0") as pipes:
        assert pipes.process.stderr is not None
        port = int(pipes.process.stderr.readline().rpartition(b":")[2])
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
            body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})
            client.sendall(f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
            assert b'"serverInfo"' in client.recv(1 << 16)
        assert pipes.process.wait(PATIENCE) == 1


@pytest.mark.parametrize("address", ["localhost", "localhost:port", ":99999"])
def test_an_address_that_is_none(tmp_path: Path, address: str) -> None:
    with serving(tmp_path, "--tcp", address) as pipes:
        assert pipes.process.wait(PATIENCE) == 2
        assert pipes.process.stderr is not None
        assert b"expected HOST:PORT" in pipes.process.stderr.read()


FADING = """import torch


@torch.jit.script
def f(x):
    if not torch.jit.is_scripting():
        return x.numpy()
    return x
"""


@pytest.mark.parametrize("tags", [[1], [2], []])
def test_what_is_not_compiled_is_told_only_where_it_can_be_shown_paler(pipes: Pipes, tags: list[int]) -> None:
    pipes.start({"textDocument": {"publishDiagnostics": {"tagSupport": {"valueSet": tags}}}})
    pipes.open(URI, FADING)
    told = [(each["range"]["start"]["line"], each["severity"], each["tags"]) for each in pipes.diagnostics(URI, 1)]
    assert told == ([(6, 4, [1])] if 1 in tags else [])


def test_nothing_is_shown_paler_where_the_settings_do_not_want_it(pipes: Pipes) -> None:
    capabilities = {"textDocument": {"publishDiagnostics": {"tagSupport": {"valueSet": [1]}}}}
    pipes.start(capabilities, initializationOptions={"fade": []})
    pipes.open(URI, FADING)
    assert pipes.diagnostics(URI, 1) == []
