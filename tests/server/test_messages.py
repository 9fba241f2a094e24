"""The protocol message by message, over pipes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.pipes import Pipes, serving

URI = "file:///nowhere/a.py"
ADD = "import torch\n\n@torch.jit.script\ndef add(x, y: int):\n    return x + y\n"
BROKEN = ADD + "\n@torch.jit.script\ndef broken(x):\n    return x.no_such_method()\n"


@pytest.fixture
def pipes(tmp_path: Path) -> Iterator[Pipes]:
    with serving(tmp_path) as pipes:
        yield pipes


def test_diagnostics_follow_the_text(pipes: Pipes) -> None:
    pipes.start()
    pipes.open(URI, BROKEN)
    (found,) = pipes.diagnostics(URI, 1)
    assert found["range"]["start"]["line"] == 8
    assert (found["severity"], found["source"]) == (1, "ts-lsp")
    pipes.change(URI, 2, "relu", 8, 13, 8, 27)
    assert pipes.diagnostics(URI, 2) == []
    assert pipes.end() == 0


def test_hover_tells_a_type(pipes: Pipes) -> None:
    pipes.start()
    pipes.open(URI, ADD)
    place = {"textDocument": {"uri": URI}, "position": {"line": 4, "character": 11}}
    assert "Tensor" in pipes.call("textDocument/hover", place)["contents"]["value"]


def test_order_of_life(pipes: Pipes) -> None:
    assert pipes.refused("textDocument/hover", {}) == -32002
    pipes.start()
    assert pipes.refused("initialize", {"processId": None, "rootUri": None, "capabilities": {}}) == -32600
    assert pipes.refused("no/such/method") == -32601
    pipes.call("shutdown")
    assert pipes.refused("textDocument/hover", {}) == -32600
    pipes.notify("exit")
    assert pipes.process.wait(10) == 0
