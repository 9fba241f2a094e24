"""What a client cannot show or answer is not sent to it: the same session with each capability and without it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.server.pipes import Message, Pipes, serving

EDITOR = json.loads((Path(__file__).parent / "data/vscode.json").read_text())["capabilities"]
URI = "untitled:shown.py"
TEXT = """\
import torch
import torch.nn.functional as F


def below(x, n: int):
    return x + n


@torch.jit.script
def above(x, text: str):
    y = F.relu(x)
    return below(y, text)
"""
REFRESHES = {
    "codeLens": "codeLens",
    "inlayHint": "inlayHint",
    "semanticTokens": "semanticTokens",
    "diagnostics": "diagnostic",
}
"""Capabilities, and the names of the requests that go with them."""


def document(**more: object) -> Message:
    return {"textDocument": {"uri": URI}, **more}


def at(line: int, character: int) -> Message:
    return document(position={"line": line, "character": character})


def everything(value: Any) -> list[tuple[str, Any]]:
    """All keys with their values, however deep."""
    if isinstance(value, list):
        return [each for one in value for each in everything(one)]
    if isinstance(value, dict):
        return [*value.items(), *(each for one in value.values() for each in everything(one))]
    return []


def test_a_client_that_can_nothing_is_sent_the_plainest(tmp_path: Path) -> None:
    with serving(tmp_path) as pipes:
        pipes.start({})
        pipes.open(URI, TEXT)
        told: list[Any] = [pipes.diagnostics(URI, 1)]
        assert len(told[0]) == 1
        hover = pipes.call("textDocument/hover", at(10, 10))
        assert hover["contents"]["kind"] == "plaintext"
        assert "`" not in hover["contents"]["value"]
        help = pipes.call("textDocument/signatureHelp", at(10, 15))
        completion = pipes.call("textDocument/completion", at(10, 10))
        assert {"label": "relu", "kind": 3}.items() <= completion["items"][names(completion).index("relu")].items()
        told += [hover, help, completion]
        told += [pipes.call(f"textDocument/{each}", at(11, 14)) for each in ("definition", "documentHighlight")]
        told += [pipes.call("textDocument/rename", {**at(11, 14), "newName": "lower"})]
        keys = {key for key, _ in everything(told)}
        newer = {"relatedInformation", "codeDescription", "insertTextFormat", "itemDefaults", "tags"}
        assert not keys & (newer | {"documentChanges", "targetUri"})
        assert ("kind", "markdown") not in everything(told)
        pipes.notify("workspace/didChangeConfiguration", {"settings": {"ts-lsp": {"ignore": ["argument-type"]}}})
        pipes.call("textDocument/hover", at(10, 10))
        assert [each["method"] for each in pipes.seen if "id" in each and "method" in each] == []
        assert pipes.end() == 0


def names(completion: Message) -> list[str]:
    return [each["label"] for each in completion["items"]]


@pytest.mark.parametrize("formats", [["markdown", "plaintext"], ["plaintext", "markdown"], ["plaintext"], ["other"]])
def test_documentation_is_written_in_the_first_known_format(tmp_path: Path, formats: list[str]) -> None:
    with serving(tmp_path) as pipes:
        pipes.start({"textDocument": {"hover": {"contentFormat": formats}}})
        pipes.open(URI, TEXT)
        contents = pipes.call("textDocument/hover", at(10, 10))["contents"]
        is_markdown = formats[0] == "markdown"
        assert contents["kind"] == ("markdown" if is_markdown else "plaintext")
        assert ("```" in contents["value"]) is is_markdown


@pytest.mark.parametrize("shows", [True, False])
def test_related_places_are_told_to_who_shows_them(tmp_path: Path, shows: bool) -> None:
    with serving(tmp_path) as pipes:
        pipes.start({"textDocument": {"publishDiagnostics": {"relatedInformation": shows}}})
        pipes.open(URI, TEXT)
        found = pipes.diagnostics(URI, 1)
        related = [each for one in found for each in one.get("relatedInformation", ())]
        assert bool(related) is shows
        assert all(each["location"]["uri"] == URI for each in related)


@pytest.mark.parametrize("able", [*REFRESHES, None])
def test_what_is_shown_is_asked_for_again_where_that_is_supported(tmp_path: Path, able: str | None) -> None:
    capability = {"workspace": {able: {"refreshSupport": True}}} if able else {}
    with serving(tmp_path) as pipes:
        pipes.start(capability)
        pipes.open(URI, TEXT)
        assert pipes.diagnostics(URI, 1)
        pipes.notify("workspace/didChangeConfiguration", {"settings": {"ts-lsp": {"scope": "all"}}})
        pipes.call("textDocument/hover", at(10, 10))
        asked = [each["method"] for each in pipes.seen if "id" in each and "method" in each]
        assert asked == ([f"workspace/{REFRESHES[able]}/refresh"] if able else [])


def test_reports_are_told_once_and_again_when_they_change(tmp_path: Path) -> None:
    file = tmp_path / "shown.py"
    file.write_text(TEXT)
    asked = {"textDocument": {"uri": file.as_uri()}}
    with serving(tmp_path) as pipes:
        pipes.start(EDITOR, rootUri=tmp_path.as_uri())
        (whole,) = pipes.call("workspace/diagnostic", {"previousResultIds": []})["items"]
        pipes.open(file.as_uri(), TEXT)
        known = whole["resultId"]
        unchanged = pipes.call("textDocument/diagnostic", {**asked, "previousResultId": known})
        assert unchanged == {"kind": "unchanged", "resultId": known}
        again = pipes.ask("workspace/diagnostic", {"previousResultIds": [{"uri": file.as_uri(), "value": known}]})
        pipes.change(file.as_uri(), 2, "# nothing new\n", 12, 0, 12, 0)
        assert pipes.call("textDocument/diagnostic", {**asked, "previousResultId": known}) == unchanged
        assert not answered(pipes, again)
        pipes.change(file.as_uri(), 3, "\n", 0, 0, 0, 0)
        (moved,) = pipes.answer(again)["result"]["items"]
        assert (moved["kind"], moved["version"]) == ("full", 3)
        assert moved["items"][0]["range"]["start"]["line"] == whole["items"][0]["range"]["start"]["line"] + 1
        report = pipes.call("textDocument/diagnostic", {**asked, "previousResultId": known})
        assert (report["kind"], report["resultId"]) == ("full", moved["resultId"])


def answered(pipes: Pipes, number: int) -> bool:
    time.sleep(0.2)
    pipes.call("workspace/symbol", {"query": "above"})
    return any(each.get("id") == number and "method" not in each for each in pipes.seen)
