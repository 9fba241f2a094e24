"""The Python value that a name or attribute of compiled code denotes.

Owns `value_at`. Invariant: what is bound in the definition itself denotes no Python value, and nothing is guessed: what
the source does not show is None.
"""

from __future__ import annotations

import ast

from ts_lsp.ide.cursor import DEFINITIONS, Cursor
from ts_lsp.torchdata.objects import BooleanDispatch, BuiltinOperator, ScriptFunction, TorchClass
from ts_lsp.types.model import TENSOR
from ts_lsp.types.schema import Schema
from ts_lsp.values.evaluation import evaluate
from ts_lsp.values.model import FunctionValue, TorchValue, UnknownValue, Value
from ts_lsp.values.scopes import END, LexicalScope, View


def function_around(cursor: Cursor) -> FunctionValue | None:
    """The innermost function that holds the cursor, as a value."""
    nodes = [node for node in cursor.nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    if not nodes:
        return None
    functions = cursor.snapshot.workspace.definitions(cursor.snapshot.path).functions
    return next((each for each in functions if each.node is nodes[0]), None)


def value_at(cursor: Cursor, node: ast.expr) -> Value | None:
    """The Python value of a name, or of attributes of one."""
    function = function_around(cursor)
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    if function is None or not isinstance(root, ast.Name) or root.id in local_names(function.node):
        return None
    at = function.scope
    if isinstance(at, LexicalScope):
        at = View(at, END, (), function.unit)
    if not isinstance(at, View):
        return None
    value = evaluate(node, at)
    return None if isinstance(value, UnknownValue) else value


def local_names(function: ast.AST) -> set[str]:
    """The names that a function itself binds."""
    found = {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
    stored = (each for each in ast.walk(function) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load))
    found.update(each.id for each in stored)
    found.update(each.name for each in ast.walk(function) if isinstance(each, DEFINITIONS) and each is not function)
    return found


def schemas_of(cursor: Cursor, callee: ast.expr) -> tuple[Schema, ...]:
    """What calling this may match: the schemas of a function, a method of a builtin type, or an operator of torch."""
    value = value_at(cursor, callee)
    torch = cursor.snapshot.torch
    if isinstance(value, FunctionValue):
        facts = [each for each in cursor.snapshot.analysis.program.facts() if each.node is value.node]
        return tuple(dict.fromkeys(each.schema for each in facts if each.schema is not None))
    if isinstance(value, TorchValue):
        described = torch.python_object(value.path)
        if isinstance(described, BooleanDispatch):
            described = torch.python_object(described.if_false)
        if isinstance(described, BuiltinOperator):
            return tuple(torch.schemas(described.op))
        if isinstance(described, ScriptFunction):
            return tuple(described.schemas)
        if isinstance(described, TorchClass) and described.operator:
            return tuple(torch.schemas(described.operator))
    if isinstance(callee, ast.Attribute) and TENSOR in cursor.types(callee.value):
        every = torch.schemas(f"aten::{callee.attr}")
        return tuple(each for each in every if each.arguments and each.arguments[0].type == TENSOR)
    return ()
