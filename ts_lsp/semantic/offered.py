"""What can be asked of a value in compiled code: its members, and the schemas that a call of it is matched against.

Owns `Member`, `members_of` and `schemas_of`. Invariant: a member that is not `unsupported` is one that the compiler
finds; what it would compile for being named is compiled in the trial alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ts_lsp.records import dataclass
from ts_lsp.semantic import lookup, module_values, named_tuples
from ts_lsp.semantic.attributes import DEVICE_ATTRIBUTES, attribute_of, interface_schema
from ts_lsp.semantic.class_definitions import ClassDefinition
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.custom_classes import CustomDefinition, custom_definition
from ts_lsp.semantic.modules import ModuleDefinition, is_compiled_property
from ts_lsp.semantic.modules import members_of as class_members
from ts_lsp.semantic.overloads import accepts_receiver
from ts_lsp.semantic.sugared import (
    Builtin,
    Cast,
    ClassConstructor,
    ContextClass,
    CustomConstructor,
    CustomMethod,
    DispatchFunction,
    EnumClass,
    InterfaceMethod,
    InterfaceModule,
    Magic,
    Method,
    ModuleInstance,
    ModuleMethod,
    ModuleSchemaMethod,
    NamedTupleConstructor,
    OverloadedFunction,
    PythonModule,
    SchemaFunction,
    Simple,
    Sugared,
    UserFunction,
)
from ts_lsp.torchdata.loader import TorchData
from ts_lsp.types.model import (
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    GENERATOR,
    INT,
    STR,
    TENSOR,
    AwaitType,
    ClassType,
    DictType,
    EnumType,
    FutureType,
    InterfaceType,
    ListType,
    NamedTupleType,
    OptionalType,
    TupleType,
    Type,
)
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import FunctionValue, ModuleValue
from ts_lsp.weakcache import cached_weakly

_OWNERS: dict[Type, str] = {
    TENSOR: "Tensor",
    DEVICE: "Device",
    GENERATOR: "Generator",
    STR: "str",
    INT: "int",
    FLOAT: "float",
    COMPLEX: "complex",
    BOOL: "bool",
}
_GENERIC_OWNERS: tuple[tuple[type[Type], str], ...] = (
    (ListType, "List"),
    (DictType, "Dict"),
    (TupleType, "Tuple"),
    (NamedTupleType, "Tuple"),
    (FutureType, "Future"),
    (OptionalType, "Optional"),
)


@dataclass(frozen=True, slots=True)
class Member:
    """A name behind a dot. `kind`: `method`, `property`, `field`, `module`, `constant`, `enum-member`, `function`.

    `type` is that of its value. `schema` is the first that a call is matched against, of a method with its `self`; of
    an operator, whose name is `operator`, the first that takes the receiver, if it was looked for.
    """

    name: str
    kind: str
    type: Type | None = None
    operator: str = ""
    schema: Schema | None = None


def members_of(ctx: FunctionContext, value: Sugared) -> tuple[Member, ...]:
    """The names that `value.` can be followed by; empty where they are not known. Torch's modules have theirs apart."""
    if isinstance(value, Simple):
        return _of_type(ctx, value.type)
    if isinstance(value, ModuleInstance):
        found: dict[str, Member] = {}
        for each in _of_module(ctx, value.definition):
            found.setdefault(each.name, each)
        return tuple(found.values())
    if isinstance(value, InterfaceModule):
        return _of_type(ctx, value.type)
    if isinstance(value, EnumClass):
        return tuple(Member(name, "enum-member", value.type) for name in value.type.members)
    if isinstance(value, ClassConstructor):
        return tuple(_static_methods(ctx, value.definition))
    if isinstance(value, CustomConstructor):
        return tuple(Member(each.name, "function", schema=each) for each in value.definition.described.static_methods)
    return ()


def _of_type(ctx: FunctionContext, type_: Type) -> tuple[Member, ...]:
    if isinstance(type_, AwaitType):
        return _of_type(ctx, type_.element)
    found: dict[str, Member] = {each.name: each for each in _own_members(ctx, type_)}
    for each in _operators_of(ctx.program.torch, type_):
        found.setdefault(each.name, each)
    return tuple(found.values())


def _operators_of(torch: TorchData, type_: Type) -> tuple[Member, ...]:
    if type_ == TENSOR:
        return _tensor_members(torch)
    owner = _OWNERS.get(type_) or next((name for kind, name in _GENERIC_OWNERS if isinstance(type_, kind)), None)
    if owner is None:
        return ()
    names = sorted(torch.methods(owner))
    found = []
    for name in names:
        schemas = torch.schemas(f"aten::{name}")
        fitting = next((each for each in schemas if accepts_receiver((each,), type_)), None)
        if fitting is not None:
            found.append(Member(name, "method", operator=f"aten::{name}", schema=fitting))
    return tuple(found)


@cached_weakly
def _tensor_members(torch: TorchData) -> tuple[Member, ...]:
    properties = (Member(name, "property", torch.tensor_attribute(name)) for name in torch.properties("Tensor"))
    methods = (Member(name, "method", operator=f"aten::{name}") for name in torch.tensor_methods)
    casts = (Member(name, "method", TENSOR) for name in torch.tensor_casts if name != "type")
    forms = (Member("tolist", "method"),)
    found = {each.name: each for each in (*methods, *forms, *casts, *properties)}
    return tuple(found[name] for name in sorted(found))


def _own_members(ctx: FunctionContext, type_: Type) -> Iterator[Member]:
    """What the type itself defines, before operators are looked at."""
    if type_ == DEVICE:
        yield from (Member(name, "property", each) for name, each in DEVICE_ATTRIBUTES.items())
    elif isinstance(type_, NamedTupleType):
        yield from (Member(name, "field", each) for name, each in zip(type_.fields, type_.elements, strict=False))
    elif isinstance(type_, TupleType):
        yield from (Member(name, "field", each) for name, each in zip(type_.names, type_.elements, strict=False))
    elif isinstance(type_, EnumType):
        yield Member("name", "property", STR)
        yield Member("value", "property", type_.value)
    elif isinstance(type_, InterfaceType):
        schemas = type_.definition.method_schemas() if type_.definition is not None else {}
        yield from (Member(name, "method", schema=each) for name, each in schemas.items())
    elif isinstance(type_, ClassType):
        yield from _of_class(ctx, type_)


def _of_class(ctx: FunctionContext, type_: ClassType) -> Iterator[Member]:
    definition = type_.definition
    custom = custom_definition(ctx, type_)
    if custom is not None:
        yield from (Member(name, "method", schema=each) for name, each in custom.methods.items())
    elif isinstance(definition, ModuleDefinition):
        yield from _data_of_module(definition)
        for name, compiled in definition.canonical.methods.items():
            yield Member(name, "method", schema=compiled.schema)
    elif isinstance(definition, ClassDefinition):
        yield from (Member(name, "field", each) for name, each in definition.attributes.items())
        for name, method in definition.methods.items():
            compiled_method = ctx.program.compiled(method, definition)
            yield Member(name, "method", schema=compiled_method.schema if compiled_method is not None else None)
        for name, (getter, _) in definition.properties.items():
            compiled_getter = ctx.program.compiled(getter, definition)
            schema = compiled_getter.schema if compiled_getter is not None else None
            yield Member(name, "property", schema.returns[0].type if schema is not None else None)


def _data_of_module(definition: ModuleDefinition) -> Iterator[Member]:
    for name, child in definition.submodules.items():
        yield Member(name, "module", child.type if isinstance(child, ModuleDefinition) else child)
    yield from (Member(name, "field", each) for name, each in definition.attributes.items())


def _of_module(ctx: FunctionContext, definition: ModuleDefinition) -> Iterator[Member]:
    """What `self` or a submodule has; methods that would have to compile first are only offered where they do."""
    given = {each.name for each in _data_of_module(definition)}
    yield from _data_of_module(definition)
    for name, type_ in definition.constant_types.items():
        if name not in given:
            yield Member(name, "constant", type_)
    yield from (Member(name, "function") for name in definition.values)
    members = class_members(definition.value) if definition.value is not None else {}
    for name, value in members.items():
        if name in given or not isinstance(value, FunctionValue) or name == "__init__":
            continue
        is_property = "property" in value.modifiers
        if is_property and definition.value is not None and not is_compiled_property(definition.value, name, value):
            continue
        compiled = ctx.program.compiled(value, definition) or definition.canonical.methods.get(name)
        schema = compiled.schema if compiled is not None else None
        if is_property:
            yield Member(name, "property", schema.returns[0].type if schema is not None else None)
        else:
            yield Member(name, "method", schema=schema)
    for name, schemas in definition.schemas.items():
        yield Member(name, "method", schema=schemas[0] if schemas else None)
    for name, function in definition.functions.items():
        if function is not None and name not in members:
            yield Member(name, "method", schema=function)
    for name, schema in module_values.TORCH_METHODS.items():
        if name not in members and definition.functions.get(name, schema) is not None:
            yield Member(name, "method", schema=schema)
    yield from (Member(name, "method") for name in module_values.LISTINGS if name not in members)
    if definition.container == "torch.nn.ModuleDict":
        yield from (Member(name, "method") for name in module_values.MAPPING_METHODS)


def _static_methods(ctx: FunctionContext, definition: ClassDefinition) -> Iterator[Member]:
    for name, value in class_members(definition.value).items():
        if isinstance(value, FunctionValue) and "staticmethod" in value.modifiers:
            compiled = ctx.program.compiled(value)
            yield Member(name, "function", schema=compiled.schema if compiled is not None else None)


def torch_module(value: Sugared) -> str | None:
    """The name of a Python module that an expression stands for."""
    if isinstance(value, PythonModule) and isinstance(value.value, ModuleValue):
        return value.value.name
    return None


@dataclass(frozen=True, slots=True)
class Candidates:
    """What a call may be matched against. Bound ones get their first parameter from `receiver`, which nobody writes."""

    schemas: tuple[Schema, ...]
    receiver: Simple | None = None
    is_operator: bool = False
    is_bound: bool = False


def schemas_of(ctx: FunctionContext, callee: Sugared, node: ast.expr) -> Candidates | None:
    """What a call of an evaluated callee is matched against; None where that is not known, or rules of its own hold."""
    torch = ctx.program.torch
    if isinstance(callee, Builtin):
        return Candidates(torch.schemas(callee.operator), callee.receiver, True, callee.receiver is not None)
    if isinstance(callee, (Cast, Magic)):
        return Candidates(torch.schemas(callee.operator), is_operator=True)
    if isinstance(callee, UserFunction):
        compiled = ctx.program.compiled(callee.value)
        return _some(compiled.schema if compiled is not None else None)
    if isinstance(callee, (SchemaFunction, OverloadedFunction)):
        schemas = lookup.schemas_of(ctx, callee, node)
        return Candidates(tuple(schemas)) if schemas else None
    if isinstance(callee, DispatchFunction):
        chosen = lookup.torch_sugared(ctx, callee.if_true if callee.default else callee.if_false, node, True)
        return schemas_of(ctx, chosen, node) if not isinstance(chosen, DispatchFunction) else None
    if isinstance(callee, NamedTupleConstructor):
        return _some(named_tuples.constructor(callee.type))
    if isinstance(callee, ContextClass):
        return _some(ctx.program.context_class(callee.path).init, bound=True)
    if isinstance(callee, CustomConstructor):
        return _some(callee.definition.methods.get("__init__"), bound=True)
    return _of_methods(ctx, callee, node)


def _of_methods(ctx: FunctionContext, callee: Sugared, node: ast.expr) -> Candidates | None:
    if isinstance(callee, ClassConstructor):
        init = callee.definition.methods.get("__init__")
        compiled = ctx.program.compiled(init, callee.definition) if init is not None else None
        return _some(compiled.schema if compiled is not None else None, bound=True)
    if isinstance(callee, Method):
        method = callee.definition.methods[callee.name]
        return _some(ctx.program.compile_function(method, callee.definition).schema, bound=True)
    if isinstance(callee, CustomMethod):
        return _some(callee.schema, bound=True)
    if isinstance(callee, InterfaceMethod):
        return _some(interface_schema(callee), bound=True)
    if isinstance(callee, ModuleMethod):
        compiled = ctx.program.compile_function(callee.value, callee.definition)
        return _some(compiled.schema, bound=True)
    if isinstance(callee, ModuleSchemaMethod):
        return Candidates(callee.schemas, is_bound=True)
    if isinstance(callee, (ModuleInstance, InterfaceModule)):
        forward = attribute_of(ctx, callee, "forward", node)
        return _of_methods(ctx, forward, node)
    definition = callee.type.definition if isinstance(callee, Simple) and isinstance(callee.type, ClassType) else None
    if isinstance(definition, (ClassDefinition, ModuleDefinition, CustomDefinition)):
        called = attribute_of(ctx, callee, "__call__", node)
        return _of_methods(ctx, called, node) if not isinstance(called, Simple) else None
    return None


def _some(schema: Schema | None, bound: bool = False) -> Candidates | None:
    return Candidates((schema,), is_bound=bound) if schema is not None else None
