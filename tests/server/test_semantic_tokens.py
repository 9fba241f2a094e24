"""Semantic tokens as numbers: whole, in a stretch, in a cell, and what changed since."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.pipes import Message, Pipes, serving
from ts_lsp.server.token_data import NUMBERS, difference

URI = "file:///nowhere/coloured.py"
TEXT = """\
import torch

@torch.jit.script
def f(x, n: int):
    "😋"; y = x + n
    return y


@torch.jit.script
def g(x):
    return x.relu()
"""
DOCUMENT = {"textDocument": {"uri": URI}}
CHANGES = {"textDocument": {"semanticTokens": {"requests": {"full": {"delta": True}}}}}

pytestmark = pytest.mark.xdist_group("server messages")


def placed(data: list[int], text: str) -> list[str]:
    """The texts of tokens, in utf-16 units."""
    lines = [line.encode("utf-16-le") for line in text.split("\n")]
    found, line, start = [], 0, 0
    for at in range(0, len(data), NUMBERS):
        down, right, length = data[at : at + 3]
        line, start = line + down, right if down else start + right
        found.append(lines[line][2 * start : 2 * (start + length)].decode("utf-16-le"))
    return found


def changed(data: list[int], answer: Message) -> list[int]:
    for edit in answer["edits"]:
        data = [*data[: edit["start"]], *edit.get("data", []), *data[edit["start"] + edit["deleteCount"] :]]
    return data


def whole(pipes: Pipes) -> Any:
    return pipes.call("textDocument/semanticTokens/full", DOCUMENT)


def test_what_changed_leads_to_the_same_as_asking_anew(tmp_path: Path) -> None:
    with serving(tmp_path) as pipes:
        assert pipes.start(CHANGES)["semanticTokensProvider"]["full"] == {"delta": True}
        pipes.open(URI, TEXT)
        first = whole(pipes)
        assert placed(first["data"], TEXT)[:6] == ["x", "n", "y", "x", "n", "y"]
        data, name = first["data"], first["resultId"]
        edits = ((4, 16, 4, 16, " * x"), (8, 0, 8, 0, "\n\n"), (2, 0, 2, 17, ""), (2, 0, 2, 0, "@torch.jit.script"))
        for version, (*place, new) in enumerate(edits, start=2):
            pipes.change(URI, version, new, *place)
            answer = pipes.call("textDocument/semanticTokens/full/delta", {**DOCUMENT, "previousResultId": name})
            data, anew = changed(data, answer), whole(pipes)
            assert data == anew["data"]
            name = anew["resultId"]
        same = pipes.call("textDocument/semanticTokens/full/delta", {**DOCUMENT, "previousResultId": name})
        assert same["edits"] == []
        unknown = pipes.call("textDocument/semanticTokens/full/delta", {**DOCUMENT, "previousResultId": "?"})
        assert unknown["data"] == data


def test_a_stretch(tmp_path: Path) -> None:
    with serving(tmp_path) as pipes:
        assert pipes.start()["semanticTokensProvider"]["full"] is True
        pipes.open(URI, TEXT)
        place = {"start": {"line": 9, "character": 0}, "end": {"line": 10, "character": 0}}
        found = pipes.call("textDocument/semanticTokens/range", {**DOCUMENT, "range": place})
        assert placed(found["data"], TEXT) == ["x", "x", "relu"]


def test_a_cell_counts_from_its_own_first_line(tmp_path: Path) -> None:
    uris = [f"vscode-notebook-cell:/nowhere/a.ipynb#{number}" for number in range(2)]
    texts = ["import torch\n", "@torch.jit.script\ndef f(x):\n    return x.relu()"]
    with serving(tmp_path) as pipes:
        pipes.start({"notebookDocument": {"synchronization": {}}})
        notebook = {"uri": "file:///nowhere/a.ipynb", "notebookType": "jupyter-notebook", "version": 1}
        cells = [{"kind": 2, "document": uri} for uri in uris]
        items = [
            {"uri": uri, "languageId": "python", "version": 1, "text": text}
            for uri, text in zip(uris, texts, strict=True)
        ]
        params = {"notebookDocument": {**notebook, "cells": cells}, "cellTextDocuments": items}
        pipes.notify("notebookDocument/didOpen", params)
        found = pipes.call("textDocument/semanticTokens/full", {"textDocument": {"uri": uris[1]}})
        assert placed(found["data"], texts[1]) == ["x", "x", "relu"]
        assert pipes.call("textDocument/semanticTokens/full", {"textDocument": {"uri": uris[0]}})["data"] == []


@given(st.lists(st.integers(0, 2), max_size=4), st.lists(st.integers(0, 2), max_size=4))
def test_differences(before: list[int], after: list[int]) -> None:
    old, new = ([each for kind in kinds for each in (0, kind, 1, 0, 0)] for kinds in (before, after))
    found = difference(old, new)
    if found is None:
        assert old == new
    else:
        start, removed, data = found
        assert [*old[:start], *data, *old[start + removed :]] == new
        assert start % NUMBERS == removed % NUMBERS == len(data) % NUMBERS == 0
