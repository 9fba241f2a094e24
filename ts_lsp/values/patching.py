"""What code outside of a class body changes about the class.

Owns `changed_names`. Assignments to `NAME.x` in the scope of the class itself are read elsewhere; here is what reaches
it by detours: aliases, loops over classes, functions it is passed to, decorators, metaclasses, other functions.
Invariant: syntax decides alone, apart from the metaclass; when in doubt a name is changed, and so not known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ts_lsp.records import dataclass, field
from ts_lsp.syntax.walking import walk_statements
from ts_lsp.values.bindings import (
    BindingTable,
    Defined,
    own_expressions,
    parameter_names,
    walk_expression,
)
from ts_lsp.values.model import BuiltinValue, ClassValue, FunctionValue, TypingValue, Value
from ts_lsp.values.scopes import LexicalScope
from ts_lsp.weakcache import cached_weakly

EVERYTHING = "*"
"""Stands for all names of a class."""
_WHOLE = frozenset({"__class__", "__bases__", "__dict__"})
_MAKERS = ("__new__", "__call__", "__init__", "__prepare__")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class _Exposed:
    """Where a scope hands its names on: to other names, and to functions by position or keyword."""

    aliases: dict[str, set[str]] = field(default_factory=dict)
    given: dict[str, list[tuple[str, int | str]]] = field(default_factory=dict)


def changed_names(scope: LexicalScope, node: ast.ClassDef, bases: tuple[Value, ...], metaclass: Value | None) -> Names:
    """The names of a class that something changes which is not followed."""
    if (metaclass is not None and not _is_harmless(metaclass)) or _has_written_names(node):
        return frozenset({EVERYTHING})
    changed: set[str] = set()
    exposed = _exposure(scope.table)
    for alias in exposed.aliases.get(node.name, ()):
        changed.update(binding.name for binding in scope.table.attributes.get(alias, ()))
    for function, place in exposed.given.get(node.name, ()):
        changed |= _changed_parameter(function, place, scope)
    for decorator in node.decorator_list:
        changed |= _changed_by_decorator(decorator, scope)
    for base in bases:
        hook = base.members.get("__init_subclass__") if isinstance(base, ClassValue) else None
        if isinstance(hook, FunctionValue):
            changed |= stores(hook.node).get(next(iter(parameter_names(hook.node.args)), ""), frozenset())
    if scope.kind == "module":
        for placed in scope.table.statements:
            if isinstance(placed.statement, _FUNCTIONS):
                changed |= stores(placed.statement).get(node.name, frozenset())
    return frozenset({EVERYTHING}) if changed & _WHOLE else frozenset(changed)


def _is_harmless(metaclass: Value) -> bool:
    """Whether a metaclass leaves the names of its classes as their bodies give them."""
    if isinstance(metaclass, ClassValue):
        return not any(name in metaclass.members for name in _MAKERS)
    return isinstance(metaclass, (BuiltinValue, TypingValue))


def _has_written_names(node: ast.ClassDef) -> bool:
    """Whether a class makes names by other means than statements that bind them, or its objects change their class."""
    for each in node.body:
        call = each.value if isinstance(each, ast.Expr) else None
        if isinstance(call, ast.Call) and _name(call.func) == "exec":
            return True
        subscripts = [target for target in _targets(each) if isinstance(target, ast.Subscript)]
        if any("locals()" in ast.unparse(target) for target in subscripts):
            return True
        if isinstance(each, _FUNCTIONS) and any("__class__" in names for names in stores(each).values()):
            return True
    return False


def keeps_class(function: FunctionValue) -> bool:
    """Whether a `__new__` makes objects of its own class, as one that only calls the `__new__` above does."""
    first = next(iter(parameter_names(function.node.args)), "")
    returned = [each.value for each in walk_statements(function.node) if isinstance(each, ast.Return)]
    return bool(returned) and all(_makes(value, first, function.node) for value in returned)


def _makes(value: ast.expr | None, owner: str, function: ast.AST) -> bool:
    if isinstance(value, ast.Name):
        values = [
            each.value
            for each in walk_statements(function)
            if isinstance(each, ast.Assign) and any(_name(target) == value.id for target in each.targets)
        ]
        return (
            bool(values)
            and not any(isinstance(each, ast.Name) for each in values)
            and all(_makes(each, owner, function) for each in values)
        )
    is_new = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "__new__"
    return is_new and isinstance(value, ast.Call) and bool(value.args) and _name(value.args[0]) == owner


@cached_weakly
def stores(tree: ast.AST) -> Mapping[str, Names]:
    """The attributes that the statements of a tree set or delete, by the name of their object."""
    found: dict[str, set[str]] = {}
    for statement in walk_statements(tree):
        for target in _targets(statement):
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                found.setdefault(target.value.id, set()).add(target.attr)
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and _name(call.func) in ("setattr", "delattr") and len(call.args) > 1:
            name = call.args[1].value if isinstance(call.args[1], ast.Constant) else EVERYTHING
            found.setdefault(_name(call.args[0]), set()).add(str(name))
    return {name: frozenset(attributes) for name, attributes in found.items()}


def _targets(statement: ast.stmt) -> Iterator[ast.expr]:
    targets: list[ast.expr] = []
    if isinstance(statement, (ast.Assign, ast.Delete)):
        targets = list(statement.targets)
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        targets = [statement.target]
    for target in targets:
        yield from target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]


@cached_weakly
def _exposure(table: BindingTable) -> _Exposed:
    found = _Exposed()
    for placed in table.statements:
        statement = placed.statement
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Name):
            names = {_name(target) for target in statement.targets} - {""}
            found.aliases.setdefault(statement.value.id, set()).update(names)
        if isinstance(statement, ast.For) and isinstance(statement.iter, (ast.List, ast.Tuple, ast.Set)):
            for each in statement.iter.elts:
                found.aliases.setdefault(_name(each), set()).add(_name(statement.target))
        if isinstance(statement, (ast.Expr, ast.Assign, ast.AnnAssign)):
            for expression in own_expressions(statement):
                for call in walk_expression(expression, lambdas=False):
                    if isinstance(call, ast.Call):
                        _note_call(call, found)
    for name, aliases in found.aliases.items():
        for alias in aliases:
            found.given.setdefault(name, []).extend(found.given.get(alias, ()))
    return found


def _note_call(call: ast.Call, found: _Exposed) -> None:
    function = _name(call.func)
    if function in ("setattr", "delattr") and len(call.args) > 1:
        name = call.args[1].value if isinstance(call.args[1], ast.Constant) else EVERYTHING
        found.given.setdefault(_name(call.args[0]), []).append((EVERYTHING, str(name)))
        return
    for index, argument in enumerate(call.args):
        if function and isinstance(argument, ast.Name):
            found.given.setdefault(argument.id, []).append((function, index))
    for keyword in call.keywords:
        if function and isinstance(keyword.value, ast.Name) and keyword.arg is not None:
            found.given.setdefault(keyword.value.id, []).append((function, keyword.arg))


def _changed_parameter(function: str, place: int | str, scope: LexicalScope) -> Names:
    """What a function of the file changes of the argument in this place."""
    if function == EVERYTHING:
        return frozenset({str(place)})
    node = _function(function, scope)
    if node is None:
        return frozenset()
    names = parameter_names(node.args)
    if isinstance(place, int):
        place = names[place] if place < len(names) else ""
    return stores(node).get(place, frozenset())


def _changed_by_decorator(decorator: ast.expr, scope: LexicalScope) -> Names:
    node = _function(_name(decorator.func if isinstance(decorator, ast.Call) else decorator), scope)
    if node is None:
        return frozenset()
    inner = [each for each in walk_statements(node) if isinstance(each, _FUNCTIONS)]
    names = {name for each in inner for name in parameter_names(each.args)}
    return frozenset(attribute for name in names for attribute in stores(node).get(name, ()))


def _function(name: str, scope: LexicalScope) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    for table in (scope.table, scope.module.table):
        for binding in reversed(table.bindings.get(name, ())):
            if isinstance(binding.source, Defined) and isinstance(binding.source.node, _FUNCTIONS):
                return binding.source.node
    return None


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""
