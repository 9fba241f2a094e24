"""The dotted path by which Python knows what compiled code names: `torch.nn.functional.relu`, `builtins.str.split`.

Owns `python_path`, `path_at`, `path_of`, `denoted`, `documented` and others. Invariant: the program's own functions and
classes have none; their text is at hand.
"""

from __future__ import annotations

import ast
import builtins

from ts_lsp.ide.cursor import Cursor
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.ide.symbol_at import python_value_at, symbol_at
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.probing import Probed
from ts_lsp.semantic.sugared import Builtin
from ts_lsp.text import Position
from ts_lsp.types.model import DEVICE, STR, TENSOR, DictType, ListType, TupleType, Type
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    FunctionValue,
    ModuleTable,
    ModuleValue,
    Scope,
    TorchValue,
    Value,
)

_BUILTINS = frozenset(vars(builtins))


def python_path(snapshot: Snapshot, position: Position) -> str:
    """The path of what a place in scripted code denotes; empty where it has none."""
    symbol = symbol_at(snapshot, position)
    if symbol is None or symbol.spots or not isinstance(symbol.key, tuple):
        return ""
    kind, path = symbol.key[0], str(symbol.key[1])
    if kind == "torch" and "." in path:
        return path
    return f"builtins.{path}" if kind == "builtin" and path in _BUILTINS else ""


def path_at(cursor: Cursor, node: ast.AST) -> str:
    """The path of what a name or attribute in a function that compiles denotes; empty where it has none."""
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return ""
    path = path_of(python_value_at(cursor, node))
    if path or isinstance(node, ast.Name):
        return path
    owners = (owner_of_type(each) for each in cursor.types(node.value))
    return next((f"{owner}.{node.attr}" for owner in owners if owner), "")


def path_of(value: Value | None) -> str:
    """The path of a Python value; empty for what the program defines."""
    if isinstance(value, TorchValue):
        return value.path
    return f"builtins.{value.name}" if isinstance(value, BuiltinValue) and value.name in _BUILTINS else ""


def denoted(probed: Probed, node: ast.expr) -> str:
    """The path of what an expression of half-typed text denotes, which was watched; empty where it has none."""
    sight = probed.seen.get(node)
    if isinstance(node, ast.Attribute) and sight is not None and isinstance(sight.value, Builtin):
        receiver = sight.value.receiver
        if receiver is not None:
            owner = owner_of_type(receiver.type)
            return f"{owner}.{node.attr}" if owner else ""
    is_local = isinstance(node, ast.Name) and sight is not None and node.id in sight.names
    return path_of(denoted_value(probed.context, node)) if not is_local else ""


def denoted_value(ctx: FunctionContext, node: ast.expr) -> Value | None:
    """The Python value of a name, or of a member of a module, as the surroundings of a definition see it."""
    return value_in(ctx.scope, ctx.program.modules, node)


def value_in(scope: Scope, modules: ModuleTable, node: ast.expr) -> Value | None:
    """The Python value that a scope gives a name, or a member of a module."""
    if isinstance(node, ast.Name):
        return scope.lookup(node.id)
    owner = value_in(scope, modules, node.value) if isinstance(node, ast.Attribute) else None
    if isinstance(owner, ModuleValue) and isinstance(node, ast.Attribute):
        return modules.member(owner.name, node.attr)
    return None


def documented(snapshot: Snapshot, owner: str, name: str) -> tuple[str, str]:
    """The path of a completion, and what the program itself says of it.

    `owner` is the path of what stands before the dot; empty for names in scope.
    """
    if owner:
        return f"{owner}.{name}", ""
    scope = snapshot.workspace.scope(snapshot.path)
    value = scope.lookup(name) if scope is not None else None
    node = value.node if isinstance(value, (FunctionValue, ClassValue)) else None
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return "", ast.get_docstring(node) or ""
    return path_of(value), ""


def owner_of_type(type_: Type) -> str:
    """The class behind whose name Python knows the members of a type's values; empty for classes of the program."""
    if type_ == TENSOR:
        return "torch.Tensor"
    if type_ == STR:
        return "builtins.str"
    if type_ == DEVICE:
        return "torch.device"
    kinds = ((ListType, "list"), (DictType, "dict"), (TupleType, "tuple"))
    return next((f"builtins.{name}" for kind, name in kinds if isinstance(type_, kind)), "")
