"""Functions and classes as values.

Owns the making of `FunctionValue` and `ClassValue` from `def` and `class` statements. Invariant: one value per
definition and execution of the scope that holds it; members of a class are evaluated when asked for.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from ts_lsp.records import dataclass, field, replace
from ts_lsp.values import enum_values, known
from ts_lsp.values.bindings import Assigned, Augmented, Binding, Defined, body_table
from ts_lsp.values.decorators import class_effect, decorated, setter_of, with_modifier
from ts_lsp.values.evaluation import alternatives, evaluate
from ts_lsp.values.fields import class_fields
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    DictValue,
    EnumMemberValue,
    FunctionValue,
    InstanceValue,
    Scope,
    SequenceValue,
    TorchValue,
    TypingValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.patching import EVERYTHING, changed_names
from ts_lsp.values.scopes import LexicalScope, View
from ts_lsp.values.torchnames import MODIFIERS, SCRIPT_MODULES

Call = Callable[[FunctionValue, Sequence[Value], View], Value]
_PLAIN_EXCEPTIONS = frozenset({"BaseException", "KeyboardInterrupt", "SystemExit", "GeneratorExit"})
_KINDS_BY_RANK = ("script_module", "module", "enum", "namedtuple", "typed_dict", "exception", "unknown")


@dataclass(frozen=True, slots=True)
class Definitions:
    """How definitions become values: `call` follows a function, `is_entry_name` knows decorators the user named as
    entry points, `torch_kind` what deriving from a class of torch makes."""

    call: Call
    is_entry_name: Callable[[ast.expr], bool]
    torch_kind: Callable[[str], str]

    def value(self, scope: LexicalScope, binding: Binding, node: ast.AST) -> tuple[Value, Value]:
        """The value of the definition itself, and what its name denotes after all decorators."""
        if isinstance(node, ast.ClassDef):
            return self._class(scope, binding, node)
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        return self._function(scope, binding, node)

    def _function(
        self, scope: LexicalScope, binding: Binding, node: ast.FunctionDef | ast.AsyncFunctionDef
    ) -> tuple[Value, Value]:
        at = View(scope, binding.position, binding.path, binding.unit)
        own = FunctionValue(
            node.name,
            scope.prefix + node.name,
            binding.unit.site(node),
            closure(scope, binding),
            defaults=defaults(node.args, at),
            owner=scope.owner if scope.kind == "class" else None,
        )
        property_name = next((name for name in map(setter_of, node.decorator_list) if name), None)
        if property_name is not None:
            accessor = with_modifier(own, "setter")
            getter = at.lookup(property_name)
            if isinstance(getter, FunctionValue) and "property" in getter.modifiers:
                return accessor, replace(getter, setter=accessor)
            return accessor, UnknownValue(f"property {property_name}")
        value = self._decorate(own, node.decorator_list, at)
        if isinstance(value, FunctionValue) and value.node is node:
            value = own = self._finished(value, scope, at, binding)
        return own, value

    def _decorate(self, own: Value, decorators: Sequence[ast.expr], at: View) -> Value:
        value = own
        for expression in reversed(decorators):
            named = self.is_entry_name(expression.func if isinstance(expression, ast.Call) else expression)
            value = decorated(value, _decorator(expression, at), at, self.call, named)
        return value

    def _finished(self, value: FunctionValue, scope: LexicalScope, at: View, binding: Binding) -> FunctionValue:
        if "overload" not in value.modifiers:
            overloads = _overloads(scope, binding)
            value = replace(value, overloads=overloads) if overloads else value
        if "script" in value.modifiers and scope.kind != "class":
            return replace(value, scope=at)
        return value

    def _class(self, scope: LexicalScope, binding: Binding, node: ast.ClassDef) -> tuple[Value, Value]:
        at = View(scope, binding.position, binding.path, binding.unit)
        bases = tuple(_base(base, at) for base in node.bases if not isinstance(base, ast.Starred))
        decorators = [_decorator(expression, at) for expression in node.decorator_list]
        modifiers, kind = self._effects(node, decorators, self._kind(bases))
        scripted = bool(modifiers & {"script", "interface"})
        enclosing: Scope = at if scripted and scope.kind != "class" else closure(scope, binding)
        parent = at if scope.kind != "class" else (scope.parent or at)
        prefix = f"{scope.prefix}{node.name}."
        body = LexicalScope(
            "class",
            scope.interpreter,
            body_table(node.body, binding.unit),
            parent,
            prefix,
            root=scope.module,
            closure=enclosing,
        )
        metaclass = next((evaluate(each.value, at) for each in node.keywords if each.arg == "metaclass"), None)
        changed = changed_names(scope, node, bases, metaclass)
        modifiers |= {"unknown"} if EVERYTHING in changed else frozenset()
        members = ClassMembers(body, kind == "enum", _assigned_later(scope, binding), changed)
        own = ClassValue(
            node.name,
            scope.prefix + node.name,
            binding.unit.site(node),
            enclosing,
            kind,
            bases,
            members,
            class_fields(body, binding, bases, kind),
            modifiers,
        )
        body.owner = own
        value: Value = own
        for decorator in reversed(decorators):
            if isinstance(decorator, FunctionValue) and isinstance(value, ClassValue):
                value = decorated(value, decorator, at, self.call)
        if isinstance(value, ClassValue) and value.node is node and value is not own:
            body.owner = own = value
        return own, value

    def _effects(self, node: ast.ClassDef, decorators: Sequence[Value], kind: str) -> tuple[frozenset[str], str]:
        modifiers: frozenset[str] = frozenset()
        for expression, decorator in reversed(list(zip(node.decorator_list, decorators, strict=False))):
            added, becomes = class_effect(decorator)
            if self.is_entry_name(expression.func if isinstance(expression, ast.Call) else expression):
                added = frozenset({"script"})
            elif isinstance(decorator, FunctionValue):
                continue
            modifiers |= frozenset({"unknown"}) if added is None else added
            if becomes == "interface" or (becomes is not None and kind in ("plain", "unknown")):
                kind = becomes
        return modifiers, kind

    def _kind(self, bases: Sequence[Value]) -> str:
        kinds = {self._base_kind(base) for base in bases}
        return next((kind for kind in _KINDS_BY_RANK if kind in kinds), "plain")

    def _base_kind(self, base: Value) -> str:
        if isinstance(base, ClassValue):
            return base.kind if base.kind in _KINDS_BY_RANK else "plain"
        if isinstance(base, BuiltinValue):
            return _builtin_kind(base.name)
        if isinstance(base, TorchValue):
            if base.path in SCRIPT_MODULES:
                return "script_module"
            return self.torch_kind(base.path)
        return "plain" if isinstance(base, TypingValue) else "unknown"


def _decorator(expression: ast.expr, at: View) -> Value:
    """What a decorator is; of several that a condition chooses from, the one of torch."""
    value = evaluate(expression, at)
    if not isinstance(value, UnknownValue):
        return value
    known_ones = (each for each in alternatives(expression, at) if isinstance(each, TorchValue))
    return next((each for each in known_ones if each.path in MODIFIERS), value)


def _builtin_kind(name: str) -> str:
    module, _, last = name.rpartition(".")
    if module == "enum":
        return "enum"
    if name in ("typing.NamedTuple", "typing.TypedDict"):
        return "namedtuple" if last == "NamedTuple" else "typed_dict"
    return "exception" if known.is_exception(name) and name not in _PLAIN_EXCEPTIONS else "plain"


def closure(scope: LexicalScope, binding: Binding) -> Scope:
    """Where the free names of a definition resolve once it is compiled."""
    if scope.kind == "class":
        return scope.closure or scope.parent or scope
    if scope.kind == "module":
        return scope
    point = scope.interpreter.first_compilation(scope, binding)
    if point is None:
        return scope
    return View(scope, point.position, point.path, binding.unit, forward=True)


def defaults(signature: ast.arguments, at: View) -> dict[str, Value]:
    """The evaluated defaults by parameter name."""
    ordinary = [*signature.posonlyargs, *signature.args]
    with_default = ordinary[len(ordinary) - len(signature.defaults) :]
    found = {
        argument.arg: evaluate(default, at) for argument, default in zip(with_default, signature.defaults, strict=False)
    }
    for argument, keyword_default in zip(signature.kwonlyargs, signature.kw_defaults, strict=False):
        if keyword_default is not None:
            found[argument.arg] = evaluate(keyword_default, at)
    return found


def _base(node: ast.expr, at: View) -> Value:
    """What a class derives from; `Base[T]` derives from `Base`."""
    value = evaluate(node, at)
    generic = evaluate(node.value, at) if isinstance(value, TypingValue) and isinstance(node, ast.Subscript) else None
    return generic if isinstance(generic, (ClassValue, TorchValue)) else value


def _overloads(scope: LexicalScope, binding: Binding) -> tuple[FunctionValue, ...]:
    """The `_overload` declarations of the same name above a definition."""
    found: list[FunctionValue] = []
    for earlier in scope.table.bindings.get(binding.name, ()):
        if earlier.position >= binding.position:
            break
        if isinstance(earlier.source, Defined) and earlier.source.node.decorator_list:
            value = scope.value(earlier)
            if isinstance(value, FunctionValue) and "overload" in value.modifiers:
                found.append(value)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class AssignedLater:
    """What the scope of a class gives it in statements after its body: plain data is read, the rest not followed."""

    scope: LexicalScope
    definition: Binding
    bindings: Mapping[str, Binding]

    def value(self, name: str) -> Value:
        binding = self.bindings[name]
        if isinstance(binding.source, Assigned) and not binding.source.steps and binding.path == self.definition.path:
            at = View(self.scope, binding.position, binding.path, binding.unit)
            value = evaluate(binding.source.value, at)
            if isinstance(value, (ConstantValue, SequenceValue, DictValue)):
                return value
        return UnknownValue(f"{self.definition.name}.{name} is assigned outside of the class")


def _assigned_later(scope: LexicalScope, binding: Binding) -> AssignedLater:
    later = scope.table.attributes.get(binding.name, ())
    return AssignedLater(scope, binding, {each.name: each for each in later if each.position > binding.position})


@dataclass(frozen=True, eq=False)
class ClassMembers(Mapping[str, Value]):
    """The names of a class in their final binding, enum members as such.

    `later` are those that the statements after the class give it, `changed` those that other code may have changed.
    """

    body: LexicalScope
    enum: bool
    later: AssignedLater
    changed: frozenset[str] = frozenset()
    members: dict[str, EnumMemberValue] = field(default_factory=dict)
    known: dict[str, Value] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Value:
        value = self.known.get(name)
        if value is None:
            value = self._member(name)
            if not isinstance(value, UnknownValue):  # what is not known may be so while it is being worked out
                self.known[name] = value
        return value

    def _member(self, name: str) -> Value:
        if name in self.later.bindings:
            return self.later.value(name)
        if name in self.changed or (EVERYTHING in self.changed and name in self.body.table.bindings):
            return UnknownValue(f"{name} is changed outside of the class")
        if name not in self.body.table.bindings:
            raise KeyError(name)
        if self.enum and self._is_enum_member(name):
            return self._enum_member(name)
        value = self.body.own(name)
        if value is None or name not in self.body.table.bindings:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        names = {
            **self.body.table.bindings,
            **self.later.bindings,
            **dict.fromkeys(sorted(self.changed - {EVERYTHING})),
        }
        return (name for name in names if name in self)  # some are bound in dead branches only

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _is_enum_member(self, name: str) -> bool:
        bindings = self.body.table.bindings[name]
        assigned = isinstance(bindings[-1].source, (Assigned, Augmented))
        return assigned and not (name.startswith("_") and (name.endswith("_") or name.startswith("__")))

    def _enum_member(self, name: str) -> EnumMemberValue:
        if name not in self.members:
            owner = self.body.owner
            assert owner is not None
            value: Value = UnknownValue(f"value of {name}")
            if enum_values.keeps_values(owner):
                value = self._written_value(name, owner)
            self.members[name] = EnumMemberValue(owner, name, value)
        return self.members[name]

    def _written_value(self, name: str, owner: ClassValue) -> Value:
        value = self.body.own(name) or UnknownValue(f"value of {name}")
        if isinstance(value, InstanceValue) and value.of == BuiltinValue("enum.auto"):
            return enum_values.automatic(owner, name, [each.value for each in self._members_above(name)])
        source = self.body.table.bindings[name][-1].source
        if isinstance(value, UnknownValue) and isinstance(source, Assigned) and not source.steps:
            above = {each.name: each.value for each in self._members_above(name)}
            return enum_values.combined(source.value, lambda each: above.get(each, value))
        return value

    def _members_above(self, name: str) -> list[EnumMemberValue]:
        names = [each for each in self.body.table.bindings if self._is_enum_member(each)]
        return [self._enum_member(each) for each in names[: names.index(name)]]
