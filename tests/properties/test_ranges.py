"""The compiler's ranges of thousands of nodes of real code, equal to the compiler's."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest

from ts_lsp.syntax.parser import parse_source
from ts_lsp.syntax.ranges import CompilerRanges
from ts_lsp.syntax.source import end_line_of, first_line_of
from ts_lsp.syntax.tree import Chunk
from ts_lsp.text import decode_source, split_lines

pytestmark = pytest.mark.oracle

_STANDARD_MODULES = ("argparse", "ast", "dataclasses", "decimal", "difflib", "inspect", "locale", "textwrap", "typing")
_TORCH_MODULES = ("nn/functional.py", "nn/modules/rnn.py", "nn/modules/module.py", "functional.py", "_tensor.py")

_ODD_PROGRAMS = (
    "if a:\n    @d\n    def f(x):\n        # type: (int) -> int\n        return x + x.a\n",
    "if a:\n    @d(1)\n    def f():\n        # type: () -> int\n        return g(1) + 2\n",
    "@d(1)\ndef f(x,  # type: int\n      ):\n    # type: (...) -> int\n    return g(1) + 2\n",
    "def f(x):\n    return (x).shape, x  .  shape, (3) + (x), x[(0)], x[1:], x[:], x[0, :], x[0,], x[()]\n",
    "def f(é, x):\n    ünïcode = é.größe[x.é:é, 'ß']  ; return ünïcode.größe\n",
    "class A:\n    def f(self, x):\n        '''a\n    b é\n\n        c''' ; y = x.a\n        return y.b\n",
    "class A:\n    def f(self, x):\n        y = '''a\n  \n        c'''.join(x).strip()\n# left\n        return y.b\n",
    (
        "class A:\n"
        "    @first\n"
        "    @second(1,\n"
        "2)\n"
        "    def f(self, x: int, *, k: str) -> 'é':\n"
        "        return 0x1000 + 1e-5 + 1e10\n"
    ),
    "class A:\n\tdef f(self, x):\n\t\tfor i, (a, b) in x:\n\t\t\tcontinue\n\t\treturn f'a{x.y}b' f'{self}'\n",
    (
        "def f(x):\n"
        "    if x:\n"
        "        pass\n"
        "    elif x.y:\n"
        "        del x.z\n"
        "    else:\n"
        "        x[0] += {1: 2, 'a' 'b': [*x]}\n"
    ),
    (
        "def f(x):\n"
        "    with x.a() as b, x.c():\n"
        "        assert not x, x.m\n"
        "    while x < 3 <= x:\n"
        "        break\n"
        "    raise E(x)\n"
    ),
    "def f(x):\n    return [i.a for i in x], {k: v for k, v in x.items()}, sum(i for i in x), x if x.a else -x\n",
    "def f(x, /, y):\n    # type: (int) -> int\n    a: int = y\n    return a and y or None is ...\n",
)


@pytest.fixture(scope="module")
def frontend() -> ModuleType:
    if importlib.util.find_spec("torch") is None:
        if os.environ.get("CI"):
            pytest.fail("no torch here to compare ranges with")
        pytest.skip("no torch here")
    import torch.jit.frontend

    return torch.jit.frontend


def _compiled(
    frontend: ModuleType, function: ast.FunctionDef, source: str, lead: int, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[ast.AST, Any]]:
    """Every node that the compiler converted, with its range; what it converted before it refused, if it did."""
    from torch._sources import SourceContext
    from torch.jit.annotations import get_type_line

    context = SourceContext(source, "f.py", 0, lead, True, function.name)
    converted: list[tuple[ast.AST, Any]] = []

    def recording(build: Callable[[Any, ast.AST], Any]) -> Callable[[Any, ast.AST], Any]:
        def built(context: Any, node: ast.AST) -> Any:
            tree = build(context, node)
            converted.append((node, tree.range()))
            return tree

        return built

    with monkeypatch.context() as patch:
        for name in ("build_expr", "build_stmt", "build_withitem"):
            patch.setattr(frontend, name, recording(getattr(frontend, name)))
        try:
            definition = frontend.build_def(context, function, get_type_line(source), function.name)
        except Exception:
            return converted
    converted.append((function, definition.range()))
    return converted


def _functions(text: str) -> Iterator[tuple[Chunk, int, ast.FunctionDef]]:
    for placed in parse_source(text).chunks:
        for node in ast.walk(placed.chunk.tree):
            if isinstance(node, ast.FunctionDef):
                yield placed.chunk, placed.first_line, node


def _compare(text: str, frontend: ModuleType, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many nodes of `text` were compared; fails where one differs."""
    from torch._sources import normalize_source_lines

    compared = 0
    file_lines = split_lines(text)
    for chunk, chunk_line, function in _functions(text):
        first = first_line_of(function)
        block = inspect.getblock(file_lines[chunk_line + first :])
        assert first + len(block) == end_line_of(function, chunk.lines), function.name
        source = "".join(normalize_source_lines(block))
        dedented = dedent(source)
        (tree,) = ast.parse(dedented).body
        assert isinstance(tree, ast.FunctionDef)
        lead = len(source.split("\n", 1)[0]) - len(dedented.split("\n", 1)[0])
        ours = dict(zip(ast.walk(tree), ast.walk(function), strict=True))
        ranges = CompilerRanges(chunk, function)
        data = source.encode()
        for node, theirs in _compiled(frontend, tree, source, lead, monkeypatch):
            if node in ours:
                assert ranges._span(ours[node]) == (theirs.start, theirs.end), (
                    f"{ast.dump(node)[:80]} of {function.name}: {data[theirs.start : theirs.end]!r}"
                )
                ranges.of(ours[node])
                compared += 1
    return compared


@pytest.mark.parametrize("text", _ODD_PROGRAMS)
def test_odd_programs(text: str, frontend: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _compare(text, frontend, monkeypatch) > 5


def _sources(frontend: ModuleType) -> list[Path]:
    library = Path(sysconfig.get_paths()["stdlib"])
    torch_folder = Path(sys.modules["torch"].__file__ or "").parent
    return [
        *(library / f"{name}.py" for name in _STANDARD_MODULES),
        *(torch_folder / name for name in _TORCH_MODULES),
    ]


def test_real_code(frontend: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    for path in _sources(frontend):
        compared += _compare(decode_source(path.read_bytes()).text, frontend, monkeypatch)
    assert compared > 20_000


def test_places_are_code_points_of_the_chunk() -> None:
    (placed,) = parse_source("class A:\n    def f(self):\n        return 'é', self.größe.x\n").chunks
    function = next(node for node in ast.walk(placed.chunk.tree) if isinstance(node, ast.FunctionDef))
    ranges = CompilerRanges(placed.chunk, function)
    attribute = next(node for node in ast.walk(function) if isinstance(node, ast.Attribute))
    # `größe` has five characters and seven bytes: its range falls two bytes short, and that of `x` starts from there.
    assert placed.chunk.lines.slice(ranges.of(attribute)) == "self.größe"
    assert placed.chunk.lines.slice(ranges.header(function)) == "def f(self"
