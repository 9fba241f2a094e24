"""Names looked up by demand: what a name denotes at a given point of a scope.

Owns `LexicalScope` (one execution of a module, function or class body) and `View` (that scope as seen from a point).
Invariant: a binding is evaluated at most once, when first asked for, reading names as of its own statement; so the
order in which files are asked about does not matter and cyclic imports lose nothing. A binding that needs itself is
unknown.
"""

from __future__ import annotations

import ast
import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Protocol

from ts_lsp.records import dataclass, field
from ts_lsp.values.bindings import Arm, Binding, BindingTable, ImportedModule, ImportedName, Path, leaves
from ts_lsp.values.model import ClassValue, ConstantValue, Scope, Unit, UnknownValue, Value

END = 1 << 60
"""The position after everything else: what a scope looks like when it is finished."""


@dataclass(frozen=True, slots=True)
class UnboundValue(Value):
    """The name was deleted: it is certainly not defined here, whatever stood before."""


UNBOUND = UnboundValue()
HIDDEN = UnknownValue("star import of an unknown module")
"""What any name may be that nothing but a star import of an unknown module could bind."""
WRITTEN = UnknownValue("a name that is written as text")
"""What any name may be in a module that puts names into its own namespace."""
Earlier = Callable[[], "Value | None"]


class Budget:
    """How deep and how long one question may evaluate. Used up, everything further is unknown.

    Costs stand for frames of our own stack, so that deep chains end long before Python's recursion limit. What is
    evaluated after `exceeded` was set is not to be kept: asked anew, it may well be within the budget. Following a
    function call has a smaller budget of its own, whose end concerns the result of that call only.
    """

    def __init__(self, depth: int = 400, steps: int = 50_000, calls: int = 6, call_steps: int = 2_000) -> None:
        self._deepest, self._most, self._most_calls, self._most_call_steps = depth, steps, calls, call_steps
        self._depth = self._steps = self._calls = self._call_end = 0
        self._exceeded_before_call = False
        self.exceeded = False

    def enter(self, cost: int = 2) -> bool:
        """Goes one level deeper; False (and no level deeper) when the budget is used up."""
        if not self._depth:
            self._steps, self.exceeded = 0, False
        end = self._call_end if self._calls else self._most
        if self._depth >= self._deepest or self._steps >= end:
            self.exceeded = True
            return False
        self._steps += 1
        self._depth += cost
        return True

    def leave(self, cost: int = 2) -> None:
        self._depth -= cost

    @property
    def is_idle(self) -> bool:
        return not self._depth

    def enter_call(self) -> bool:
        """Follows one more function call; False when too many are open."""
        if self._calls >= self._most_calls:
            return False
        if not self._calls:
            self._call_end = min(self._steps + self._most_call_steps, self._most)
            self._exceeded_before_call = self.exceeded
        self._calls += 1
        return True

    def leave_call(self) -> None:
        self._calls -= 1
        if not self._calls:
            self.exceeded = self._exceeded_before_call


class Interpreter(Protocol):
    """The evaluation of Python as scopes and expressions see it."""

    @property
    def budget(self) -> Budget: ...

    def bound_value(self, scope: LexicalScope, binding: Binding) -> Value | None:
        """The value a binding gives; None where it binds nothing after all (a star import without the name)."""

    def truth(self, test: ast.expr, at: View) -> bool | None: ...

    def builtin(self, name: str) -> Value | None:
        """What the compiler finds after all globals: names of `typing`, then Python's builtins."""

    def member(self, module: str, name: str) -> Value | None: ...

    def torch_attribute(self, path: str, name: str) -> Value | None: ...

    def torch_result(self, path: str) -> Value | None:
        """What calling a function of torch gives; None where calling it makes an object of its own kind."""

    def lambda_value(self, node: ast.Lambda, at: View) -> Value: ...

    def comprehension(self, node: ast.expr, at: View) -> Value: ...

    def call(self, node: ast.Call, at: View) -> Value: ...

    def module_made(self, node: ast.expr, at: View) -> Value | None:
        """The module that an expression makes, where only following the code step by step tells; else None."""

    def first_compilation(self, scope: LexicalScope, binding: Binding) -> Point | None:
        """Where in `scope` the function or class of `binding` is first handed to the compiler."""


@dataclass(frozen=True, slots=True)
class Point:
    """A position in a scope and the arms around it."""

    position: int
    path: Path


@dataclass(eq=False, repr=False)
class LexicalScope:
    """One execution of a body. `parent` is where free names resolve; None for a module, which ends in the builtins.

    `prefix` starts the qualified names of what is defined inside; `arguments` are the values of known parameters;
    `owner` is the class whose body this is, `closure` what its methods see; `root` is the scope of the module.
    `own_values` are definitions before decorators replaced them; `key` is a module's name in the workspace.
    """

    kind: str  # "module" | "function" | "class"
    interpreter: Interpreter
    table: BindingTable
    parent: Scope | None
    prefix: str = ""
    arguments: Mapping[str, Value] = field(default_factory=dict)
    owner: ClassValue | None = None
    root: LexicalScope | None = None
    closure: Scope | None = None
    key: str = ""
    own_values: dict[Binding, Value] = field(default_factory=dict)
    values: dict[Binding, Value | None] = field(default_factory=dict)
    pending: set[tuple[Binding, str]] = field(default_factory=set)
    warmed: bool = False
    truths: dict[ast.expr, bool | None] = field(default_factory=dict)

    @property
    def module(self) -> LexicalScope:
        return self.root or self

    def renew(self, table: BindingTable) -> None:
        """The body is another one now: what was evaluated of texts that are not there any more is dropped."""
        self.table = table
        self.values = {each: value for each, value in self.values.items() if each.unit.is_current}
        self.own_values = {each: value for each, value in self.own_values.items() if each.unit.is_current}
        self.truths = {}
        self.warmed = False

    def lookup(self, name: str) -> Value | None:
        return self.lookup_at(name, END, (), False)

    def lookup_global(self, name: str) -> Value | None:
        if self.kind == "module" or self.table.through_global.get(name):
            return self.lookup(name)
        return self.parent.lookup_global(name) if self.parent is not None else None

    def bindings(self, name: str) -> Sequence[Binding]:
        """The bindings of a name, those that a function makes through `global` included: it sees them at once."""
        return self.table.bindings.get(name) or self.table.through_global.get(name, ())

    def lookup_at(self, name: str, position: int, path: Path, forward: bool) -> Value | None:
        value = self.own(name, position, path)
        if value is None and forward:
            value = self._first_after(name, position)
        if value is not None:
            return None if value is UNBOUND and self.kind == "function" else self._outward(name, value)
        if self.kind == "function" and name in self.table.bindings:
            return None
        return self._outward(name, None)

    def _outward(self, name: str, value: Value | None) -> Value | None:
        if value is not None and value is not UNBOUND:
            return value
        if self.parent is not None:
            return self.parent.lookup(name)
        return self.interpreter.builtin(name) or (WRITTEN if self.table.writes_names else None)

    def own(self, name: str, position: int = END, path: Path = ()) -> Value | None:
        """What this scope itself binds to `name` at the point; None if nothing, `UNBOUND` if deleted."""
        bindings = self.bindings(name)
        if self.table.stars and name not in self.table.outer:
            bindings = sorted([*bindings, *self.table.stars], key=lambda binding: binding.position)
        if not bindings:
            return None
        bindings = self._warmed(_relevant(bindings, position, path), position)
        resolution = _Resolution(self, name, position, path)
        value = resolution.resolve(bindings, 0, lambda: None)
        if value is None and resolution.hidden and self.interpreter.builtin(name) is None:
            return HIDDEN
        return value

    def value(self, binding: Binding, name: str | None = None) -> Value | None:
        """The value of one binding, evaluated when first asked for; `name` matters for star imports only."""
        star = binding.name == "*"
        key = (binding, name or binding.name)
        if not star and binding in self.values:
            return self.values[binding]
        if key in self.pending:
            return None if star else UnknownValue("depends on itself")
        value = self._evaluated(binding, key)
        budget = self.interpreter.budget
        if budget.is_idle and budget.exceeded and not self.warmed:
            self.warmed = True
            for earlier in sorted(self.table.all_bindings(), key=lambda each: each.position):
                if earlier.position < binding.position:
                    self.value(earlier)
            value = self._evaluated(binding, key)
        if star or (budget.exceeded and not budget.is_idle):
            return value
        return self.values.setdefault(binding, value)

    def _evaluated(self, binding: Binding, key: tuple[Binding, str]) -> Value | None:
        self.pending.add(key)
        try:
            return self.interpreter.bound_value(self, _renamed(binding, key[1]) if binding.name == "*" else binding)
        finally:
            self.pending.discard(key)

    def is_pending(self, binding: Binding) -> bool:
        return (binding, binding.name) in self.pending

    def truth(self, test: ast.expr, at: View) -> bool | None:
        """Whether the test of an `if` is known to hold or not."""
        if test in self.truths:
            return self.truths[test]
        known = self.interpreter.truth(test, at)
        return known if self.interpreter.budget.exceeded else self.truths.setdefault(test, known)

    def reachable(self, path: Path, unit: Unit) -> bool:
        """Whether none of these arms is known never to run."""
        return all(self._runs(path, depth, unit) is not False for depth in range(len(path)))

    def certain(self, path: Path, unit: Unit) -> bool:
        """Whether all of these arms are known to run."""
        return all(self._runs(path, depth, unit) for depth in range(len(path)))

    def _runs(self, path: Path, depth: int, unit: Unit) -> bool | None:
        arm = path[depth]
        if isinstance(arm.statement, (ast.With, ast.AsyncWith)):
            return True
        if not isinstance(arm.statement, ast.If):
            return None
        view = View(self, self.table.positions[arm.statement], path[:depth], unit)
        known = self.truth(arm.statement.test, view)
        return None if known is None else known is (arm.name == "body")

    def names(self) -> list[str]:
        """Every name the scope itself binds, in order of first binding (star imports not expanded)."""
        return list(self.table.bindings)

    def _first_after(self, name: str, position: int) -> Value | None:
        for binding in self.bindings(name):
            if binding.position >= position:
                return self.value(binding)
        return None

    def _warmed(self, bindings: Sequence[Binding], position: int) -> Sequence[Binding]:
        """Evaluates long histories from the front, so that a hundred `x += 1` do not recurse a hundred deep."""
        start = len(bindings)
        while start and bindings[start - 1] not in self.values:
            start -= 1
        if len(bindings) - start > 8:
            for binding in bindings[start:]:
                if binding.position < position and binding.name != "*" and not self.is_pending(binding):
                    self.value(binding)
        return bindings


def _relevant(bindings: Sequence[Binding], position: int, path: Path) -> Sequence[Binding]:
    """The bindings before a point, and those after it in the compound statement around it: a loop may come back."""
    end = bisect.bisect_left(bindings, position, key=lambda binding: binding.position)
    if path:
        while end < len(bindings) and _within(bindings[end], 0, path[0].statement):
            end += 1
    return bindings[:end]


@dataclass(frozen=True, slots=True)
class View:
    """A scope as seen from one point: bindings made before `position` count, arms in `path` are being executed.

    `forward`: names bound only later are taken from there (a closure cell read when scripting happens).
    `given`: names that the expression around has bound, as comprehensions do.
    """

    scope: LexicalScope
    position: int
    path: Path
    unit: Unit
    forward: bool = False
    given: tuple[tuple[str, Value], ...] = ()

    def lookup(self, name: str) -> Value | None:
        for known, value in self.given:
            if known == name:
                return value
        return self.scope.lookup_at(name, self.position, self.path, self.forward)

    def lookup_global(self, name: str) -> Value | None:
        if self.scope.kind == "module" or self.scope.table.through_global.get(name):
            return self.lookup(name)
        return self.scope.lookup_global(name)


def _renamed(binding: Binding, name: str) -> Binding:
    return Binding(name, binding.position, binding.path, binding.unit, binding.source)


@dataclass(slots=True)
class _Resolution:
    """One look-up: walks the bindings of a name backwards from a point through the arms of compound statements."""

    scope: LexicalScope
    name: str
    position: int
    path: Path
    hidden: bool = False

    def resolve(self, bindings: Sequence[Binding], depth: int, earlier: Earlier) -> Value | None:
        end = len(bindings)
        while end:
            last = bindings[end - 1]
            if len(last.path) <= depth:
                if last.position < self.position:
                    value = self.scope.value(last, self.name)
                    if value is HIDDEN:
                        self.hidden = True
                    elif value is not None:
                        return value
                end -= 1
                continue
            statement = last.path[depth].statement
            start = end - 1
            while start and _within(bindings[start - 1], depth, statement):
                start -= 1
            before, group = bindings[:start], bindings[start:end]
            if group[0].position < self.position or self._inside(statement, depth):
                return self._compound(statement, group, depth, partial(self.resolve, before, depth, earlier))
            end = start
        return earlier()

    def _inside(self, statement: ast.AST, depth: int) -> bool:
        return len(self.path) > depth and self.path[depth].statement is statement

    def _compound(self, statement: ast.AST, group: Sequence[Binding], depth: int, earlier: Earlier) -> Value | None:
        if self._inside(statement, depth):
            return self._from_inside(statement, group, depth, earlier)
        if isinstance(statement, ast.If):
            return self._after_if(statement, group, depth, earlier)
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            return self.resolve(group, depth + 1, earlier)
        if isinstance(statement, ast.While) and self._holds(statement, group[0], depth) is False:
            return self.resolve(_arm(group, depth, "else"), depth + 1, earlier)
        if isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):
            once = self.resolve(_arm(group, depth, "body"), depth + 1, earlier)
            return self.resolve(_arm(group, depth, "else"), depth + 1, lambda: join(once, earlier()))
        if isinstance(statement, ast.Match):
            arms = [_arm(group, depth, "body", index) for index in range(len(statement.cases))]
            return join(*(self.resolve(arm, depth + 1, earlier) for arm in arms), earlier())
        return self._after_try(statement, group, depth, earlier)

    def _from_inside(self, statement: ast.AST, group: Sequence[Binding], depth: int, earlier: Earlier) -> Value | None:
        here = self.path[depth]
        same = _arm(group, depth, here.name, here.index)

        def before_arm() -> Value | None:
            if here.name in ("else", "finally") and not isinstance(statement, ast.If):
                return self.resolve(_arm(group, depth, "body"), depth + 1, earlier)
            if not isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):
                return earlier()
            initial = earlier()
            later = [binding for binding in same if binding.position >= self.position]
            if initial is None or not later:
                return initial
            return join(initial, self.scope.value(later[-1], self.name))

        return self.resolve(same, depth + 1, before_arm)

    def _after_if(self, statement: ast.If, group: Sequence[Binding], depth: int, earlier: Earlier) -> Value | None:
        truth = self._holds(statement, group[0], depth)
        outcomes: list[Value | None] = []
        for name, body, skipped in (
            ("body", statement.body, truth is False),
            ("else", statement.orelse, truth is True),
        ):
            if not skipped and (truth is not None or not leaves(body)):
                outcomes.append(self.resolve(_arm(group, depth, name), depth + 1, earlier))
        return join(*outcomes)

    def _holds(self, statement: ast.If | ast.While, inside: Binding, depth: int) -> bool | None:
        view = View(self.scope, self.scope.table.positions[statement], inside.path[:depth], inside.unit)
        return self.scope.truth(statement.test, view)

    def _after_try(self, statement: ast.AST, group: Sequence[Binding], depth: int, earlier: Earlier) -> Value | None:
        def body() -> Value | None:
            return self.resolve(_arm(group, depth, "body"), depth + 1, earlier)

        def ended() -> Value | None:
            normal = self.resolve(_arm(group, depth, "else"), depth + 1, body)
            handlers: list[ast.ExceptHandler] = getattr(statement, "handlers", [])
            if normal is not None and self._imports_work(statement):
                return normal
            outcomes = [normal]
            for index, handler in enumerate(handlers):
                if not leaves(handler.body):
                    outcomes.append(self.resolve(_arm(group, depth, "handler", index), depth + 1, earlier))
            return join(*outcomes)

        return self.resolve(_arm(group, depth, "finally"), depth + 1, ended)

    def _imports_work(self, statement: ast.AST) -> bool:
        """Whether the body of a `try` imports something, and all it imports is known to exist."""
        table = self.scope.table
        imports = [
            binding
            for group in table.bindings.values()
            for binding in group
            if isinstance(binding.source, (ImportedModule, ImportedName))
            and any(arm.statement is statement and arm.name == "body" for arm in binding.path)
        ]
        return bool(imports) and all(
            self.scope.is_pending(binding) or not isinstance(self.scope.value(binding), (UnknownValue, type(None)))
            for binding in imports
        )


def _within(binding: Binding, depth: int, statement: ast.AST) -> bool:
    return len(binding.path) > depth and binding.path[depth].statement is statement


def _arm(group: Sequence[Binding], depth: int, name: str, index: int = 0) -> list[Binding]:
    def matches(arm: Arm) -> bool:
        return arm.name == name and arm.index == index

    return [binding for binding in group if matches(binding.path[depth])]


def join(*outcomes: Value | None) -> Value | None:
    """One value out of those that different paths give; a path on which the name is unbound does not count."""
    known = [value for value in outcomes if value is not None and value is not UNBOUND]
    if not known:
        return UNBOUND if any(value is UNBOUND for value in outcomes) else None
    if all(same(known[0], value) for value in known[1:]):
        return known[0]
    return UnknownValue("depends on a condition", _candidates(known))


def _candidates(values: Iterable[Value]) -> tuple[Value, ...]:
    """What one of the values may turn out to be; none where that may be anything."""
    found: list[Value] = []
    for value in values:
        if isinstance(value, UnknownValue) and not value.candidates:
            return ()
        found.extend(value.candidates if isinstance(value, UnknownValue) else (value,))
    return tuple(found)


def same(left: Value, right: Value) -> bool:
    """Equality of values that tells `1` from `True` and `1.0`."""
    if isinstance(left, ConstantValue) and isinstance(right, ConstantValue):
        return type(left.value) is type(right.value) and repr(left.value) == repr(right.value)
    return left == right
