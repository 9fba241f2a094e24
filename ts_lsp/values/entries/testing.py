"""What pytest hands to the parameters of a test.

Owns `provided`: fixtures of the same file and `parametrize`. Invariant: only parameters whose values the source shows
are there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice, product

from ts_lsp.values import calls, loops
from ts_lsp.values.bindings import own_expressions, parameter_names, walk_expression
from ts_lsp.values.evaluation import evaluate
from ts_lsp.values.model import BuiltinValue, FunctionValue, SequenceValue, UnknownValue, Value
from ts_lsp.values.scopes import LexicalScope, View

_MOST = 16
Row = dict[str, Value]


def provided(function: FunctionValue, at: View) -> list[Row]:
    """The values that a test's parameters have, run by run."""
    decorators = getattr(function.node, "decorator_list", ())
    rows = [list(_parametrized(each, at)) for each in decorators]
    rows += [[{name: value} for value in _fixture(name, at)] for name in parameter_names(function.node.args)]
    turns = islice(product(*(each or [{}] for each in rows)), _MOST)
    return [{key: value for row in turn for key, value in row.items()} for turn in turns]


def _parametrized(decorator: ast.expr, at: View) -> Iterator[Row]:
    """`@pytest.mark.parametrize("a, b", [(1, 2), ...])`"""
    if not isinstance(decorator, ast.Call) or len(decorator.args) < 2:
        return
    if evaluate(decorator.func, at) != BuiltinValue("pytest.mark.parametrize"):
        return
    listed = decorator.args[0]
    if isinstance(listed, ast.Constant) and isinstance(listed.value, str):
        names = [name.strip() for name in listed.value.split(",")]
    else:
        parts = listed.elts if isinstance(listed, (ast.Tuple, ast.List)) else []
        names = [str(part.value) for part in parts if isinstance(part, ast.Constant)]
    for value in loops.elements(decorator.args[1], at) or ():
        if len(names) == 1:
            yield {names[0]: value}
        elif isinstance(value, SequenceValue) and len(value.elements) == len(names):
            yield dict(zip(names, value.elements, strict=True))


def _fixture(name: str, at: View) -> Iterator[Value]:
    """What a fixture of that name returns or yields."""
    scope: LexicalScope | None = at.scope
    while scope is not None:
        for binding in scope.table.bindings.get(name, ()):
            scope.value(binding)
            made = scope.own_values.get(binding)
            if isinstance(made, FunctionValue) and _is_fixture(made, scope, at):
                yield from _results(made, at)
        scope = scope.module if scope is not scope.module else None


def _is_fixture(function: FunctionValue, scope: LexicalScope, at: View) -> bool:
    for decorator in getattr(function.node, "decorator_list", ()):
        callee = decorator.func if isinstance(decorator, ast.Call) else decorator
        if evaluate(callee, View(scope, scope.table.end, (), at.unit)) == BuiltinValue("pytest.fixture"):
            return True
    return False


def _results(fixture: FunctionValue, at: View) -> Iterator[Value]:
    fixture.site.is_followed = True
    scope = calls.execution(fixture, {}, at)
    for placed in scope.table.statements:
        if not scope.reachable(placed.path, placed.unit):
            continue
        view = View(scope, placed.position, placed.path, placed.unit)
        results = [placed.statement.value] if isinstance(placed.statement, ast.Return) else []
        if not results:
            parts = (part for each in own_expressions(placed.statement) for part in walk_expression(each))
            results = [part.value for part in parts if isinstance(part, ast.Yield)]
        for result in results:
            value = evaluate(result, view) if result is not None else UnknownValue("None")
            if isinstance(value, UnknownValue) and result is not None:
                value = at.scope.interpreter.module_made(result, view) or value
            if not isinstance(value, UnknownValue):
                yield value
