"""Where a program hands something to the compiler.

Owns the search for entry points: torch's own functions and decorators under any alias, and the callables the user
named. Invariant: a call counts only where it can run; its argument is evaluated at that very place.
"""

from __future__ import annotations

import ast
import bisect
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from ts_lsp.records import dataclass, field
from ts_lsp.syntax.walking import walk_statements
from ts_lsp.values.bindings import Binding, walk_expression
from ts_lsp.values.entries.arguments import Callees, CompileCall, last_part, latest, place_of, targets
from ts_lsp.values.entries.handing import OpenCall, OpenCalls, handed
from ts_lsp.values.entries.texts import UNIT_CLASS, defined_functions
from ts_lsp.values.entries.words import SCRIPT_CLASSES, TORCH_ENTRIES
from ts_lsp.values.evaluation import alternatives, evaluate
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    DictValue,
    EntryPoint,
    FunctionValue,
    InstanceValue,
    PartialValue,
    ScriptedValue,
    SequenceValue,
    TorchValue,
    TracedValue,
    Unit,
    UnknownValue,
    Value,
)
from ts_lsp.values.scopes import LexicalScope, Point, View
from ts_lsp.values.torchnames import INTERFACE, MODIFIERS, SCRIPT

_DECORATING = frozenset({"script", "script_if_tracing"})


@dataclass(frozen=True, eq=False)
class EntryNames:
    """What entry points may be called in one file.

    `last_parts`: the last component of any callee worth evaluating. `wrappers`: the user's own names, split at dots.
    `script_classes`: classes that compile their instances when they are made.
    """

    last_parts: frozenset[str]
    wrappers: tuple[tuple[str, ...], ...] = ()
    script_classes: frozenset[str] = frozenset()

    @cached_property
    def callees(self) -> Callees:
        return Callees(self.last_parts)

    def changed_by(self, tree: ast.AST) -> bool:
        """Whether these names rest on what a part of the file says."""
        names = set(self.last_parts)
        derives = any(isinstance(each, ast.ClassDef) and each.name in names for each in walk_statements(tree))
        return derives or bool(set(_aliases(tree, names))) or any(_derives(tree))

    def is_wrapper(self, callee: ast.expr) -> bool:
        """Whether a callee is written as one of the user's names, or ends in it."""
        if not self.wrappers:
            return False
        parts = _dotted(callee)
        return any(parts[-len(name) :] == name or name[-len(parts) :] == parts for name in self.wrappers if parts)


def entry_names(units: Iterable[Unit], wrappers: Sequence[str]) -> EntryNames:
    """The names that mean an entry point in a file made of these units, aliases included."""
    split = tuple(tuple(name.split(".")) for name in wrappers if name)
    names = {*TORCH_ENTRIES, *(parts[-1] for parts in split)}
    word = re.compile("|".join(map(re.escape, sorted(names | SCRIPT_CLASSES))))
    units = tuple(units)
    if any(UNIT_CLASS in unit.chunk.text for unit in units):
        names.add("define")
    trees = [unit.chunk.tree for unit in units] if any(word.search(unit.chunk.text) for unit in units) else []
    for _ in range(2):
        before = len(names)
        for tree in trees:
            names |= set(_aliases(tree, names))
        if len(names) == before:
            break
    classes = frozenset(_script_classes(trees))
    return EntryNames(frozenset(names | classes), split, classes)


def _derives(tree: ast.AST) -> Iterator[ast.ClassDef]:
    """The classes of a tree that derive from `ScriptModule` itself."""
    for node in walk_statements(tree):
        if isinstance(node, ast.ClassDef) and any(last_part(base) == "ScriptModule" for base in node.bases):
            yield node


def _script_classes(trees: Sequence[ast.AST]) -> set[str]:
    """The names of classes that seem to derive from `ScriptModule`, directly or through each other."""
    classes = [node for tree in trees for node in walk_statements(tree) if isinstance(node, ast.ClassDef)]
    found = {"ScriptModule"}
    grew = True
    while grew:
        derived = {node.name for node in classes if any(last_part(base) in found for base in node.bases)}
        grew = not derived <= found
        found |= derived
    return found - {"ScriptModule"}


def _aliases(tree: ast.AST, names: set[str]) -> Iterator[str]:
    for node in walk_statements(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (alias.asname for alias in node.names if alias.asname and alias.name in names)
        elif isinstance(node, ast.Assign) and _may_be_one_of(node.value, names):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
            yield from (target.attr for target in node.targets if isinstance(target, ast.Attribute))


def _may_be_one_of(value: ast.expr, names: set[str]) -> bool:
    """Whether what is assigned may be something of these names: itself, an alternative, or a partial object of it."""
    if isinstance(value, ast.IfExp):
        return _may_be_one_of(value.body, names) or _may_be_one_of(value.orelse, names)
    if isinstance(value, ast.BoolOp):
        return any(_may_be_one_of(each, names) for each in value.values)
    if isinstance(value, ast.Call) and last_part(value.func) == "partial" and value.args:
        return _may_be_one_of(value.args[0], names)
    return last_part(value) in names


def _dotted(node: ast.expr) -> tuple[str, ...]:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return tuple(reversed(parts))
    return (*([] if node.id in ("self", "cls") and parts else [node.id]), *reversed(parts))


def first_compilation(scope: LexicalScope, binding: Binding, calls: Sequence[CompileCall]) -> Point | None:
    """The place of the first compile call that names this very definition; else of the first one after it, which is
    likely to reach it through another function; None if nothing is compiled after it."""
    start = bisect.bisect_right([call.placed.position for call in calls], binding.position)
    for call in calls[start:]:
        if _mentions(call, binding.name) and latest(scope, binding.name, call.placed.position) is binding:
            return Point(call.placed.position, call.placed.path)
    for call in calls[start:]:
        return Point(call.placed.position, call.placed.path)
    return None


def _mentions(call: CompileCall, name: str) -> bool:
    argument = call.argument
    if argument is None:
        return False
    return any(isinstance(node, ast.Name) and node.id == name for node in walk_expression(argument))


@dataclass
class EntryCollector:
    """Collects the entry points of one file, scope by scope."""

    names: EntryNames
    replaced: Mapping[tuple[str, ...], int]
    found: list[EntryPoint] = field(default_factory=list)
    script_modules: list[ClassValue] = field(default_factory=list)
    visited: list[LexicalScope] = field(default_factory=list)
    open_calls: OpenCalls = field(default_factory=dict)

    def visit(self, scope: LexicalScope, calls: Sequence[CompileCall], function: FunctionValue | None = None) -> None:
        """Compile calls of one scope, the body of `function` or of a class or module."""
        for call in calls:
            placed = call.placed
            if not scope.reachable(placed.path, placed.unit):
                continue
            at = place_of(call, scope)
            if last_part(call.callee) in self.names.script_classes:
                self._constructed(call.node, at)
            for written in defined_functions(call.node, at):
                self._add(call.node, placed.unit, written, call.callee)
            if call.argument is not None and self._compiles(call.callee, at):
                given = targets(call, at)
                for target in given:
                    if not self._is_compiled_already(target):
                        self._add(call.node, placed.unit, target, call.callee)
                if function is not None and all(isinstance(target, UnknownValue) for target in given):
                    self.open_calls.setdefault(function.node, []).append(OpenCall(call, function))

    def _is_replaced(self, callee: ast.expr, at: View) -> bool:
        """Whether the program has put something else in the place of torch's own function before."""
        first = self.replaced.get(_dotted(callee)) if isinstance(callee, ast.Attribute) else None
        return first is not None and (at.scope.kind != "module" or first < at.position)

    def _is_compiled_already(self, target: Value) -> bool:
        """Whether this is an object whose making was an entry point of its own."""
        owner = target.of if isinstance(target, InstanceValue) else None
        return (
            isinstance(owner, ClassValue) and owner.kind == "script_module" and owner.name in self.names.script_classes
        )

    def _constructed(self, node: ast.Call, at: View) -> None:
        """Making an instance of a `ScriptModule` class compiles it."""
        made = evaluate(node, at)
        if isinstance(made, InstanceValue) and isinstance(made.of, ClassValue) and made.of.kind == "script_module":
            self._add(node, at.unit, made, node.func)

    def decorated(self, definition: Value, scope: LexicalScope, binding: Binding) -> None:
        """The entry point that a decorator of a definition makes."""
        node = getattr(definition, "node", None)
        at = View(scope, binding.position, binding.path, binding.unit)
        for expression in getattr(node, "decorator_list", ()):
            callee = expression.func if isinstance(expression, ast.Call) else expression
            if not self.names.callees.hold(callee) or not scope.reachable(binding.path, binding.unit):
                continue
            if self._compiles(callee, at):
                self._add(expression, binding.unit, _decorated_target(definition, scope.value(binding)), callee)
        if isinstance(definition, ClassValue) and definition.kind == "script_module":
            self.script_modules.append(definition)

    def finished(self, open_calls: OpenCalls) -> list[EntryPoint]:
        """All entry points in source order; a `ScriptModule` class that the file never instantiates counts itself.

        `open_calls` are those of this and other files that compile what their functions are given.
        """
        for given in handed(self.visited, open_calls):
            call = given.opened.call
            if given.opened.function.node in self.open_calls:
                decorates = given.node in getattr(getattr(given.target, "node", None), "decorator_list", ())
                self._add(call.node, call.placed.unit, given.target, call.callee, decorates)
            if given.node is not None:
                callee = given.node.func if isinstance(given.node, ast.Call) else given.node
                self._add(given.node, given.unit, given.target, callee)
        self._drop_answered()
        made = {id(entry.target.of) for entry in self.found if isinstance(entry.target, InstanceValue)}
        for owner in self.script_modules:
            if id(owner) not in made and owner.node is not None:
                self._append(owner.node, owner.unit, "module", owner, "torch.jit.ScriptModule")
        return sorted(self.found, key=lambda entry: (entry.line, entry.column))

    def _drop_answered(self) -> None:
        """An entry point whose target is not known says nothing beside those that are."""
        answered = {entry.node for entry in self.found if not isinstance(entry.target, UnknownValue)}
        self.found = [
            entry for entry in self.found if not isinstance(entry.target, UnknownValue) or entry.node not in answered
        ]

    def _compiles(self, callee: ast.expr, at: View) -> bool:
        if self._is_replaced(callee, at):
            return False
        values = list(alternatives(callee, at))
        if self.names.is_wrapper(callee):
            return not values or not all(isinstance(value, BuiltinValue) for value in values)
        return any(map(_is_entry, values))

    def _add(self, node: ast.expr, unit: Unit, target: Value, callee: ast.expr, decorates: bool = False) -> None:
        if self.names.is_wrapper(callee) and isinstance(target, (ConstantValue, SequenceValue, DictValue)):
            target = UnknownValue("an argument that is nothing to compile")
        decorates = decorates or node in getattr(getattr(target, "node", None), "decorator_list", ())
        calls = isinstance(node, ast.Call) and not decorates
        again = calls and isinstance(target, FunctionValue) and "script" in target.modifiers
        if isinstance(target, (ScriptedValue, TracedValue)) or (again and not self.names.is_wrapper(callee)):
            return
        if any(entry.node is node and entry.target == target for entry in self.found):
            return
        self._append(node, unit, _kind(target), target, ".".join(_dotted(callee)) or last_part(callee))

    def _append(self, node: ast.expr | ast.ClassDef, unit: Unit, kind: str, target: Value, through: str) -> None:
        self.found.append(EntryPoint(kind, target, through, node, unit))


def replaced_functions(scope: LexicalScope) -> dict[tuple[str, ...], int]:
    """What the top level of a file assigns to attributes such as `torch.jit.script`, and where first."""
    found: dict[tuple[str, ...], int] = {}
    for placed in scope.table.statements:
        for target in placed.statement.targets if isinstance(placed.statement, ast.Assign) else ():
            if isinstance(target, ast.Attribute):
                found.setdefault(_dotted(target), placed.position)
    return found


def _is_entry(value: Value) -> bool:
    """Whether a callable is one of torch's that compile what they are given."""
    if isinstance(value, PartialValue) and value.kind == "partial" and not value.arguments:
        return _is_entry(value.of)
    return isinstance(value, TorchValue) and (
        value.path in SCRIPT or value.path in INTERFACE or MODIFIERS.get(value.path) in _DECORATING
    )


def _decorated_target(definition: Value, value: Value | None) -> Value:
    """What a decorator was given: what the decorators below it made of the definition."""
    replaced = isinstance(value, FunctionValue) and "script" in value.modifiers
    return value if value is not None and (replaced or isinstance(value, PartialValue)) else definition


def _kind(target: Value) -> str:
    if isinstance(target, ClassValue):
        return "interface" if target.kind == "interface" else "class"
    if isinstance(target, InstanceValue):
        if isinstance(target.of, ClassValue) and target.of.kind not in ("module", "script_module", "unknown"):
            return "class"
        return "module"
    return "function"
