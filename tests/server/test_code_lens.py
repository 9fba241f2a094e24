"""Code lenses as messages: what they lead to, and which are shown to whom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.server.pipes import Message, Pipes, serving

TEXT = "import torch\n\n@torch.jit.script\ndef f(x):\n    return x.no_such_method()\n"
SHOWING = {"window": {"showDocument": {"support": True}}}

pytestmark = pytest.mark.xdist_group("server messages")


def started(pipes: Pipes, folder: Path, capabilities: Message | None = None, **settings: object) -> list[Any]:
    file = folder / "lenses.py"
    file.write_text(TEXT)
    pipes.start(capabilities, rootUri=folder.as_uri(), initializationOptions=settings)
    pipes.open(file.as_uri(), TEXT)
    found: list[Any] = pipes.call("textDocument/codeLens", {"textDocument": {"uri": file.as_uri()}})
    return found


def environment(folder: Path) -> None:
    """An environment that has torch, as far as its folders say."""
    prefix = folder / ".venv"
    for part in ("lib/python3.11/site-packages/torch-2.13.0.dist-info", "Lib/site-packages/torch-2.13.0.dist-info"):
        (prefix / part).mkdir(parents=True)
    (prefix / "pyvenv.cfg").write_text("version = 3.11.7\n")


def test_a_lens_leads_to_the_entry_point(tmp_path: Path) -> None:
    with serving(tmp_path) as pipes:
        lenses = started(pipes, tmp_path, SHOWING, python="")
        titles = {each["command"]["title"]: each["command"] for each in lenses}
        assert titles["does not compile: 1 error"]["command"] == ""
        command = titles["compiled by torch.jit.script in line 3"]
        number = pipes.ask("workspace/executeCommand", {key: command[key] for key in ("command", "arguments")})
        question = pipes.wait(lambda each: each.get("method") == "window/showDocument")
        assert question["params"]["uri"] == (tmp_path / "lenses.py").as_uri()
        assert question["params"]["selection"]["start"] == {"line": 2, "character": 1}
        assert pipes.answer(number)["result"] is None
        assert (
            pipes.refused("workspace/executeCommand", {"command": "ts-lsp.showEntryPoint", "arguments": [1]}) == -32602
        )


def test_a_lens_leads_nowhere_where_the_client_cannot_go(tmp_path: Path) -> None:
    with serving(tmp_path) as pipes:
        lenses = started(pipes, tmp_path)
        assert [each["command"]["command"] for each in lenses if "compiled by" in each["command"]["title"]] == [""]


def test_the_real_compiler_is_offered_where_it_is_installed(tmp_path: Path) -> None:
    environment(tmp_path)
    with serving(tmp_path) as pipes:
        lenses = started(pipes, tmp_path)
        [command] = [each["command"] for each in lenses if each["command"]["title"] == "verify with torch"]
        assert command["command"] == "ts-lsp.verify"
        assert command["arguments"] == [(tmp_path / "lenses.py").as_uri()]


def test_settings_choose_the_kinds(tmp_path: Path) -> None:
    environment(tmp_path)
    with serving(tmp_path) as pipes:
        [lens] = started(pipes, tmp_path, **{"code-lens": ["failures"]})
        assert lens["command"]["title"] == "does not compile: 1 error"


def test_what_is_shown_is_asked_for_again_when_settings_change(tmp_path: Path) -> None:
    refreshing = {"codeLens": {"refreshSupport": True}, "inlayHint": {"refreshSupport": True}}
    with serving(tmp_path) as pipes:
        started(pipes, tmp_path, {"workspace": refreshing})
        pipes.notify("workspace/didChangeConfiguration", {"settings": {"ts-lsp": {"code-lens": []}}})
        for method in ("workspace/codeLens/refresh", "workspace/inlayHint/refresh"):
            pipes.wait(lambda each, method=method: each.get("method") == method)  # type: ignore[misc]
        place = {"textDocument": {"uri": (tmp_path / "lenses.py").as_uri()}}
        assert pipes.call("textDocument/codeLens", place) == []
