"""One run of a constructor over abstract values: its state, its limits and its decisions.

Owns `Run` and `Frame`. A test whose outcome the source does not show is a decision; a run follows one list of
decisions, and further runs the others, so that objects never need to be copied.
Invariant: a run is bounded in steps, depth and decisions; beyond them it ends with `Exhausted`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from ts_lsp.records import dataclass, field, replace
from ts_lsp.torchdata.objects import ModuleFacts
from ts_lsp.values import calls
from ts_lsp.values.bindings import Assigned, Binding, Iterated, Path
from ts_lsp.values.calls import Arguments
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    DictValue,
    FunctionValue,
    InstanceValue,
    ModuleObject,
    PartialValue,
    Scope,
    ScriptedValue,
    SequenceValue,
    TorchValue,
    TracedValue,
    Unit,
    UnknownValue,
    Value,
)
from ts_lsp.values.running.copying import deep_copy
from ts_lsp.values.running.objects import (
    DictObject,
    Freezer,
    ListObject,
    ModuleUnderConstruction,
    PartialCall,
    PlainObject,
    Raised,
)
from ts_lsp.values.scopes import END, UNBOUND, Interpreter, LexicalScope, View

MOST_STEPS = 400_000
MOST_DECISIONS = 10
MOST_ITERATIONS = 4_096
_MOST_CALLS = 30
_MOST_ROUNDS = 8
_PRODUCT = TorchValue("itertools.product")
_NO_PATH: Path = ()
_THAWED = (SequenceValue, DictValue, InstanceValue, ModuleObject, ScriptedValue, TracedValue, PartialValue)
_THAWED_BUILTINS = frozenset({"collections.OrderedDict", "list", "dict", "tuple", "range", "collections.defaultdict"})


class Exhausted(Exception):
    """The run is too long, too deep or has too many decisions."""


class World(Interpreter, Protocol):
    """What a run asks of the workspace."""

    def torch_kind(self, path: str) -> str:
        """What a class of torch makes its instances: `module`, `tensor`, `other`; empty for what is no class."""

    def module_facts(self, path: str) -> ModuleFacts | None: ...

    def tensor_result(self, method: str) -> Value: ...

    def torch_constant(self, path: str) -> Value | None: ...

    def is_external(self, path: str) -> bool:
        """Whether a file is a library's, which nobody runs as a program."""

    def torch_members(self, path: str) -> frozenset[str] | None:
        """The names in a module of torch."""

    def module_scope(self, key: str) -> LexicalScope | None:
        """The scope of a module of the workspace by the name of its `ModuleValue`."""

    def imported_from(self, scope: LexicalScope, binding: Binding) -> tuple[LexicalScope, str] | None:
        """Where a `from` import finds its name."""

    def module_state(self, scope: LexicalScope, name: str) -> Value | None:
        """What a global that functions change is after all imports; None for other names."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A test with an outcome that was chosen. `label` says the choice to a person."""

    label: str
    outcome: bool


@dataclass(frozen=True, slots=True)
class Language:
    """The parts of the interpreter, which need each other."""

    evaluate: Callable[[ast.expr, Frame], Value]
    execute: Callable[[Sequence[ast.stmt], Frame], str]
    call: Callable[[Value, Arguments, Frame], Value]
    attribute: Callable[[Value, str, Frame], Value]
    iterate: Callable[[Value, Frame], Sequence[Value] | None]


@dataclass(eq=False, slots=True)
class Run:
    """The state of one run.

    `given` are the outcomes to choose first; every further decision has the outcome `otherwise`, and there are at most
    `most_decisions` in all. A loop that makes no modules in `most_idle_steps` steps is left alone: it makes some large
    table. `origin` is where the object that is wanted is made.
    """

    world: World
    language: Language
    given: Sequence[bool] = ()
    otherwise: bool = True
    most_decisions: int = MOST_DECISIONS
    taken: list[Decision] = field(default_factory=list)
    steps: int = 0
    depth: int = 0
    known: dict[tuple[int, str], bool] = field(default_factory=dict)
    kept: list[Value | ast.expr] = field(default_factory=list)
    thawed: dict[int, tuple[Value, Value]] = field(default_factory=dict)
    followed: dict[int, Value] = field(default_factory=dict)
    origin: View | None = None
    globals: dict[tuple[str, str], Value] = field(default_factory=dict)
    copied: dict[int, Value] = field(default_factory=dict)
    compared: dict[tuple[int, str], Value] = field(default_factory=dict)
    modules_made: int = 0
    most_idle_steps: int = 25_000
    left_alone: set[ast.AST] = field(default_factory=set)

    def step(self) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Exhausted

    def enter(self) -> None:
        self.depth += 1
        if self.depth > _MOST_CALLS:
            raise Exhausted

    def leave(self) -> None:
        self.depth -= 1

    def ask(self, about: Value | ast.expr, question: str, label: str, negated: str) -> bool:
        """The outcome of a test that is not known. The same question about the same value has one answer.

        `label` and `negated` say the two outcomes to a person.
        """
        key = (id(about), question)
        if key not in self.known:
            if len(self.taken) >= self.most_decisions:
                raise Exhausted
            outcome = self.given[len(self.taken)] if len(self.taken) < len(self.given) else self.otherwise
            self.taken.append(Decision(label if outcome else negated, outcome))
            self.kept.append(about)
            self.known[key] = outcome
        return self.known[key]

    def choose(self, loop: ast.expr, count: int) -> int:
        """The round of a loop, out of `count`, in which this run takes place."""
        for index in range(count - 1):
            otherwise = _round(loop, index + 1) if index == count - 2 else ""
            if self.ask(loop, f"round {index}", _round(loop, index), otherwise):
                return index
        return count - 1

    def thaw(self, value: Value, frame: Frame) -> Value:
        """The object of this run that a frozen value describes; one value stays one object."""
        if not isinstance(value, _THAWED):
            return value
        known = self.thawed.get(id(value))
        if known is None:
            known = self.thawed[id(value)] = (value, self._thawed(value, frame))
        return known[1]

    def _thawed(self, value: Value, frame: Frame) -> Value:
        if isinstance(value, SequenceValue):
            elements = [self.thaw(each, frame) for each in value.elements]
            return (
                SequenceValue("tuple", tuple(elements)) if value.kind == "tuple" else ListObject(elements, value.kind)
            )
        if isinstance(value, DictValue):
            made = DictObject()
            for key, item in value.items:
                made.set(key, self.thaw(item, frame))
            return made
        if isinstance(value, PartialValue):
            if value.kind != "partial":
                return value
            given = tuple(self.thaw(each, frame) for each in value.arguments)
            named = {name: self.thaw(each, frame) for name, each in value.keywords}
            return PartialCall(self.thaw(value.of, frame), Arguments(given, named))
        if isinstance(value, ScriptedValue):
            inner = self.thaw(value.of, frame)
            return inner if isinstance(inner, ModuleUnderConstruction) else value
        if isinstance(value, TracedValue):
            inner = self.thaw(value.of, frame)
            examples = (
                SequenceValue("tuple", value.examples) if value.examples is not None else UnknownValue("examples")
            )
            return replace(inner, traced_with=examples) if isinstance(inner, ModuleUnderConstruction) else value
        if isinstance(value, ModuleObject):
            return self._thawed_module(value, frame)
        assert isinstance(value, InstanceValue)
        return self._thawed_instance(value, frame)

    def _thawed_instance(self, value: InstanceValue, frame: Frame) -> Value:
        of = value.of
        if isinstance(of, BuiltinValue) and not (of.name in _THAWED_BUILTINS and (value.arguments or value.made_by)):
            return value
        if isinstance(of, TorchValue) and self.world.torch_kind(of.path) != "module":
            return value
        made: Value | None = None
        if value.made_by is not None:
            node, scope = value.made_by
            unit = scope.unit if isinstance(scope, (View, Frame)) else frame.unit
            if self.origin is None and isinstance(scope, View):
                self.origin = scope
            made = self.language.evaluate(node, Frame(self, scope, unit))
            if isinstance(of, ClassValue) and not is_instance_of(made, of):
                made = None
        if made is None:
            positional = tuple(self.thaw(each, frame) for each in value.arguments)
            keywords = {name: self.thaw(each, frame) for name, each in value.keywords}
            made = self.language.call(of, Arguments(positional, keywords), frame)
        for name, statement, scope in value.changes:
            unit = scope.unit if isinstance(scope, (View, Frame)) else frame.unit
            inner = Frame(self, scope, unit, {name: made})
            self.language.execute([statement], inner)
        return made

    def _thawed_module(self, value: ModuleObject, frame: Frame) -> Value:
        made = ModuleUnderConstruction(value.of, value.arguments, value.keywords)
        self.thawed[id(value)] = (value, made)
        for table, target in (
            (value.parameters, made.parameters),
            (value.buffers, made.buffers),
            (value.modules, made.modules),
        ):
            for name, each in table.items():
                target.set(ConstantValue(name), self.thaw(each, frame))
        made.attributes.update((name, self.thaw(each, frame)) for name, each in value.attributes.items())
        made.hooks, made.pre_hooks = list(value.hooks), list(value.pre_hooks)
        made.is_complete, made.is_initialised = value.is_complete, value.is_initialised
        made.traced_with = value.traced_with
        made.defined = dict(value.defined)
        base = self.thaw(value.base, frame) if value.base is not None else None
        made.base = base if isinstance(base, ModuleUnderConstruction) else None
        return made


def _round(loop: ast.expr, index: int) -> str:
    return f"in round {index + 1} of the loop over `{ast.unparse(loop)}`"


def is_instance_of(value: Value, of: ClassValue) -> bool:
    return isinstance(value, (ModuleUnderConstruction, PlainObject)) and value.of is of


def _is_vague(value: Value) -> bool:
    """Whether a value is a container of which nothing is known."""
    if not isinstance(value, InstanceValue) or not isinstance(value.of, BuiltinValue):
        return False
    if value.of.name in ("collections.defaultdict", "collections.OrderedDict"):
        return True  # what was put in later does not show
    return not value.arguments and value.of.name in ("list", "dict", "set", "tuple", "generator")


def latest_binding(scope: Scope, name: str, origin: View | None) -> tuple[Binding, View] | None:
    """The assignment or loop that certainly gave a name its value, seen from a scope, and where it stands.

    What runs because of the code at `origin` sees the names around that as they are there.
    """
    at = scope if isinstance(scope, View) else None
    inner = at.scope if at is not None else scope
    while isinstance(inner, LexicalScope):
        if at is None and origin is not None and origin.scope is inner:
            at = origin
        bindings = inner.table.bindings.get(name, ())
        if bindings or inner.parent is None:
            break
        at = inner.parent if isinstance(inner.parent, View) else None
        inner = at.scope if at is not None else inner.parent
    else:
        return None
    position, path, scope = (at.position, at.path, inner) if at is not None else (END, _NO_PATH, inner)
    before = [binding for binding in bindings if binding.position < position]
    last = before[-1] if before else None
    if last is None or not isinstance(last.source, (Assigned, Iterated)) or last.path != path[: len(last.path)]:
        return None
    return None if name in scope.table.mutated else (last, View(scope, last.position, last.path, last.unit))


def _binding_module(scope: Scope, name: str) -> LexicalScope | None:
    """The module that binds a name as seen from a scope; None where something nearer binds it, or nothing does."""
    while isinstance(scope, (View, LexicalScope, Frame)):
        if isinstance(scope, Frame):
            scope = scope.parent
            continue
        inner = scope.scope if isinstance(scope, View) else scope
        if name in inner.table.bindings:
            return inner if inner.kind == "module" else None
        if inner.parent is None:
            return None
        scope = inner.parent
    return None


@dataclass(eq=False, slots=True)
class Frame:
    """One execution of a function body, or a place from which expressions are read. A `Scope` for what it defines."""

    run: Run
    parent: Scope
    unit: Unit | None
    names: dict[str, Value] = field(default_factory=dict)
    function: FunctionValue | None = None
    receiver: Value | None = None
    returned: Value = field(default_factory=lambda: ConstantValue(None))
    yielded: ListObject | None = None
    outer: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    is_function: bool = False
    lexical: LexicalScope | None = None

    def find(self, name: str) -> Value:
        """What the name is bound to now."""
        value = self.names.get(name)
        if value is not None:
            if value is UNBOUND:
                raise Raised("UnboundLocalError")
            return value
        if isinstance(self.parent, Frame) and name not in self.globals:
            return self.parent.find(name)
        changing = self._global(name)
        if changing is not None:
            return changing
        found = self.parent.lookup(name)
        if name == "__name__" and self.unit is not None and self.run.world.is_external(self.unit.path):
            return ConstantValue(self.unit.module)
        if found is None:
            return UnknownValue(f"{name} is not defined")
        if isinstance(found, UnknownValue) or _is_vague(found):
            latest = latest_binding(self.parent, name, self.run.origin)
            if latest is not None:
                return self._evaluated(*latest)
        return self.run.thaw(found, self)

    def _global(self, name: str) -> Value | None:
        """The object that a global is in this run, where functions change it; None for all other names."""
        module = _binding_module(self.parent, name) if name not in self.globals else self.root()
        if module is None:
            return None
        run, key = self.run, (module.key, name)
        if key not in run.globals:
            value = run.world.module_state(module, name)
            if value is not None:
                run.globals[key] = deep_copy(value, run.copied)
        return run.globals.get(key)

    def _evaluated(self, binding: Binding, at: View) -> Value:
        """The value of a binding elsewhere that evaluation by demand could not tell, followed step by step."""
        run = self.run
        source = binding.source
        if id(binding) not in run.followed:
            run.followed[id(binding)] = UnknownValue("depends on itself")
            assert isinstance(source, (Assigned, Iterated))
            run.enter()
            try:
                if isinstance(source, Iterated):
                    before = View(at.scope, at.position, at.path[:-1], at.unit)
                    value, steps = self._one_round(source, Frame(run, before, at.unit))
                else:
                    value, steps = run.language.evaluate(source.value, Frame(run, at, at.unit)), source.steps
            finally:
                run.leave()
            for step in steps:
                parts = value.elements if isinstance(value, SequenceValue) else ()
                value = parts[step] if step < len(parts) else UnknownValue("unpacked value")
            run.followed[id(binding)] = value
        return run.followed[id(binding)]

    def _one_round(self, source: Iterated, frame: Frame) -> tuple[Value, tuple[int, ...]]:
        """What a loop over known elements gives in one of its rounds, and the steps to the part that is meant."""
        run = self.run
        loop, steps = source.iterable, source.steps
        latest = latest_binding(frame.parent, loop.id, run.origin) if isinstance(loop, ast.Name) else None
        if latest is not None and isinstance(latest[0].source, Assigned) and not latest[0].source.steps:
            loop, frame = latest[0].source.value, Frame(run, latest[1], latest[1].unit)
        # The variables of a loop over a product go through their values independently.
        if steps and isinstance(loop, ast.Call) and run.language.evaluate(loop.func, frame) == _PRODUCT:
            loop, steps = (loop.args[steps[0]], steps[1:]) if steps[0] < len(loop.args) else (loop, steps)
        elements = run.language.iterate(run.language.evaluate(loop, frame), frame)
        if not elements or len(elements) > _MOST_ROUNDS:
            return UnknownValue("loop variable"), ()
        return elements[run.choose(loop, len(elements))], steps

    def bind(self, name: str, value: Value) -> None:
        """Assign a local name, or the enclosing function's after `nonlocal`."""
        frame: Frame = self
        root = self.root() if name in self.globals else None
        if root is not None:
            self.run.globals[root.key, name] = value
            return
        while name in frame.outer and isinstance(frame.parent, Frame):
            frame = frame.parent
        if name not in frame.outer:
            frame.names[name] = value

    def function_frame(self) -> Frame:
        """The frame of the function around a comprehension."""
        frame = self
        while not frame.is_function and isinstance(frame.parent, Frame):
            frame = frame.parent
        return frame

    def method_frame(self) -> Frame | None:
        """The frame of the method around this one: what `super()` and `__class__` mean."""
        frame: Scope = self
        while isinstance(frame, Frame):
            if frame.function is not None and frame.function.owner is not None:
                return frame
            frame = frame.parent
        return None

    def mangled(self, name: str) -> str:
        """The name of an attribute that is written here: Python gives private ones the name of the class."""
        if not name.startswith("__") or name.endswith("__"):
            return name
        method = self.method_frame()
        owner = method.function.owner if method is not None and method.function is not None else None
        return f"_{owner.name.lstrip('_')}{name}" if owner is not None else name

    def root(self) -> LexicalScope | None:
        """The scope of the module around."""
        scope: Scope = self
        while isinstance(scope, (Frame, View)):
            scope = scope.parent if isinstance(scope, Frame) else scope.scope
        return scope.module if isinstance(scope, LexicalScope) else None

    def lexical_scope(self) -> LexicalScope | None:
        """The function body as the evaluation by demand sees it: what local imports and classes are made by."""
        frame = self.function_frame()
        if frame.lexical is None and frame.function is not None:
            root = frame.root()
            if root is not None:
                frozen: Mapping[str, Value] = Freezer().table(frame.names)
                at = View(root, root.table.end, (), frame.function.unit)
                frame.lexical = calls.execution(frame.function, frozen, at)
        return frame.lexical

    def lookup(self, name: str) -> Value | None:
        value = self.names.get(name)
        if value is None:
            return self.parent.lookup(name)
        return None if value is UNBOUND else Freezer().value(value)

    def lookup_global(self, name: str) -> Value | None:
        return self.parent.lookup_global(name)
