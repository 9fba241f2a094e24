"""Where a program hands something to the compiler.

Owns the search for entry points: torch's own functions and decorators under any alias, and the callables the user
named. Invariant: a call counts only where it can run; its argument is evaluated at that very place.
"""

from __future__ import annotations

import ast
import bisect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ts_lsp.values.bindings import (
    Binding,
    Iterated,
    Parameter,
    Placed,
    own_expressions,
    walk_expression,
    walk_statements,
)
from ts_lsp.values.calls import bind, evaluated_arguments, execution
from ts_lsp.values.evaluation import elements_of, evaluate
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    EntryPoint,
    FunctionNode,
    FunctionValue,
    InstanceValue,
    PartialValue,
    ScriptedValue,
    TorchValue,
    TracedValue,
    Unit,
    UnknownValue,
    Value,
)
from ts_lsp.values.scopes import LexicalScope, Point, View
from ts_lsp.values.torchnames import INTERFACE, MODIFIERS, SCRIPT

_TORCH_ENTRIES = frozenset({"script", "script_if_tracing", "interface"})
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

    def may_enter(self, callee: ast.expr) -> bool:
        return _last_part(callee) in self.last_parts

    def is_wrapper(self, callee: ast.expr) -> bool:
        """Whether a callee is written as one of the user's names, or ends in it."""
        if not self.wrappers:
            return False
        parts = _dotted(callee)
        return any(parts[-len(name) :] == name or name[-len(parts) :] == parts for name in self.wrappers if parts)


def entry_names(units: Iterable[Unit], wrappers: Sequence[str]) -> EntryNames:
    """The names that mean an entry point in a file made of these units, aliases included."""
    split = tuple(tuple(name.split(".")) for name in wrappers if name)
    names = {*_TORCH_ENTRIES, *(parts[-1] for parts in split)}
    word = re.compile("|".join(map(re.escape, sorted({*names, "ScriptModule"}))))
    units = tuple(units)
    trees = [unit.chunk.tree for unit in units] if any(word.search(unit.chunk.text) for unit in units) else []
    for _ in range(2):
        before = len(names)
        for tree in trees:
            names |= set(_aliases(tree, names))
        if len(names) == before:
            break
    classes = frozenset(_script_classes(trees))
    return EntryNames(frozenset(names | classes), split, classes)


def _script_classes(trees: Sequence[ast.AST]) -> set[str]:
    """The names of classes that seem to derive from `ScriptModule`, directly or through each other."""
    classes = [node for tree in trees for node in walk_statements(tree) if isinstance(node, ast.ClassDef)]
    found = {"ScriptModule"}
    grew = True
    while grew:
        derived = {node.name for node in classes if any(_last_part(base) in found for base in node.bases)}
        grew = not derived <= found
        found |= derived
    return found - {"ScriptModule"}


def _aliases(tree: ast.AST, names: set[str]) -> Iterator[str]:
    for node in walk_statements(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (alias.asname for alias in node.names if alias.asname and alias.name in names)
        elif isinstance(node, ast.Assign) and _last_part(node.value) in names:
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
            yield from (target.attr for target in node.targets if isinstance(target, ast.Attribute))


def _last_part(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def _dotted(node: ast.expr) -> tuple[str, ...]:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return tuple(reversed(parts))
    return (*([] if node.id in ("self", "cls") and parts else [node.id]), *reversed(parts))


@dataclass(frozen=True, eq=False)
class CompileCall:
    """A call in a scope that may hand its first argument to the compiler."""

    node: ast.Call
    placed: Placed

    @property
    def argument(self) -> ast.expr | None:
        if self.node.args:
            return None if isinstance(self.node.args[0], ast.Starred) else self.node.args[0]
        return self.node.keywords[0].value if self.node.keywords else None


def compile_calls(scope: LexicalScope, names: EntryNames) -> list[CompileCall]:
    """The calls of a scope's own statements that may be entry points, in order."""
    found: list[CompileCall] = []
    for placed in scope.table.statements:
        for expression in own_expressions(placed.statement):
            nodes = walk_expression(expression)
            calls = [node for node in nodes if isinstance(node, ast.Call) and names.may_enter(node.func)]
            found.extend(CompileCall(call, placed) for call in calls)
    return found


def first_compilation(scope: LexicalScope, binding: Binding, calls: Sequence[CompileCall]) -> Point | None:
    """The place of the first compile call that names this very definition; else of the first one after it, which is
    likely to reach it through another function; None if nothing is compiled after it."""
    start = bisect.bisect_right([call.placed.position for call in calls], binding.position)
    for call in calls[start:]:
        if _mentions(call, binding.name) and _latest(scope, binding.name, call.placed.position) is binding:
            return Point(call.placed.position, call.placed.path)
    for call in calls[start:]:
        return Point(call.placed.position, call.placed.path)
    return None


def _mentions(call: CompileCall, name: str) -> bool:
    argument = call.argument
    if argument is None:
        return False
    return any(isinstance(node, ast.Name) and node.id == name for node in walk_expression(argument))


def _latest(scope: LexicalScope, name: str, position: int) -> Binding | None:
    before = [binding for binding in scope.table.bindings.get(name, ()) if binding.position < position]
    return before[-1] if before else None


@dataclass(frozen=True, slots=True)
class _Handed:
    """A parameter of a function that the function hands to the compiler, and where."""

    parameter: str
    placed: Placed


@dataclass
class EntryCollector:
    """Collects the entry points of one file, scope by scope."""

    names: EntryNames
    calls_of: Callable[[LexicalScope], Sequence[CompileCall]]
    found: list[EntryPoint] = field(default_factory=list)
    script_modules: list[ClassValue] = field(default_factory=list)
    visited: list[LexicalScope] = field(default_factory=list)
    handed: dict[FunctionNode, list[_Handed]] = field(default_factory=dict)

    def visit(self, scope: LexicalScope, function: FunctionValue | None = None) -> None:
        """The compile calls of one scope, the body of `function` or of a class or module."""
        self.visited.append(scope)
        for call in self.calls_of(scope):
            placed = call.placed
            if not scope.reachable(placed.path, placed.unit):
                continue
            at = View(scope, placed.position, placed.path, placed.unit)
            if _last_part(call.node.func) in self.names.script_classes:
                self._constructed(call.node, at)
            elif call.argument is not None and self._compiles(call.node.func, at):
                for target in _targets(call.argument, at):
                    if not self._is_compiled_already(target):
                        self._add(call.node, placed.unit, target, call.node.func)
                    self._note_handed(call, target, scope, function)

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
            if not self.names.may_enter(callee) or not scope.reachable(binding.path, binding.unit):
                continue
            if self._compiles(callee, at):
                self._add(expression, binding.unit, _decorated_target(definition, scope.value(binding)), callee)
        if isinstance(definition, ClassValue) and definition.kind == "script_module":
            self.script_modules.append(definition)

    def finished(self) -> list[EntryPoint]:
        """All entry points in source order; a `ScriptModule` class that the file never instantiates counts itself."""
        self._through_functions()
        made = {id(entry.target.of) for entry in self.found if isinstance(entry.target, InstanceValue)}
        for owner in self.script_modules:
            if id(owner) not in made and owner.node is not None:
                self._append(owner.node, owner.unit, "module", owner, "torch.jit.ScriptModule")
        return sorted(self.found, key=lambda entry: (entry.line, entry.column))

    def _compiles(self, callee: ast.expr, at: View) -> bool:
        value = evaluate(callee, at)
        if self.names.is_wrapper(callee):
            return not isinstance(value, BuiltinValue)
        return isinstance(value, TorchValue) and (
            value.path in SCRIPT or value.path in INTERFACE or MODIFIERS.get(value.path) in _DECORATING
        )

    def _note_handed(
        self, call: CompileCall, target: Value, scope: LexicalScope, function: FunctionValue | None
    ) -> None:
        """A function that compiles what it is given makes its own calls entry points."""
        argument = call.argument
        if function is None or not isinstance(target, UnknownValue) or not isinstance(argument, ast.Name):
            return
        binding = _latest(scope, argument.id, call.placed.position)
        if binding is not None and isinstance(binding.source, Parameter):
            self.handed.setdefault(function.node, []).append(_Handed(argument.id, call.placed))

    def _through_functions(self) -> None:
        """The calls of functions that compile one of their parameters."""
        known = {node: list(handed) for node, handed in self.handed.items()}
        names = EntryNames(frozenset(node.name for node in known if not isinstance(node, ast.Lambda)))
        for scope in self.visited if known else ():
            for call in compile_calls(scope, names):
                placed = call.placed
                at = View(scope, placed.position, placed.path, placed.unit)
                if not scope.reachable(placed.path, placed.unit):
                    continue
                for argument in _handed_arguments(call.node, evaluate(call.node.func, at), known, at):
                    for target in _targets(argument, at):
                        if not isinstance(target, UnknownValue):
                            self._add(call.node, placed.unit, target, call.node.func)

    def _add(self, node: ast.expr, unit: Unit, target: Value, callee: ast.expr) -> None:
        again = isinstance(node, ast.Call) and isinstance(target, FunctionValue) and "script" in target.modifiers
        if isinstance(target, (ScriptedValue, TracedValue)) or (again and not self.names.is_wrapper(callee)):
            return
        self._append(node, unit, _kind(target), target, ".".join(_dotted(callee)) or _last_part(callee))

    def _append(self, node: ast.expr | ast.ClassDef, unit: Unit, kind: str, target: Value, through: str) -> None:
        column = unit.chunk.lines.column(node.lineno - 1, node.col_offset)
        self.found.append(EntryPoint(unit.first_line + node.lineno - 1, column, kind, target, through, node, unit))


def _decorated_target(definition: Value, value: Value | None) -> Value:
    """What a decorator was given: what the decorators below it made of the definition."""
    replaced = isinstance(value, FunctionValue) and "script" in value.modifiers
    return value if value is not None and (replaced or isinstance(value, PartialValue)) else definition


def _handed_arguments(
    node: ast.Call, callee: Value, handed: Mapping[FunctionNode, Sequence[_Handed]], at: View
) -> Iterator[ast.expr]:
    """The arguments of a call that its function hands to the compiler when it is given these."""
    bound = isinstance(callee, PartialValue) and callee.kind == "method"
    function = callee.of if isinstance(callee, PartialValue) else callee
    if not isinstance(function, FunctionValue) or function.node not in handed:
        return
    receiver = (UnknownValue("self"),) if bound else ()
    given = evaluated_arguments(node, at)
    parameters = bind(function, replace(given, positional=(*receiver, *given.positional)))
    if parameters is None:
        return
    inner = execution(function, parameters, at)
    reached = {each.parameter for each in handed[function.node] if inner.reachable(each.placed.path, each.placed.unit)}
    signature = function.node.args
    ordinary = [argument.arg for argument in (*signature.posonlyargs, *signature.args)][len(receiver) :]
    for name, argument in zip(ordinary, node.args, strict=False):
        if isinstance(argument, ast.Starred):
            break
        if name in reached:
            yield argument
    yield from (keyword.value for keyword in node.keywords if keyword.arg in reached)


def _targets(argument: ast.expr, at: View) -> list[Value]:
    """What a compile call is given: one value, or in a loop over known elements each of them."""
    if isinstance(argument, ast.Name):
        binding = _latest(at.scope, argument.id, at.position)
        if binding is not None and isinstance(binding.source, Iterated):
            before = View(at.scope, binding.position, binding.path[:-1], binding.unit)
            return elements_of(binding.source.iterable, binding.source.steps, before) or [evaluate(argument, at)]
    target = evaluate(argument, at)
    if isinstance(target, UnknownValue):
        target = at.scope.interpreter.module_made(argument, at) or target
    return [_changed(argument, target, at)]


def _changed(argument: ast.expr, target: Value, at: View) -> Value:
    """A module held by a name, with the statements that changed it between its making and the compile call."""
    name = _root(argument)
    if not isinstance(target, InstanceValue) or not name:
        return target
    if not isinstance(argument, ast.Name) and at.lookup(name) is not target:
        return target
    start = _made_at(name, target, at)
    around = [arm.statement for arm in at.path]
    changes = [
        (name, placed.statement, View(at.scope, placed.position, placed.path, placed.unit))
        for placed in at.scope.table.statements
        if start is not None
        and start < placed.position < at.position
        and placed.path == at.path[: len(placed.path)]
        and not any(placed.statement is each for each in around)
        and _changes(placed.statement, name)
    ]
    return replace(target, changes=(*target.changes, *changes)) if changes else target


def _made_at(name: str, target: InstanceValue, at: View) -> int | None:
    """The position in the scope from which on statements may have changed a module; None if it came from elsewhere."""
    if target.made_by is not None:
        made_in = target.made_by[1]
        if isinstance(made_in, View) and made_in.scope is at.scope and made_in.position < at.position:
            return made_in.position
    binding = _latest(at.scope, name, at.position)
    return binding.position if binding is not None and binding.path == at.path[: len(binding.path)] else None


def _changes(statement: ast.stmt, name: str) -> bool:
    """Whether a statement assigns to parts of an object, calls its methods or passes it on."""
    if isinstance(statement, (ast.For, ast.If, ast.While, ast.With, ast.Try)):
        return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(statement))
    targets: list[ast.expr] = []
    if isinstance(statement, (ast.Assign, ast.Delete)):
        targets = statement.targets
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        targets = [statement.target]
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        # What a test case does with a module (`self.assertEqual(m(x), y)`) leaves it as it is.
        targets = [call.func] if _root(call.func) == "self" else [call.func, *call.args]
    return any(not isinstance(each, ast.Name) or isinstance(statement, ast.Expr) for each in targets) and any(
        _root(each) == name for each in targets
    )


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _kind(target: Value) -> str:
    if isinstance(target, ClassValue):
        return "interface" if target.kind == "interface" else "class"
    if isinstance(target, InstanceValue):
        if isinstance(target.of, ClassValue) and target.of.kind not in ("module", "script_module", "unknown"):
            return "class"
        return "module"
    return "function"
