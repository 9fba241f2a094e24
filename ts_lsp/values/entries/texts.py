"""Functions whose text is a string: `torch.jit.CompilationUnit("...")`, its `define`, and that of `ScriptModule`.

Owns `defined_functions` and `functions_in`. The compiler reads such a text by its own grammar, not quite Python's.
Invariant: what the two grammars read differently, and text that is put together while the program runs, is not judged.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from ts_lsp.records import dataclass
from ts_lsp.syntax.literals import placed_tree
from ts_lsp.values.bindings import Assigned
from ts_lsp.values.definitions import defaults
from ts_lsp.values.evaluation import evaluate
from ts_lsp.values.model import FunctionValue, InstanceValue, TorchValue, Unit, Value
from ts_lsp.values.scopes import View

UNIT_CLASS = "CompilationUnit"
_UNITS = frozenset({"torch.jit.CompilationUnit", "torch.jit._script.CompilationUnit"})
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod)
_ENDED = re.compile(r"\n[ \t]*(?:#[^\n]*)?\Z")
_ONLY_PYTHON = re.compile(
    r"#\s*type:|\d_\d|(?<![\w'\"])[rR]['\"]|^\s*(?:if|for|while|with|else)\b[^\n]*:[ \t]*[^\s#]", re.MULTILINE
)


@dataclass(frozen=True, eq=False)
class _UnitScope:
    """Names as the functions of one text see them: each other, then what the frame around the call sees."""

    own: Mapping[str, Value]
    around: View

    def lookup(self, name: str) -> Value | None:
        return self.own.get(name) or self.around.lookup(name)

    def lookup_global(self, name: str) -> Value | None:
        return self.own.get(name) or self.around.lookup_global(name)


def defined_functions(call: ast.Call, at: View) -> list[FunctionValue]:
    """The functions that a call hands to the compiler as text; nothing where it does no such thing."""
    return functions_in(call.args[0], at) if call.args and _defines(call.func, at) else []


def functions_in(argument: ast.expr, at: View) -> list[FunctionValue]:
    """The functions of a text that the program shows; nothing where it is not known or not read alike."""
    found = _literal(argument, at)
    if found is None:
        return []
    literal, unit = found
    tree = placed_tree(literal, unit.chunk.text)
    text = str(literal.value)
    if tree is None or not _ENDED.search(text) or _ONLY_PYTHON.search(text) or not all(map(_is_shared, tree.body)):
        return []
    functions: dict[str, Value] = {}
    scope = _UnitScope(functions, at)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            functions[node.name] = FunctionValue(
                node.name, node.name, unit.site(node), scope, defaults=defaults(node.args, at)
            )
    return [each for each in functions.values() if isinstance(each, FunctionValue)]


def _defines(callee: ast.expr, at: View) -> bool:
    if isinstance(callee, ast.Attribute) and callee.attr == "define":
        made = evaluate(callee.value, at)
        return isinstance(made, InstanceValue) and _is_unit_class(made.of)
    return _is_unit_class(evaluate(callee, at))


def _is_unit_class(value: Value) -> bool:
    return isinstance(value, TorchValue) and value.path in _UNITS


def _literal(argument: ast.expr, at: View) -> tuple[ast.Constant, Unit] | None:
    """The literal that an argument is, or that the one assignment of its name gives, and where it stands."""
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        return argument, at.unit
    if isinstance(argument, ast.Call) and len(argument.args) == 1 and "dedent" in ast.unparse(argument.func):
        return _literal(argument.args[0], at)
    if isinstance(argument, ast.Name):
        scope = at.scope if argument.id in at.scope.table.bindings else at.scope.module
        before = [
            binding
            for binding in scope.table.bindings.get(argument.id, ())
            if scope is not at.scope or binding.position < at.position
        ]
        if before and isinstance(before[-1].source, Assigned) and not before[-1].source.steps:
            last = before[-1]
            certain = last.path == at.path[: len(last.path)] and (scope is at.scope or len(before) == 1)
            value = before[-1].source.value
            return _literal(value, View(scope, last.position, last.path, last.unit)) if certain else None
    return None


def _is_shared(statement: ast.stmt) -> bool:
    """Whether both grammars read a statement of the text alike."""
    return isinstance(statement, ast.FunctionDef) and not any(_differs(node, statement) for node in ast.walk(statement))


def _differs(node: ast.AST, whole: ast.FunctionDef) -> bool:
    if isinstance(node, ast.AugAssign):
        return not isinstance(node.op, _OPERATORS)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bytes)
    is_inner = isinstance(node, ast.FunctionDef) and node is not whole
    return is_inner or isinstance(node, (ast.JoinedStr, ast.Global, ast.ClassDef, ast.NamedExpr, ast.Set, ast.Try))
