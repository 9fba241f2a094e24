"""Completion and signature help as messages."""

from __future__ import annotations

import contextlib
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
    with _offering(tmp_path, "[tool.ts-lsp]\ncomplete-unsupported = true\n", {}) as items:
        assert items["from_numpy"]["deprecated"] is True
        assert items["from_numpy"]["detail"].startswith("not supported")
        assert items["from_numpy"]["sortText"] > items["_assert"]["sortText"] > items["zeros"]["label"]
    with _offering(tmp_path, "[tool.ts-lsp]\ncomplete-unsupported = true\n", TAGS) as items:
        assert items["from_numpy"]["tags"] == [1]
        assert "deprecated" not in items["from_numpy"]
        assert "tags" not in items["zeros"]
    with _offering(tmp_path, "[tool.ts-lsp]\n", TAGS) as items:
        assert "from_numpy" not in items
        assert "zeros" in items


def test_calls_are_written_where_the_client_fills_them_in(tmp_path: Path) -> None:
    with _offering(tmp_path, "[tool.ts-lsp]\n", SNIPPETS) as items:
        assert items["add"]["textEdit"]["newText"] == "add(${1:input}, ${2:other})$0"
        assert items["add"]["insertTextFormat"] == 2
        assert items["float32"]["textEdit"]["newText"] == "float32"
        assert "insertTextFormat" not in items["float32"]
    for settings, capabilities in (("complete-calls = false", SNIPPETS), ("", {})):
        with _offering(tmp_path, f"[tool.ts-lsp]\n{settings}\n", capabilities) as items:
            assert items["add"]["textEdit"]["newText"] == "add"
    with _offering(tmp_path, "[tool.ts-lsp]\n", SNIPPETS, "torch.(x)") as items:
        assert items["add"]["textEdit"]["newText"] == "add"


def test_what_a_list_says_once_is_not_said_by_each_item(tmp_path: Path) -> None:
    defaults = {"completionItem": {"snippetSupport": True}, "completionList": {"itemDefaults": ["editRange", "data"]}}
    with _offering(tmp_path, "[tool.ts-lsp]\n", defaults) as items:
        assert items["add"]["textEditText"] == "add(${1:input}, ${2:other})$0"
        assert items["add"].keys().isdisjoint({"textEdit", "data"})


def test_what_torch_deprecates_comes_last(tmp_path: Path) -> None:
    package = tmp_path / ".venv" / "lib" / "python3.11" / "site-packages" / "torch"
    package.mkdir(parents=True)
    (package / "version.py").write_text("__version__ = '2.13.0'\n")
    (tmp_path / ".venv" / "pyvenv.cfg").write_text("version = 3.11.4\n")
    said = "ger(input, vec2) -> Tensor\n\n.. warning:: This function is deprecated and goes away.\n"
    (package / "_torch_docs.py").write_text(f'add_docstr(torch.ger, r"""{said}""")\n')
    with _offering(tmp_path, "[tool.ts-lsp]\n", TAGS) as items:
        assert items["ger"]["tags"] == [1]
        assert items["ger"]["sortText"] > items["_assert"]["sortText"] > items["zeros"]["label"]
        assert "tags" not in items["outer"]


TAGS = {"completionItem": {"tagSupport": {"valueSet": [1]}}}
SNIPPETS = {"completionItem": {"snippetSupport": True}}


@contextlib.contextmanager
def _offering(
    folder: Path, settings: str, capabilities: dict[str, Any], typed: str = "torch."
) -> Iterator[dict[str, dict[str, Any]]]:
    """What is offered behind `torch.` by a server with these settings to a client with these capabilities."""
    (folder / "pyproject.toml").write_text(settings)
    uri = (folder / "a.py").as_uri()
    with serving(folder, variables={"VIRTUAL_ENV": ""}) as pipes:
        pipes.start({"textDocument": {"completion": capabilities}})
        pipes.open(uri, TEXT.replace("x.\n", f"{typed}\n"))
        place = {"textDocument": {"uri": uri}, "position": {"line": 5, "character": 10}}
        yield {each["label"]: each for each in pipes.call("textDocument/completion", place)["items"]}
