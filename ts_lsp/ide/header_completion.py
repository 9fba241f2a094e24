"""Completion in what stands around bodies: annotations of parameters, returns, fields and locals, and decorators.

Owns `header_items`. Invariant: a header that is half-typed defines nothing, so that nothing of it compiles at the
moment; it counts as scripted by what stands around it. Elsewhere nothing is offered.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from ts_lsp.ide.annotation_names import type_names
from ts_lsp.ide.completion_items import Completion
from ts_lsp.ide.half_typed import Written, may_be_compiled, place_of
from ts_lsp.ide.names_in_scope import outer_names
from ts_lsp.ide.python_names import path_of, value_in
from ts_lsp.values.model import ClassValue, ModuleTable, ModuleValue, Scope, Value
from ts_lsp.values.torchnames import MODIFIERS

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FIELDS = frozenset({"NamedTuple", "Enum", "IntEnum"})


def header_items(written: Written) -> list[Completion] | None:
    """What is offered in an annotation or a decorator; None where the place is in neither."""
    nodes = written.completed.nodes
    role = _role(nodes)
    scope = _scope_around(written)
    if not role or written.typed.string >= 0 or scope is None:
        return None
    node = nodes[0]
    owner = node.value if isinstance(node, ast.Attribute) else None
    if role == "decorator":
        return list(_decorators(written, scope, owner))
    if not (may_be_compiled(written.snapshot, written.unit) or _is_scripted(written, scope)):
        return []
    return [Completion(*each) for each in type_names(written.snapshot.analysis.program, scope, owner)]


def _scope_around(written: Written) -> Scope | None:
    """What sees the names there: of a function that compiles what is around it, else the file."""
    place = place_of(written)
    return place.compiled.value.scope if place is not None else written.snapshot.workspace.scope(written.snapshot.path)


def _role(nodes: tuple[ast.AST, ...]) -> str:
    """Whether the innermost node is in an `annotation` or a `decorator`; empty if in neither."""
    for inner, outer in pairwise(nodes):
        if getattr(outer, "annotation", None) is inner or getattr(outer, "returns", None) is inner:
            return "annotation"
        if inner in getattr(outer, "decorator_list", ()):
            return "decorator" if not isinstance(inner, ast.Call) else ""
        if isinstance(inner, ast.stmt):
            return ""
    return ""


# What is scripted.


def _is_scripted(written: Written, scope: Scope) -> bool:
    """Whether a half-typed definition stands where the compiler is told of it, or code that compiles uses it."""
    if not written.unit.chunk.problems:
        return False
    modules = written.snapshot.analysis.program.modules
    around = [each for each in written.completed.nodes if isinstance(each, _DEFINITIONS)]
    for each in around:
        if any(_is_of_compiler(value_in(scope, modules, one)) for one in each.decorator_list):
            return True
        if isinstance(each, ast.ClassDef) and any(_is_scriptable(scope, modules, base) for base in each.bases):
            return True
    return bool(around) and _is_used(written, around[-1].name)


def _is_of_compiler(value: Value | None) -> bool:
    return path_of(value) in MODIFIERS


def _is_scriptable(scope: Scope, modules: ModuleTable, base: ast.expr) -> bool:
    value = value_in(scope, modules, base)
    if isinstance(value, ClassValue):
        return value.kind in ("module", "enum", "namedtuple", "interface")
    name = ast.unparse(base).rpartition(".")[2]
    return path_of(value) == "torch.nn.modules.module.Module" or name in _FIELDS or name == "Module"


def _is_used(written: Written, name: str) -> bool:
    """Whether code of the file that compiles mentions the name."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    units = (each for each in written.snapshot.units if each is not written.unit)
    return any(word.search(each.chunk.text) and may_be_compiled(written.snapshot, each) for each in units)


# Decorators.


def _decorators(written: Written, scope: Scope, owner: ast.expr | None) -> Iterator[Completion]:
    """The decorators by which the compiler is told something, and the modules that have them."""
    if owner is None:
        for name in dict.fromkeys(outer_names(scope)):
            value = scope.lookup(name)
            if _is_of_compiler(value):
                yield Completion(name, "function", path_of(value))
            elif isinstance(value, ModuleValue) and value.name in ("torch", "torch.jit"):
                yield Completion(name, "module", value.name)
        return
    value = value_in(scope, written.snapshot.analysis.program.modules, owner)
    if isinstance(value, ModuleValue):
        if value.name == "torch":
            yield Completion("jit", "module", "torch.jit")
        for path in MODIFIERS:
            module, _, name = path.rpartition(".")
            if module == value.name:
                yield Completion(name, "function", path, 2 if name.startswith("_") else 1)
