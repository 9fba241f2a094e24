"""Completion and signature help as messages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.pipes import Pipes, serving

URI = "file:///nowhere/completed.py"
TEXT = "import torch\n\n@torch.jit.script\ndef f(x: torch.Tensor):\n    y = torch.relu(x)\n    x.\n    return y\n"
DOT = {"textDocument": {"uri": URI}, "position": {"line": 5, "character": 6}}
ARGUMENT = {"textDocument": {"uri": URI}, "position": {"line": 4, "character": 19}}

pytestmark = pytest.mark.xdist_group("server messages")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipes]:
    with serving(tmp_path_factory.mktemp("server")) as pipes:
        pipes.start()
        pipes.open(URI, TEXT)
        yield pipes


def test_a_member_is_offered_and_explained(running: Pipes) -> None:
    found: dict[str, Any] = running.call("textDocument/completion", DOT)
    items = {each["label"]: each for each in found["items"]}
    assert found["isIncomplete"] is False
    assert items["relu"]["textEdit"]["range"]["start"] == DOT["position"]
    assert items["relu"]["detail"].startswith("aten::relu(Tensor self) -> Tensor")
    assert "append" not in items
    resolved = running.call("completionItem/resolve", items["sum"])
    assert "aten::sum.dim_IntList" in resolved["documentation"]


def test_unknown_items_resolve_to_themselves(running: Pipes) -> None:
    assert running.call("completionItem/resolve", {"label": "x", "data": {"uri": URI}})["label"] == "x"


def test_signature(running: Pipes) -> None:
    found = running.call("textDocument/signatureHelp", ARGUMENT)
    assert found["signatures"][0]["label"] == "aten::relu(Tensor self) -> Tensor"
    assert found["signatures"][0]["parameters"] == [{"label": "Tensor self"}]
    assert found["activeParameter"] == 0


def test_unsupported_names_are_struck_through(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.ts-lsp]\ncomplete-unsupported = true\n")
    uri = (tmp_path / "a.py").as_uri()
    with serving(tmp_path) as pipes:
        pipes.start()
        pipes.open(uri, TEXT.replace("x.\n", "torch.\n"))
        place = {"textDocument": {"uri": uri}, "position": {"line": 5, "character": 10}}
        items = {each["label"]: each for each in pipes.call("textDocument/completion", place)["items"]}
    assert items["from_numpy"]["deprecated"] or items["from_numpy"]["tags"] == [1]
    assert items["from_numpy"]["detail"].startswith("not supported")
    assert items["from_numpy"]["sortText"] > items["zeros"]["sortText"]
