"""The benchmark measures what it says: programs that compile, typing without a trace, a client that reads frames."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.bench.client import Server, ServerFailure
from scripts.bench.editing import Buffer, Change, storm, typing
from scripts.bench.figures import Series, table
from scripts.bench.generation import program
from tests.twin import judge

SEEDS = range(3)

# A server that counts the changes of a document, and sends its messages in pieces and several at once.
ECHO = r"""
import json, sys, time
def send(*messages):
    data = b""
    for message in messages:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        data += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    for start in range(0, len(data), 50):
        sys.stdout.buffer.write(data[start : start + 50])
        sys.stdout.buffer.flush()
def push(version):
    uri = message["params"]["textDocument"]["uri"]
    return {"method": "textDocument/publishDiagnostics", "params": {"uri": uri, "version": version, "diagnostics": []}}
while header := sys.stdin.buffer.readline():
    sys.stdin.buffer.readline()
    message = json.loads(sys.stdin.buffer.read(int(header.split(b":")[1])))
    method = message["method"]
    if method == "textDocument/didChange":
        version = message["params"]["textDocument"]["version"]
        send({"id": "x", "method": "workspace/configuration", "params": {"items": [{}]}}, push(version - 1))
        reply = sys.stdin.buffer.read(int(sys.stdin.buffer.readline().split(b":")[1]) + 2)
        if json.loads(reply)["result"] == [None]:
            send(push(version))
    elif method == "exit":
        break
    elif "id" in message:
        send({"id": message["id"], "result": {"capabilities": {"hoverProvider": True}}})
"""


@pytest.mark.parametrize("seed", SEEDS)
def test_the_twin_finds_nothing_in_a_program(seed: int) -> None:
    text = program(400, seed)
    assert 350 < text.count("\n") < 450
    assert text == program(400, seed)
    judgement = judge({"generated.py": text}, "generated.py", "scripted")
    assert not judgement.findings
    assert len(judgement.definitions) > 5


@pytest.mark.oracle
@pytest.mark.parametrize("seed", SEEDS)
def test_a_program_compiles(seed: int, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    path = tmp_path / "generated.py"
    path.write_text(program(400, seed))
    subprocess.run([sys.executable, str(path)], check=True)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("source", [typing, storm])
def test_what_is_typed_goes_away_again(source: type[typing], seed: int) -> None:
    text = program(100, seed)
    buffer = Buffer(text)
    returns = 0
    for change in itertools.islice(source(buffer, random.Random(seed)), 1000):
        buffer.apply(change)
        returns += buffer.text == text
    assert returns > 10
    assert buffer.version == 1001


def test_a_change_may_span_lines() -> None:
    buffer = Buffer("one\ntwo\nthree")
    buffer.apply(Change((0, 1), (2, 2), "X\nY"))
    assert buffer.text == "oX\nYree"
    assert buffer.caret == (1, 1)


def test_the_client_waits_for_the_version_it_sent(tmp_path: Path) -> None:
    server = Server([sys.executable, "-c", ECHO], {}, tmp_path, patience=10.0)
    server.start(pull=True, python=sys.executable)
    assert server.capabilities == {"hoverProvider": True}
    assert not server.pulls
    buffer, uri = Buffer("x"), "file:///x.py"
    for version in (2, 3):
        server.change(uri, buffer, Change((0, 0), (0, 0), "y"))
        server.diagnostics(uri, buffer.version, server.pushes(uri))
        assert server.published[uri][-1] == version
    server.stop()
    with pytest.raises(ServerFailure):
        server.request("textDocument/hover", {})


def test_figures_are_told_in_milliseconds() -> None:
    series = Series(tuple(number / 1000 for number in range(1, 101)))
    assert str(series) == "50.5 / 96.0"
    assert table("title", ("", "a"), [("row", "1.0")]).splitlines()[1:] == ["title", "       a", "---  ---", "row  1.0"]
