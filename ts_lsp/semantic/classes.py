"""Classes as the compiler sees them: script classes, enums, NamedTuples, interfaces.

Owns `ClassDefinition` (a compiled class) and the way from a Python class to a type.
Invariant: a class compiles whole the first time it is mentioned, and is known by its qualified name from then on.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ts_lsp.semantic import named_tuples
from ts_lsp.semantic.facts import Finding
from ts_lsp.semantic.sugared import (
    UNKNOWN_VALUE,
    ClassConstructor,
    EnumClass,
    ExceptionClass,
    InterfaceClass,
    ModuleClass,
    NamedTupleConstructor,
    OpaqueCallable,
    PythonValue,
    Sugared,
)
from ts_lsp.text import Range, range_of
from ts_lsp.types.model import (
    FLOAT,
    INT,
    STR,
    TENSOR,
    ClassType,
    EnumType,
    InterfaceType,
    Type,
)
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    DictValue,
    EnumMemberValue,
    FunctionValue,
    InstanceValue,
    SequenceValue,
    TorchValue,
    TypingValue,
    Unit,
    UnknownValue,
    Value,
)

if TYPE_CHECKING:
    from ts_lsp.semantic.context import FunctionContext
    from ts_lsp.semantic.program import Program


@dataclass(eq=False)
class ClassDefinition:
    """A script class: it fills up while it compiles, and does not change afterwards."""

    value: ClassValue
    program: Program
    type: ClassType = field(init=False)
    attributes: dict[str, Type] = field(default_factory=dict)
    methods: dict[str, FunctionValue] = field(default_factory=dict)
    properties: dict[str, tuple[FunctionValue, FunctionValue | None]] = field(default_factory=dict)
    synthetic: dict[str, Schema] = field(default_factory=dict)
    """Methods without text, such as a dataclass's `__init__`."""
    class_attributes: frozenset[str] = frozenset()
    state: str = "new"
    """`new`, `running`, `done`."""
    failure: Finding | None = None
    failure_unit: Unit | None = None
    findings: list[Finding] = field(default_factory=list)
    saw_unknown: bool = False

    def __post_init__(self) -> None:
        self.type = ClassType(qualified_name(self.value), self)

    def method_schemas(self) -> Mapping[str, Schema]:
        """The schemas of the methods, for interfaces."""
        schemas = {}
        for name in self.methods:
            schema = self.program.method_schema(self, name)
            if schema is not None:
                schemas[name] = schema
        return schemas


@dataclass(eq=False)
class ContextDefinition:
    """A class of torch that compiles, such as `torch.no_grad`: its constructor and what `with` gives."""

    path: str
    init: Schema | None
    enter: Type
    type: ClassType = field(init=False)

    def __post_init__(self) -> None:
        self.type = ClassType(f"__torch__.{self.path}", self)

    def method_schemas(self) -> Mapping[str, Schema]:
        return {}


@dataclass(eq=False)
class InterfaceDefinition:
    """The methods an interface declares."""

    schemas: dict[str, Schema] = field(default_factory=dict)

    def method_schemas(self) -> Mapping[str, Schema]:
        return self.schemas


def qualified_name(value: ClassValue) -> str:
    """The name torch gives a class: only its module and its own name count."""
    return f"__torch__.{value.unit.module}.{value.name}"


def class_sugared(ctx: FunctionContext, value: ClassValue, node: ast.expr) -> Sugared:
    """A Python class named as a value."""
    kind = value.kind
    if kind == "exception":
        return ExceptionClass(value.name)
    if kind == "enum":
        enum = enum_type(ctx, value, node)
        return UNKNOWN_VALUE if enum is None else EnumClass(enum, value)
    if kind == "namedtuple":
        named = named_tuples.named_tuple_type(ctx, value, node)
        return UNKNOWN_VALUE if named is None else NamedTupleConstructor(named)
    if kind == "interface":
        interface = ctx.program.interface_type(value)
        return UNKNOWN_VALUE if interface is None else InterfaceClass(interface)
    if kind in ("module", "script_module"):
        known = ctx.program.module_types.get(qualified_name(value))
        return ModuleClass(value, known[0][1]) if known else PythonValue(value, "type")
    if has_builtin_base(value):
        return PythonValue(value, "type")
    if kind in ("unknown", "typed_dict"):
        return ctx.unknown(f"class {value.name}")
    return script_class_sugared(ctx, value, node)


def script_class_sugared(ctx: FunctionContext, value: ClassValue, node: ast.expr) -> Sugared:
    """A class that compiles as a script class, or its failure."""
    if value.modifiers & {"ignore", "unused"}:
        return OpaqueCallable(value, value.name, "type")
    if "unknown" in value.modifiers:
        return ctx.unknown()
    definition = ctx.program.define_class(value)
    if definition.failure is not None and definition.state == "done":
        return ctx.inherit(definition.failure, definition.failure_unit or value.unit, node)
    if definition.saw_unknown:
        ctx.unknown(f"class {value.name}")
    return ClassConstructor(definition)


def has_builtin_base(value: ClassValue) -> bool:
    """Whether a class derives from `tuple` or `list`, which no script class may."""
    return any(
        (isinstance(base, BuiltinValue) and base.name.rsplit(".", 1)[-1] in ("tuple", "list"))
        or (isinstance(base, ClassValue) and has_builtin_base(base))
        for base in value.bases
    )


def class_type(ctx: FunctionContext, value: ClassValue, node: ast.expr) -> Type | None:
    """The type a class names in an annotation; None where it is none, after reporting a failure of its own."""
    if value.kind == "enum":
        return enum_type(ctx, value, node)
    if value.kind == "namedtuple":
        return named_tuples.named_tuple_type(ctx, value, node)
    if value.kind == "interface":
        return ctx.program.interface_type(value)
    found = script_class_sugared(ctx, value, node)
    return found.definition.type if isinstance(found, ClassConstructor) else None


def enum_type(ctx: FunctionContext, value: ClassValue, node: ast.expr) -> EnumType | None:
    """The type of an enum class; None where its values do not fit, which is told at the class."""
    known = ctx.program.enums.get(value)
    if known is not None:
        return known
    refused = ctx.program.refused_enums.get(value)
    if refused is not None:
        ctx.inherit(refused, value.unit, node)
        return None
    members = _own_members(value)
    types = [enum_value_type(member) for member in members.values()]
    if None in types or (not members and (value.members or value.node is None)):
        ctx.unknown(f"values of {value.name}")
        return None
    fault = _enum_fault(value, list(members), [type_ for type_ in types if type_ is not None])
    if fault is not None:
        ctx.program.refused_enums[value] = fault
        ctx.inherit(fault, value.unit, node)
        return None
    value_type = types[0]
    assert value_type is not None
    enum = EnumType(qualified_name(value), value_type, tuple(members))
    ctx.program.enums[value] = enum
    return enum


def _enum_fault(value: ClassValue, names: list[str], types: list[Type]) -> Finding | None:
    """What keeps an enum from being one, at the member that does not fit or at the class."""
    if not types:
        return _enum_finding(value, "", "empty")
    odd = next((index for index, type_ in enumerate(types) if type_ != types[0]), None)
    if odd is not None:
        return _enum_finding(value, names[odd], "mixed")
    return None if types[0] in (INT, FLOAT, STR) else _enum_finding(value, names[0], "value-type")


def _enum_finding(value: ClassValue, member: str, reason: str) -> Finding:
    assert value.node is not None
    node: ast.stmt = value.node
    for statement in value.node.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else ()
        if any(isinstance(target, ast.Name) and target.id == member for target in targets):
            node = statement
    place = range_of(node, value.unit.chunk.lines)
    if node is value.node:
        place = Range(place.line, place.column, place.line, place.column + len("class"))
    data = {"name": value.name, "reason": reason, "member": member}
    return Finding("invalid-enum", place, value.qualname, data, (), node)


def _own_members(value: ClassValue) -> dict[str, Value]:
    """An enum's members without aliases, whose value an earlier member has."""
    members: dict[str, Value] = {}
    seen: list[Value] = []
    for name, member in value.members.items():
        if not is_enum_member(name, member):
            continue
        content = member.value if isinstance(member, EnumMemberValue) else member
        if isinstance(content, ConstantValue) and content in seen:
            continue
        seen.append(content)
        members[name] = member
    return members


def is_enum_member(name: str, value: Value) -> bool:
    """Whether a name of an enum's body is one of its members."""
    if name.startswith("_") and name.endswith("_"):
        return False
    return not isinstance(value, (FunctionValue, ClassValue))


def enum_value_type(value: Value) -> Type | None:
    """The TorchScript type of one enum value; None where it is not known."""
    if isinstance(value, EnumMemberValue):
        value = value.value
    if isinstance(value, ConstantValue):
        for python_type, type_ in ((bool, None), (int, INT), (float, FLOAT), (str, STR)):
            if isinstance(value.value, python_type):
                return type_ if type_ is not None else ClassType("bool")
        return ClassType(type(value.value).__name__)
    if isinstance(value, TorchValue):
        return INT
    if isinstance(value, (SequenceValue, DictValue)):
        return ClassType(value.kind if isinstance(value, SequenceValue) else "dict")
    if isinstance(value, InstanceValue) and value.of == TorchValue("torch.Tensor"):
        return TENSOR
    return None


def interface_of(schemas: dict[str, Schema], value: ClassValue, is_module: bool) -> InterfaceType:
    """An interface type with its methods."""
    return InterfaceType(qualified_name(value), InterfaceDefinition(schemas), is_module)


AUTOGRAD_FUNCTION = ("torch.autograd.Function", "torch.autograd.function.Function")
AUTOGRAD_APPLY = TorchValue("torch.autograd.Function.apply")


def class_member(value: ClassValue, name: str) -> Value | None:
    """What `Class.name` is, by the class and those it derives from; None where there is no such attribute."""
    found = value.members.get(name)
    if found is not None:
        return found
    for base in value.bases:
        if isinstance(base, ClassValue):
            found = class_member(base, name)
        elif isinstance(base, TorchValue) and base.path in AUTOGRAD_FUNCTION and name == "apply":
            found = AUTOGRAD_APPLY
        elif not (isinstance(base, (BuiltinValue, TypingValue)) and base.name.rsplit(".", 1)[-1] == "object"):
            found = UnknownValue(f"{value.name}.{name}")
        if found is not None:
            return found
    return None
