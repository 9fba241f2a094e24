"""Notebooks: one text of many cells, and answers in the cells they belong to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.pipes import Pipes, serving
from ts_lsp.server.documents import open_lines
from ts_lsp.server.notebooks import python_lines

NOTEBOOK = "file:///nowhere/a.ipynb"
IMPORTS = "%matplotlib inline\nimport torch\n!ls"
CALLEE = "def double(x):\n    return x * 2  # 😋"
BROKEN = "@torch.jit.script\ndef f(x):\n    '😋'; return double(x).no_such_method()"


@pytest.fixture
def pipes(tmp_path: Path) -> Iterator[Pipes]:
    with serving(tmp_path) as pipes:
        yield pipes


def cell(number: int) -> str:
    return f"vscode-notebook-cell:/nowhere/a.ipynb#{number}"


def item(number: int, text: str, language: str = "python") -> dict[str, Any]:
    return {"uri": cell(number), "languageId": language, "version": 1, "text": text}


def opened(pipes: Pipes, *texts: str) -> None:
    cells = [{"kind": 2, "document": cell(number)} for number in range(len(texts))]
    notebook = {"uri": NOTEBOOK, "notebookType": "jupyter-notebook", "version": 1, "cells": cells}
    items = [item(number, text) for number, text in enumerate(texts)]
    pipes.notify("notebookDocument/didOpen", {"notebookDocument": notebook, "cellTextDocuments": items})


def changed(pipes: Pipes, version: int, **cells: Any) -> None:
    notebook = {"uri": NOTEBOOK, "version": version}
    pipes.notify("notebookDocument/didChange", {"notebookDocument": notebook, "change": {"cells": cells}})


def typed(number: int, version: int, text: str, *place: int) -> dict[str, Any]:
    line, character, end_line, end_character = place
    where = {"start": {"line": line, "character": character}, "end": {"line": end_line, "character": end_character}}
    return {"document": {"uri": cell(number), "version": version}, "changes": [{"range": where, "text": text}]}


def told(pipes: Pipes, number: int, **wanted: object) -> list[Any]:
    wanted["uri"] = cell(number)
    message = pipes.notification("textDocument/publishDiagnostics", lambda params: wanted.items() <= params.items())
    return list(message["diagnostics"])


def test_cells_see_each_other(pipes: Pipes) -> None:
    capabilities = pipes.start({"notebookDocument": {"synchronization": {}}})
    assert capabilities["notebookDocumentSync"]["notebookSelector"]
    opened(pipes, IMPORTS, CALLEE, BROKEN)
    assert (told(pipes, 0), told(pipes, 1)) == ([], [])
    (found,) = told(pipes, 2)
    assert found["range"]["start"] == {"line": 2, "character": 17}
    hover = {"textDocument": {"uri": cell(1)}, "position": {"line": 1, "character": 11}}
    answer = pipes.call("textDocument/hover", hover)
    assert "Tensor" in answer["contents"]["value"]
    assert answer["range"]["start"]["line"] == 1
    changed(pipes, 2, textContent=[typed(2, 2, "relu", 2, 27, 2, 41)])
    assert told(pipes, 2) == []
    pipes.notify("notebookDocument/didClose", {"notebookDocument": {"uri": NOTEBOOK}, "cellTextDocuments": []})
    assert [told(pipes, number) for number in range(3)] == [[], [], []]
    assert pipes.end() == 0


def test_cells_come_move_and_go(pipes: Pipes) -> None:
    pipes.start({"notebookDocument": {"synchronization": {}}})
    opened(pipes, IMPORTS, BROKEN)
    assert len(told(pipes, 1)) == 1
    array = {"start": 1, "deleteCount": 0, "cells": [{"kind": 2, "document": cell(7)}]}
    changed(pipes, 2, structure={"array": array, "didOpen": [item(7, CALLEE.replace("x * 2", "3"))]})
    (found,) = told(pipes, 1)
    assert "int" in found["message"]
    structure = {"array": {"start": 1, "deleteCount": 2}, "didClose": [{"uri": cell(1)}, {"uri": cell(7)}]}
    changed(pipes, 3, structure=structure)
    assert told(pipes, 1) == []
    changed(pipes, 4, textContent=[typed(1, 2, "x", 0, 0, 0, 0)])
    pipes.notification("window/logMessage", lambda params: "notebookDocument/didChange" in params["message"])
    changed(pipes, 5, textContent=[typed(0, 2, "x = (\n", 0, 0, 0, 0)])
    assert len(told(pipes, 0, version=2)) == 1


@pytest.mark.parametrize(
    ("cell_text", "python"),
    [
        ("x = 1", "x = 1\n"),
        ("%time f()\nif x:\n    !ls\n", "#time f()\nif x:\n    #ls\n\n"),
        ("files = !ls\n", "files = 0#ls\n\n"),
        ("torch.add?\nx = '?'\n# why?\n", "#orch.add?\nx = '?'\n# why?\n\n"),
        ("%%bash\nls | wc\n", "#%bash\n#s | wc\n\n"),
        ("%%time\nx = 1 % 2\ny = x %\\\n 3", "#%time\nx = 1 % 2\ny = x %\\\n 3\n"),
    ],
)
def test_what_is_no_python_becomes_a_comment(cell_text: str, python: str) -> None:
    assert "".join(python_lines(open_lines(cell_text))) == python


def test_what_is_python_is_no_magic() -> None:
    cells = (
        ["y = f(x)  # right?\n", "z = 1\n"],
        ["text = '''\n", "%d of them\n", "!\n", "'''\n"],
        ["rest = (7\n", "% 3)\n"],
    )
    for cell in cells:
        assert python_lines(cell) == cell
    assert python_lines(["%matplotlib inline\n", "x = 1  # right?\n", "torch.nn?"]) == [
        "#matplotlib inline\n",
        "x = 1  # right?\n",
        "#orch.nn?\n",
    ]
