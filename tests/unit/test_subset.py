"""The subset: every program's refusals, and the same programs before the real compiler."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import re
import sys
import sysconfig
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import pytest

from tests.unit.subset_programs import PROGRAMS, Program
from ts_lsp.syntax.parser import parse_source
from ts_lsp.syntax.source import first_line_of
from ts_lsp.syntax.subset import Refusal, class_refusals, refusals, signature_comment
from ts_lsp.text import decode_source, split_lines

_MARK = re.compile(r"<<\W*$", re.MULTILINE)


def _marked_line(program: Program) -> int | None:
    mark = _MARK.search(program.text)
    return None if mark is None else program.text.count("\n", 0, mark.start()) + 1


def _refusals(text: str) -> list[tuple[int, Refusal]]:
    """The refusals of `f` and `C` with the first lines of their chunks."""
    found: list[tuple[int, Refusal]] = []
    for placed in parse_source(text).chunks:
        assert not placed.chunk.problems
        for node in ast.walk(placed.chunk.tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == "f":
                found += [(placed.first_line, refusal) for refusal in refusals(node, placed.chunk)]
            elif isinstance(node, ast.ClassDef) and node.name == "C":
                found += [(placed.first_line, refusal) for refusal in class_refusals(node, placed.chunk)]
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_codes_and_first_line(name: str) -> None:
    program = PROGRAMS[name]
    found = _refusals(program.text)
    assert tuple(refusal.code for _, refusal in found) == program.codes
    first = found[0][0] + found[0][1].place.line + 1 if found else None
    assert first == _marked_line(program)


@pytest.fixture(scope="module")
def torch() -> ModuleType:
    if importlib.util.find_spec("torch") is None:
        if os.environ.get("CI"):
            pytest.fail("no torch here to verify the subset with")
        pytest.skip("no torch here")
    import torch

    return torch


def _imported(text: str, folder: Path, name: str) -> ModuleType:
    """The module of `text`, in a file, since the compiler reads sources from files."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _first_line_of_error(error: Exception, name: str) -> int | None:
    line = re.search(rf'File "[^"]*{name}\.py", line (\d+)', str(error))
    return None if line is None else int(line[1])


@pytest.mark.oracle
@pytest.mark.parametrize("name", PROGRAMS)
def test_compiler_agrees(name: str, torch: ModuleType, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    module_name = f"subset_program_{list(PROGRAMS).index(name)}"
    module = _imported(program.text, tmp_path, module_name)
    try:
        if program.codes:
            with pytest.raises(Exception) as caught:  # noqa: PT011 - of many kinds, some of them Python's own
                torch.jit.script(module.f if hasattr(module, "f") else module.C)
            # Where its own Python trips, the compiler names no line.
            assert _first_line_of_error(caught.value, module_name) in (None, _marked_line(program))
        elif hasattr(module, "f"):
            torch.jit.frontend.get_jit_def(module.f, "f")
        else:
            torch.jit.frontend.get_jit_class_def(module.C, "C")
    finally:
        del sys.modules[module_name]


_REAL_MODULES = (
    "argparse",
    "difflib",
    "inspect",
    "logging/__init__",
    "tarfile",
    "typing",
    "unittest/mock",
    "xmlrpc/client",
)


def _compiler_refusal(frontend: ModuleType, block: list[str], name: str, method: bool) -> tuple[str, int | None] | None:
    """How the compiler refuses the function of these lines, and the line counted from the first, if it names one."""
    from torch._sources import SourceContext, normalize_source_lines
    from torch.jit.annotations import get_type_line

    source = "".join(normalize_source_lines(block))
    dedented = dedent(source)
    try:
        (function,) = ast.parse(dedented).body
        if not isinstance(function, ast.FunctionDef):
            return "RuntimeError", None
        lead = len(source.split("\n", 1)[0]) - len(dedented.split("\n", 1)[0])
        context = SourceContext(source, "f.py", 1, lead, True, name)
        frontend.build_def(context, function, get_type_line(source), name, "C" if method else None)
    except Exception as error:
        return type(error).__name__, _first_line_of_error(error, "f")
    return None


@pytest.mark.oracle
@pytest.mark.parametrize("module", _REAL_MODULES)
def test_compiler_agrees_on_real_code(module: str, torch: ModuleType) -> None:
    text = decode_source((Path(sysconfig.get_paths()["stdlib"]) / f"{module}.py").read_bytes()).text
    lines = split_lines(text)
    compared = 0
    for placed in parse_source(text).chunks:
        nodes = list(ast.walk(placed.chunk.tree))
        methods = {statement for node in nodes if isinstance(node, ast.ClassDef) for statement in node.body}
        for node in nodes:
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            first = first_line_of(node)
            block = inspect.getblock(lines[placed.first_line + first :])
            theirs = _compiler_refusal(torch.jit.frontend, block, node.name, node in methods)
            ours = refusals(node, placed.chunk, is_method=node in methods)
            assert bool(theirs) == bool(ours), (node.name, theirs, ours)
            if theirs and theirs[1] is not None:
                assert ours[0].place.line - first + 1 == theirs[1], (node.name, theirs, ours)
            compared += 1
    assert compared > 30


def _place_text(text: str) -> str:
    ((first_line, refusal),) = _refusals(text)
    lines = text.split("\n")[first_line:]
    place = refusal.place
    assert place.line == place.end_line
    return lines[place.line][place.column : place.end_column]


@pytest.mark.parametrize(
    ("statement", "place"),
    [
        ("return (lambda: 0)", "lambda: 0"),
        ("import os as o", "import os as o"),
        ("def g(y): pass", "def g"),
        ("async def g(y): pass", "async def g"),
        ("class G: pass", "class G"),
        ("x //= 2  # //=", "//="),
        ("raise", "raise"),
        ("é = '日本'; return b'é' if é else x".replace("b'é'", "b'e'"), "b'e'"),
        ("self.a: int = 1", "self.a: int"),
        ("with x as (a, b): pass", "(a, b)"),
        ("return g(**x.y)", "x.y"),
        ("return [i for i in x if i]", "[i for i in x if i]"),
    ],
)
def test_places_are_for_people(statement: str, place: str) -> None:
    assert _place_text(f"def f(self, x):\n    {statement}\n") == place


def test_else_of_a_loop_is_told() -> None:
    ((_, refusal),) = _refusals("def f(x):\n    for i in x:\n        pass  # else\n    else:\n        pass\n")
    keyword = refusal.data["keyword"]
    assert (keyword.line, keyword.column) == (3, 4)  # type: ignore[attr-defined]


def test_unused_function_keeps_only_its_signature() -> None:
    text = "def f(x: (lambda: 0), *args, k=b'a') -> (lambda: 0):\n    import os\n"
    (chunk,) = (placed.chunk for placed in parse_source(text).chunks)
    (function,) = chunk.tree.body
    assert isinstance(function, ast.FunctionDef)
    codes = [refusal.code for refusal in refusals(function, chunk, is_unused=True)]
    assert codes == ["bytes-literal", "keyword-only-default", "lambda-expression"]


def test_lambda_is_no_function() -> None:
    (placed,) = parse_source("f = lambda x: x\n").chunks
    node = next(node for node in ast.walk(placed.chunk.tree) if isinstance(node, ast.Lambda))
    assert [refusal.code for refusal in refusals(node, placed.chunk)] == ["not-a-function"]


@pytest.mark.oracle
def test_depth_that_the_compiler_does_not_survive(torch: ModuleType, tmp_path: Path) -> None:
    text = "def f(x):\n    return " + "-" * 700 + "x\n"
    ((_, refusal),) = _refusals(text)
    assert refusal.code == "nested-too-deeply"
    module = _imported(text, tmp_path, "deeply_nested_program")
    with pytest.raises(RecursionError):
        torch.jit.script(module.f)


def test_signature_comment_on_one_line() -> None:
    text = "class A:\n    def f(self, x, y):\n        # type: (int, Dict[str, int]) -> Tensor  # why\n        pass\n"
    (chunk,) = (placed.chunk for placed in parse_source(text).chunks)
    function = next(node for node in ast.walk(chunk.tree) if isinstance(node, ast.FunctionDef))
    comment = signature_comment(function, chunk)
    assert comment is not None
    assert comment.returns is not None
    assert [piece.text for piece in comment.parameters] == ["int", "Dict[str, int]"]
    assert [chunk.lines.slice(piece.place) for piece in comment.parameters] == ["int", "Dict[str, int]"]
    assert chunk.lines.slice(comment.returns.place) == comment.returns.text == "Tensor"
    assert comment.text == "# type: (int, Dict[str, int]) -> Tensor  # why"


def test_signature_comment_over_lines() -> None:
    text = "def f(x,  # type: int\n      y,  # type: List[int]\n      ):\n    # type: (...) -> Tensor\n    pass\n"
    (chunk,) = (placed.chunk for placed in parse_source(text).chunks)
    (function,) = chunk.tree.body
    assert isinstance(function, ast.FunctionDef)
    comment = signature_comment(function, chunk)
    assert comment is not None
    assert comment.returns is not None
    assert comment.text == "    # type: (int, List[int]) -> Tensor"
    assert [(piece.text, piece.place.line) for piece in comment.parameters] == [("int", 0), ("List[int]", 1)]
    assert chunk.lines.slice(comment.returns.place) == "Tensor"
