"""Code actions as messages: for clients that resolve them, that do not, and that know commands only."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.server.pipes import Message, Pipes, serving

URI = "file:///nowhere/acted.py"
TEXT = """\
import torch

@torch.jit.script
def f(x, n: int):
    s = "é😋"; z = []
    z.append(n)
    return z
"""
RESOLVING = {
    "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source"]}},
    "dataSupport": True,
    "resolveSupport": {"properties": ["edit"]},
}
EAGER = {"codeActionLiteralSupport": RESOLVING["codeActionLiteralSupport"]}

pytestmark = pytest.mark.xdist_group("server messages")


def asked(line: int, only: Iterable[str] = (), diagnostics: Iterable[Message] = ()) -> Message:
    place = {"line": line, "character": 13}
    context = {"diagnostics": list(diagnostics), **({"only": list(only)} if only else {})}
    return {"textDocument": {"uri": URI}, "range": {"start": place, "end": place}, "context": context}


def started(pipes: Pipes, action: Message | None, **workspace: object) -> Any:
    document = {"textDocument": {"codeAction": action}} if action is not None else {}
    told = pipes.start({**document, "workspace": workspace})
    pipes.open(URI, TEXT)
    return told.get("codeActionProvider")


def test_whole_files_are_worked_out_when_they_are_chosen(tmp_path: Path) -> None:
    with serving(tmp_path) as pipes:
        assert started(pipes, RESOLVING)["resolveProvider"] is True
        offered = {each["kind"]: each for each in pipes.call("textDocument/codeAction", asked(5))}
        assert set(offered) == {"quickfix", "source.fixAll.ts-lsp"}
        assert "edit" not in offered["source.fixAll.ts-lsp"]
        pipes.change(URI, 2, "\n\n", 1, 0, 1, 0)
        resolved = pipes.call("codeAction/resolve", offered["source.fixAll.ts-lsp"])
        [edit] = resolved["edit"]["changes"][URI]
        assert edit["newText"] == ": list[int]"
        assert edit["range"]["start"] == {"line": 6, "character": 16}
        assert pipes.call("codeAction/resolve", {"title": "another's", "data": {"uri": URI}})["title"] == "another's"


def test_edits_come_at_once_where_nothing_is_resolved(tmp_path: Path) -> None:
    with serving(tmp_path) as pipes:
        assert started(pipes, EAGER)["resolveProvider"] is False
        assert "quickfix" in [each["kind"] for each in pipes.call("textDocument/codeAction", asked(5))]
        [all_fixes] = pipes.call("textDocument/codeAction", asked(0, ["source.fixAll"]))
        assert [each["newText"] for each in all_fixes["edit"]["changes"][URI]] == [": list[int]"]
        [types] = pipes.call("textDocument/codeAction", asked(0, ["source.organizeTypes"]))
        assert [each["newText"] for each in types["edit"]["changes"][URI]] == [": torch.Tensor"]


def test_a_client_of_commands_is_sent_the_edit(tmp_path: Path) -> None:
    with serving(tmp_path) as pipes:
        assert started(pipes, {}, applyEdit=True) is True
        commands = pipes.call("textDocument/codeAction", asked(5))
        chosen = next(each for each in commands if each["title"].startswith("Annotate"))
        number = pipes.ask("workspace/executeCommand", {key: chosen[key] for key in ("command", "arguments")})
        question = pipes.wait(lambda each: each.get("method") == "workspace/applyEdit")
        assert [each["newText"] for each in question["params"]["edit"]["changes"][URI]] == [": list[int]"]
        assert pipes.answer(number)["result"] is None
        for arguments in ([{}], [{**chosen["arguments"][0], "range": 1}], [], ["x"]):
            assert (
                pipes.refused("workspace/executeCommand", {"command": "ts-lsp.apply", "arguments": arguments}) == -32602
            )


def test_a_client_without_either_is_offered_nothing(tmp_path: Path) -> None:
    with serving(tmp_path) as pipes:
        assert started(pipes, None) is None
