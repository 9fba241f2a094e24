"""Who may know whom, read off the imports: see docs/architecture.md."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ts_lsp

PACKAGE = Path(ts_lsp.__file__).parent
LAYERS = ("text", "syntax", "types", "torchdata", "values", "semantic", "rules", "ide")
MAY_IMPORT: dict[str, frozenset[str]] = {
    "records": frozenset(),
    "weakcache": frozenset(),
    **{layer: frozenset(LAYERS[: index + 1]) for index, layer in enumerate(LAYERS)},
    "project": frozenset({"text", "project"}),
    "pybridge": frozenset({"text", "ide", "pybridge"}),
    "server": frozenset({*LAYERS, "project", "pybridge", "server"}),
    "cli": frozenset({*LAYERS, "project", "pybridge", "server", "cli"}),
    "__main__": frozenset({"cli"}),
    "__init__": frozenset(),
}
ONLY_IN = {"jedi": "pybridge", "pygls": "server", "lsprotocol": "server"}
# The program that `verify` runs in a process of its own; nothing imports it.
RUNS_TORCH = Path("cli/compile_with_torch.py")
TOUCHES_THE_WORLD = frozenset(
    [
        "os",
        "pathlib",
        "subprocess",
        "socket",
        "time",
        "datetime",
        "threading",
        "asyncio",
        "random",
        "tempfile",
        "shutil",
        "urllib",
        "logging",
    ]
)
READS_ITS_OWN_FILES = Path("torchdata/loader.py")
MUTATORS = frozenset(
    [
        "append",
        "extend",
        "insert",
        "remove",
        "add",
        "discard",
        "update",
        "setdefault",
        "pop",
        "popitem",
        "clear",
        "sort",
    ]
)

FILES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))


def layer_of(file: Path) -> str:
    return file.parts[0].removesuffix(".py")


@functools.cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse((PACKAGE / file).read_text(encoding="utf-8"))


def imported_modules(file: Path) -> Iterator[str]:
    """The dotted names that the file imports, those inside functions included."""
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            module = node.module or ""
            yield from (f"{module}.{alias.name}" for alias in node.names) if module == "ts_lsp" else (module,)


def test_every_layer_has_its_place() -> None:
    assert {layer_of(file) for file in FILES} <= set(MAY_IMPORT)


@pytest.mark.parametrize("file", FILES, ids=str)
def test_a_layer_imports_only_what_it_may(file: Path) -> None:
    own = {name.split(".")[1] for name in imported_modules(file) if name.startswith("ts_lsp.")} - {"__version__"}
    assert own - {"records", "weakcache"} <= MAY_IMPORT[layer_of(file)]


@pytest.mark.parametrize("file", FILES, ids=str)
def test_foreign_packages_stay_where_they_belong(file: Path) -> None:
    for name in imported_modules(file):
        root = name.split(".")[0]
        assert ONLY_IN.get(root, layer_of(file)) == layer_of(file), f"{file} imports {root}"
        assert root != "torch" or file == RUNS_TORCH
        assert name != f"ts_lsp.{'.'.join(RUNS_TORCH.with_suffix('').parts)}"


@pytest.mark.parametrize("file", [file for file in FILES if layer_of(file) in LAYERS], ids=str)
def test_the_core_does_not_touch_the_world(file: Path) -> None:
    roots = {name.split(".")[0] for name in imported_modules(file)}
    allowed = {"pathlib"} if file == READS_ITS_OWN_FILES else set()
    assert not roots & TOUCHES_THE_WORLD - allowed
    called = {
        node.func.id
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"open", "print", "input", "exec", "eval", "__import__"}


@pytest.mark.parametrize("file", [file for file in FILES if layer_of(file) in LAYERS], ids=str)
def test_the_core_changes_no_module_global(file: Path) -> None:
    tree = tree_of(file)
    names = {
        target.id
        for statement in tree.body
        if isinstance(statement, (ast.Assign, ast.AnnAssign))
        for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
        if isinstance(target, ast.Name)
    }
    for function in (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))):
        own = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        own |= {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
        for node in ast.walk(function):
            assert not isinstance(node, ast.Global), f"{file}: {node.names}"
            assert _changed_name(node) not in names - own, f"{file}:{getattr(node, 'lineno', 0)}"


def _changed_name(node: ast.AST) -> str | None:
    """The name of a container that the node changes in place."""
    holder: ast.expr | None = None
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
        holder = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MUTATORS:
        holder = node.func.value
    return holder.id if isinstance(holder, ast.Name) else None


_IMPORTS_EACH_FIRST = """
import importlib, sys
for name in sys.argv[1:]:
    for known in [each for each in sys.modules if each.startswith("ts_lsp")]:
        del sys.modules[known]
    importlib.import_module(name)
"""


@pytest.mark.parametrize("layer", ["semantic", "ide"])
def test_any_module_may_be_imported_first(layer: str) -> None:
    names = [
        f"ts_lsp.{layer}.{each.stem}" for each in sorted((PACKAGE / layer).glob("*.py")) if each.stem != "__init__"
    ]
    run = subprocess.run(
        [sys.executable, "-c", _IMPORTS_EACH_FIRST, *names], capture_output=True, text=True, check=False
    )
    assert not run.stderr
