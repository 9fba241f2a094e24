"""Functions that hand their own arguments on to the compiler, and what they are given.

Owns `handed`. A compile call whose argument depends on parameters is open; it is answered by the calls of its function,
by what pytest hands to a test, and by what a test case sets up. Invariant: an answer is evaluated in one execution of
the function with these arguments.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from ts_lsp.records import dataclass
from ts_lsp.values import calls
from ts_lsp.values.bindings import parameter_names
from ts_lsp.values.calls import Arguments
from ts_lsp.values.entries.arguments import (
    MOST_TARGETS,
    Callees,
    CompileCall,
    calls_of,
    given_value,
    place_of,
    rounds,
    targets,
)
from ts_lsp.values.entries.testing import provided
from ts_lsp.values.evaluation import evaluate, linearized
from ts_lsp.values.model import (
    ClassValue,
    FunctionNode,
    FunctionValue,
    InstanceValue,
    PartialValue,
    Unit,
    UnknownValue,
    Value,
)
from ts_lsp.values.naming import name_set
from ts_lsp.values.scopes import LexicalScope, View

_SETS_UP = name_set("setUp setUpClass asyncSetUp setup setup_class setup_method")


@dataclass(frozen=True, eq=False)
class OpenCall:
    """A compile call in the body of a function whose argument its own text does not tell."""

    call: CompileCall
    function: FunctionValue


OpenCalls = dict[FunctionNode, list[OpenCall]]


@dataclass(frozen=True, eq=False)
class Handed:
    """A value that reaches the compiler through an open call.

    `node` is the call of its function, or the decorator, that gave it; None where no text of the program did.
    """

    target: Value
    opened: OpenCall
    node: ast.expr | None
    unit: Unit


def handed(visited: Sequence[LexicalScope], open_calls: OpenCalls) -> Iterator[Handed]:
    """What the scopes of a file give to functions that compile it."""
    if not open_calls:
        return
    callees = Callees(frozenset(handing_names(open_calls)))
    for scope in visited:
        for call in calls_of(scope, callees):
            if scope.reachable(call.placed.path, call.placed.unit):
                yield from _through_call(call, scope, open_calls)
    for scope in visited:
        yield from _through_decorators(scope, open_calls)
        yield from _around_a_test(scope, visited, open_calls)


def handing_names(open_calls: OpenCalls) -> set[str]:
    """The names under which functions are called that hand their arguments to the compiler."""
    return {_called_by(each[0].function) for each in open_calls.values()}


def _called_by(function: FunctionValue) -> str:
    """The name under which a function is called: an `__init__` by that of its class."""
    is_init = function.name == "__init__" and function.owner is not None
    return function.owner.name if is_init and function.owner is not None else function.name


def _through_call(call: CompileCall, scope: LexicalScope, open_calls: OpenCalls) -> Iterator[Handed]:
    for at in rounds(call, call.node, place_of(call, scope)):
        function, receiver = _called(evaluate(call.callee, at), at)
        if function is None or function.node not in open_calls:
            continue
        bound = calls.bind(function, _arguments(call.node, receiver, at))
        for opened in open_calls[function.node] if bound is not None else ():
            for target in _answers(opened, bound or {}, at):
                yield Handed(target, opened, call.node, call.placed.unit)


def _called(callee: Value, at: View) -> tuple[FunctionValue | None, tuple[Value, ...]]:
    """The function that a call executes, and the object it is bound to."""
    if isinstance(callee, PartialValue) and callee.kind == "method" and isinstance(callee.of, FunctionValue):
        owner = callee.of.owner
        return callee.of, (InstanceValue(owner) if owner is not None else UnknownValue("self"),)
    if isinstance(callee, ClassValue):
        init = next((each.members.get("__init__") for each in linearized(callee) if isinstance(each, ClassValue)), None)
        return (init, (InstanceValue(callee),)) if isinstance(init, FunctionValue) else (None, ())
    return (callee, ()) if isinstance(callee, FunctionValue) else (None, ())


def _arguments(node: ast.Call, receiver: tuple[Value, ...], at: View) -> Arguments:
    """The arguments of a call, modules with what happened to them before it."""
    given = calls.evaluated_arguments(node, at)
    if any(isinstance(each, ast.Starred) for each in node.args):
        return Arguments((*receiver, *given.positional), given.keywords, given.exact)
    positional = tuple(given_value(each, at) for each in node.args)
    named = {each.arg: given_value(each.value, at) for each in node.keywords if each.arg is not None}
    return Arguments((*receiver, *positional), {**given.keywords, **named}, given.exact)


def _answers(opened: OpenCall, bound: Mapping[str, Value], at: View) -> Iterator[Value]:
    scope = calls.execution(opened.function, bound, at)
    placed = opened.call.placed
    if scope.reachable(placed.path, placed.unit):
        for target in targets(opened.call, place_of(opened.call, scope)):
            if not isinstance(target, UnknownValue):
                yield target


def _through_decorators(scope: LexicalScope, open_calls: OpenCalls) -> Iterator[Handed]:
    """Decorators that compile the definition below them."""
    for binding in scope.table.definitions():
        definition = scope.own_values.get(binding)
        at = View(scope, binding.position, binding.path, binding.unit)
        for expression in getattr(getattr(definition, "node", None), "decorator_list", ()):
            function, receiver = _called(evaluate(expression, at), at)
            if definition is None or function is None or function.node not in open_calls:
                continue
            bound = calls.bind(function, Arguments((*receiver, definition)))
            for opened in open_calls[function.node] if bound is not None else ():
                for target in _answers(opened, bound or {}, at):
                    yield Handed(target, opened, expression, binding.unit)


def _around_a_test(scope: LexicalScope, visited: Sequence[LexicalScope], open_calls: OpenCalls) -> Iterator[Handed]:
    """What pytest or a test case gives to the functions that stand in a scope."""
    for binding in scope.table.definitions():
        function = scope.own_values.get(binding)
        if not isinstance(function, FunctionValue) or function.node not in open_calls:
            continue
        at = View(scope, binding.position, binding.path, binding.unit)
        receiver: dict[str, Value] = {}
        if function.owner is not None and parameter_names(function.node.args):
            state = _set_up(function.owner, visited)
            receiver = {parameter_names(function.node.args)[0]: InstanceValue(function.owner, state=state)}
        for bound in provided(function, at)[:MOST_TARGETS]:
            for opened in open_calls[function.node]:
                for target in _answers(opened, {**receiver, **bound}, at):
                    yield Handed(target, opened, None, binding.unit)


def _set_up(owner: ClassValue, visited: Sequence[LexicalScope]) -> dict[str, Value]:
    """The attributes that the methods which run before every test of a class give its objects."""
    classes = linearized(owner)
    found: dict[str, Value] = {}
    for scope in visited:
        method = scope.prefix.removesuffix(".<locals>.").rpartition(".")[2]
        if method not in _SETS_UP or not any(scope.owner is each for each in classes):
            continue
        first = next(iter(scope.arguments), "self")
        for binding in scope.table.attributes.get(first, ()):
            value = scope.value(binding)
            if value is not None:
                found[binding.name] = value
    return found
