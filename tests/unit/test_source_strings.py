"""Functions that a program defines by a text: the twin beside `torch.jit.CompilationUnit` itself."""

from __future__ import annotations

import ast
import re

import pytest

from ts_lsp.semantic.analysis import Analysis, FileFacts
from ts_lsp.syntax.literals import placed_tree
from ts_lsp.torchdata.loader import load
from ts_lsp.values.workspace import Workspace

TEXTS = (
    "def f(x: int) -> int:\n    return x\n",
    "\n    def f(x):\n        return x + 'a'\n    ",
    "def f(x: int) -> int:\n    return g(x)\n\ndef g(x: int) -> int:\n    y = 'é' + x\n    return y\n",
    "def f(x):\n    # above\n    y = x.nope\n    return y\n",
    "def f(x: Optional[int]) -> int:\n    return x\n",
    "def f(x: List[int]):\n    for i in range(len(x)):\n        x += [i]\n    return helper(x)\n",
    "def f(x):\n    if x.sum() > 0:\n        y = 1\n    return y\n",
    "def f(x):\n    return {1: 'a'}, (x,), [x], not x\n",
    "def f(x):\n    return missing(x)\n",
    "def f(x):\n    return constant\n",
    "def f(x):\n    a = b = x\n    return a @ b ** 2\n",
)
SPELLINGS = ('"""{0}"""', "'''{0}'''", "{0!r}", "r'''{0}'''", "({0!r}\n    '')", "dedent('''{0}''')")
PROGRAM = """
import torch
from textwrap import dedent
from typing import List, Optional

constant = object()

def helper(x):
    return x + 1

def make():
    return torch.jit.CompilationUnit({})
"""


def _facts(source: str) -> FileFacts:
    workspace = Workspace(load())
    workspace.set_source("main.py", source)
    return Analysis(load(), workspace).file_facts("main.py")


@pytest.mark.oracle
@pytest.mark.parametrize("text", TEXTS)
def test_verdict_and_line_are_the_compilers(text: str) -> None:
    torch = pytest.importorskip("torch")
    names = {"torch": torch, "constant": object(), "helper": lambda x: x}
    exec("from typing import List, Optional\ndef make(text): return torch.jit.CompilationUnit(text)", names)
    names["helper"] = torch.jit.script(_helper)
    try:
        names["make"](text)
        line = None
    except RuntimeError as error:
        told = str(error).rpartition("and was used here:")[2]
        line = int(re.findall(r'File "<string>", line (\d+)', told)[0])
    facts = _facts(PROGRAM.format(f'"""{text}"""'))
    findings = [(finding, each.unit) for each in facts.definitions for finding in each.findings]
    assert {entry.verdict for entry in facts.entries} <= {"ok", "error"}
    start = PROGRAM.count("\n", 0, PROGRAM.index("CompilationUnit"))
    found = [finding.place.line + unit.first_line - start + 1 for finding, unit in findings]
    assert found == ([] if line is None else [line])
    assert any(entry.verdict == "error" for entry in facts.entries) == (line is not None)


def _helper(x):  # type: ignore[no-untyped-def]
    return x + 1


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("text", TEXTS)
def test_a_node_stands_where_its_text_stands(text: str, spelling: str) -> None:
    source = f"first = 'é'; made = {spelling.format(text)}\n"
    literal = next(
        each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.Constant) and "def" in str(each.value)
    )
    tree = placed_tree(literal, source)
    assert tree is not None
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    assert names
    assert [ast.get_source_segment(source, node) for node in names] == [node.id for node in names]


@pytest.mark.parametrize(
    "written",
    [
        'f"def f(x):\\n    return {constant}\\n"',
        "helper",
        "'def f(x: return x'",
        "'def f(x):\\n    return f\"{x}\"\\n'",
        "'def f(x):\\n    return x'",
    ],
)
def test_what_is_not_known_or_read_differently_is_left_alone(written: str) -> None:
    facts = _facts(PROGRAM.format(written))
    assert [each for each in facts.definitions if each.findings] == []
