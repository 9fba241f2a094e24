"""What loops and comprehensions go over, element by element.

Owns `elements`, `comprehension` and `Iteration`, a scope as it is while one loop has one element.
Invariant: an iterable counts only when all its elements are known; nothing longer than `MOST_ELEMENTS` is spelled out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from ts_lsp.records import dataclass, field, replace
from ts_lsp.values.bindings import Binding, Defined, Iterated
from ts_lsp.values.constants import bounded
from ts_lsp.values.evaluation import evaluate, part_of, truth
from ts_lsp.values.inheritance import container_name
from ts_lsp.values.model import (
    BuiltinValue,
    ConstantValue,
    DictValue,
    InstanceValue,
    SequenceValue,
    TorchValue,
    Value,
)
from ts_lsp.values.scopes import LexicalScope, View

MOST_ELEMENTS = 64
Elements = tuple[Value, ...]
_DICTS = (BuiltinValue("dict"), BuiltinValue("collections.OrderedDict"))
_KEPT = frozenset({"list", "tuple", "iter", "sorted", "set", "frozenset"})


def elements(node: ast.expr, at: View) -> Elements | None:
    """The elements an iterable gives in turn; None where they are not all known."""
    if isinstance(node, ast.Name) and node.id in at.scope.table.mutated:
        return None
    found = _of_call(node, at) if isinstance(node, ast.Call) else None
    if found is None:
        found = _of_value(evaluate(node, at))
    return found if found is not None and len(found) <= MOST_ELEMENTS else None


def elements_of(iterable: ast.expr, steps: Sequence[int], at: View) -> list[Value]:
    """What a loop variable is in turn; nothing where the elements are not known."""
    return [part_of(each, steps) for each in elements(iterable, at) or ()]


def _of_value(value: Value) -> Elements | None:
    if isinstance(value, SequenceValue):
        return value.elements
    if isinstance(value, DictValue):
        return tuple(key for key, _ in value.items)
    if isinstance(value, ConstantValue) and isinstance(value.value, str):
        return tuple(map(ConstantValue, value.value[: MOST_ELEMENTS + 1]))
    if isinstance(value, InstanceValue) and isinstance(value.of, TorchValue):
        return _of_container(value, value.of)
    if isinstance(value, InstanceValue) and value.of == BuiltinValue("range") and not value.keywords:
        bounds = [each.value for each in value.arguments if isinstance(each, ConstantValue)]
        numbers = [each for each in bounds if isinstance(each, int)]
        if 0 < len(numbers) == len(value.arguments) <= 3 and (len(numbers) < 3 or numbers[2]):
            return tuple(map(ConstantValue, range(*numbers)[: MOST_ELEMENTS + 1]))
    return None


def _of_container(value: InstanceValue, of: TorchValue) -> Elements | None:
    """The modules that one of torch's lists of modules was made of."""
    name = container_name(of.path)
    if name == "Sequential":
        known = all(isinstance(each, InstanceValue) and each.of not in _DICTS for each in value.arguments)
        return value.arguments if known else None
    listed = value.arguments[0] if name == "ModuleList" and len(value.arguments) == 1 else None
    return listed.elements if isinstance(listed, SequenceValue) else None


def _of_call(node: ast.Call, at: View) -> Elements | None:
    """What Python's own ways of going over something give: `enumerate(x)`, `zip(x, y)`, `x.items()`, ..."""
    callee = node.func
    if isinstance(callee, ast.Attribute) and callee.attr in ("items", "values", "keys") and not node.args:
        return _of_dict(evaluate(callee.value, at), callee.attr)
    name = callee.id if isinstance(callee, ast.Name) else ""
    is_plain = not node.keywords and not any(isinstance(each, ast.Starred) for each in node.args)
    if not (name and node.args and is_plain and evaluate(callee, at) == BuiltinValue(name)):
        return None
    if name == "zip":
        rows = [elements(each, at) for each in node.args]
        known = [row for row in rows if row is not None]
        return tuple(map(_row, zip(*known, strict=False))) if len(known) == len(rows) else None
    if name not in ("enumerate", "reversed", *_KEPT) or len(node.args) != 1:
        return None
    inner = elements(node.args[0], at)
    if inner is None or name in _KEPT:
        return inner
    if name == "reversed":
        return inner[::-1]
    return tuple(_row((ConstantValue(index), each)) for index, each in enumerate(inner))


def _of_dict(value: Value, view: str) -> Elements | None:
    if not isinstance(value, DictValue):
        return None
    return tuple({"items": _row(pair), "keys": pair[0], "values": pair[1]}[view] for pair in value.items)


def _row(parts: Sequence[Value]) -> Value:
    return SequenceValue("tuple", tuple(parts))


def comprehension(node: ast.expr, at: View) -> Value:
    """The value of a comprehension over known elements."""
    assert isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp))
    kind = {ast.ListComp: "list", ast.SetComp: "set", ast.DictComp: "dict"}.get(type(node), "generator")
    rounds = rounds_of(node.generators, at)
    if rounds is None or kind == "generator":
        return InstanceValue(BuiltinValue(kind))
    if isinstance(node, ast.DictComp):
        return bounded(DictValue(tuple((evaluate(node.key, inner), evaluate(node.value, inner)) for inner in rounds)))
    return bounded(SequenceValue(kind, tuple(evaluate(node.elt, inner) for inner in rounds)))


def rounds_of(generators: Sequence[ast.comprehension], at: View) -> list[View] | None:
    """The place as seen in each round of a comprehension; None where they are not known."""
    rounds = [at]
    for generator in generators:
        inner: list[View] = []
        for outer in rounds:
            found = elements(generator.iter, outer)
            if found is None or generator.is_async:
                return None
            for each in found:
                given = _unpacked(generator.target, each)
                if given is None:
                    return None
                view = replace(outer, given=(*given, *outer.given))
                outcomes = [truth(evaluate(test, view)) for test in generator.ifs]
                if None in outcomes:
                    return None
                if all(outcomes):
                    inner.append(view)
            if len(inner) > MOST_ELEMENTS:
                return None
        rounds = inner
    return rounds


def _unpacked(target: ast.expr, value: Value, steps: tuple[int, ...] = ()) -> tuple[tuple[str, Value], ...] | None:
    """The names a target binds and what they get; None for targets that are no names."""
    if isinstance(target, ast.Name):
        return ((target.id, part_of(value, steps)),)
    if not isinstance(target, (ast.Tuple, ast.List)):
        return None
    parts = [_unpacked(each, value, (*steps, index)) for index, each in enumerate(target.elts)]
    known = [part for part in parts if part is not None]
    return tuple(pair for part in known for pair in part) if len(known) == len(parts) else None


@dataclass(eq=False)
class Iteration(LexicalScope):
    """A scope while loops have certain elements: what their bodies bind is evaluated anew, all else is the scope's."""

    origin: LexicalScope | None = None
    loops: frozenset[ast.AST] = field(default=frozenset())

    def value(self, binding: Binding, name: str | None = None) -> Value | None:
        assert self.origin is not None
        is_inside = any(arm.statement in self.loops for arm in binding.path)
        if not is_inside or isinstance(binding.source, Defined):
            return self.origin.value(binding, name)
        return super().value(binding, name)


def _iteration(origin: LexicalScope, fixed: Mapping[Binding, Value], loops: frozenset[ast.AST]) -> Iteration:
    return Iteration(
        origin.kind,
        origin.interpreter,
        origin.table,
        origin.parent,
        origin.prefix,
        origin.arguments,
        origin.owner,
        origin.module,
        origin.closure,
        origin.key,
        values=dict(fixed),
        origin=origin,
        loops=loops,
    )


def iterations(at: View, names: frozenset[str], most: int) -> list[View] | None:
    """A place inside loops as seen with each of their elements, for the loops that what is called `names` depends on.

    None where it depends on none, and where the elements are not known or more than `most`.
    """
    loops = [arm.statement for arm in at.path if isinstance(arm.statement, ast.For) and arm.name == "body"]
    names = _depending(at, names, loops)
    rows: list[list[dict[Binding, Value]]] = []
    for loop in loops:
        variables = list(_variables(at.scope, loop))
        if not any(each.name in names for each in variables):
            continue
        before = View(at.scope, variables[0].position, variables[0].path[:-1], at.unit)
        found = elements(loop.iter, before)
        if found is None:
            return None
        rows.append([{each: part_of(value, _steps(each)) for each in variables} for value in found])
    if not rows:
        return None
    turns = list(islice(product(*rows), most + 1))
    if len(turns) > most:
        return None
    inside: frozenset[ast.AST] = frozenset(loops)
    return [
        replace(at, scope=_iteration(at.scope, {key: value for row in turn for key, value in row.items()}, inside))
        for turn in turns
    ]


def _steps(binding: Binding) -> tuple[int, ...]:
    return binding.source.steps if isinstance(binding.source, Iterated) else ()


def _variables(scope: LexicalScope, loop: ast.For) -> Iterator[Binding]:
    for part in ast.walk(loop.target):
        for binding in scope.table.bindings.get(part.id, ()) if isinstance(part, ast.Name) else ():
            if isinstance(binding.source, Iterated) and binding.path and binding.path[-1].statement is loop:
                yield binding


def _depending(at: View, names: frozenset[str], loops: Sequence[ast.For]) -> frozenset[str]:
    """The names, and those that the assignments inside the loops make them of."""
    found: set[str] = set()
    pending = list(names)
    while pending:
        name = pending.pop()
        if name in found:
            continue
        found.add(name)
        for binding in at.scope.table.bindings.get(name, ()):
            value = getattr(binding.source, "value", None)
            if value is not None and any(arm.statement in loops for arm in binding.path):
                pending.extend(part.id for part in ast.walk(value) if isinstance(part, ast.Name))
    return frozenset(found)
