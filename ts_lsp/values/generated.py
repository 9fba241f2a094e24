"""Functions that `exec` makes out of a literal text, in a dict that the program names.

Owns `generated_function`. Invariant: the text is parsed, never executed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ts_lsp.values.model import PartialValue, UnknownValue, Value
from ts_lsp.values.scopes import View


def generated_function(namespace: ast.expr, name: str, at: View) -> Value | None:
    """The function of that name which an `exec` above has put into the dict `namespace`."""
    if not isinstance(namespace, ast.Name):
        return None
    for text in _executed_texts(namespace.id, at):
        if any(isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and each.name == name for each in text.body):
            return PartialValue(UnknownValue(name), "generated")
    return None


def _executed_texts(namespace: str, at: View) -> Iterator[ast.Module]:
    for placed in at.scope.table.statements:
        call = placed.statement.value if isinstance(placed.statement, ast.Expr) else None
        if placed.position >= at.position or not isinstance(call, ast.Call) or len(call.args) < 2:
            continue
        is_exec = isinstance(call.func, ast.Name) and call.func.id == "exec"
        goes_there = any(isinstance(each, ast.Name) and each.id == namespace for each in call.args[1:])
        text = call.args[0].value if isinstance(call.args[0], ast.Constant) else None
        if is_exec and goes_there and isinstance(text, str):
            try:
                yield ast.parse(text)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
