"""Classes written in C++ that a library registers with the compiler: `torch.classes.quantized.LinearPackedParamsBase`.

Owns `CustomDefinition` and what its instances answer: methods, properties, setting a property, constructing.
Invariant: such a class has schemas and no text, so nothing compiles when it is used; the namespaces that torch itself
registers are complete, any other namespace may come from a library of the user's.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ts_lsp.records import dataclass, field, replace
from ts_lsp.semantic import calls
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.overloads import Arguments
from ts_lsp.semantic.sugared import CustomMethod, NamedArgument, SchemaFunction, Simple, Sugared
from ts_lsp.torchdata.objects import CustomClass
from ts_lsp.types.model import ClassType
from ts_lsp.types.schema import Schema


@dataclass(eq=False)
class CustomDefinition:
    """A registered class; a property's accessors are methods of it too."""

    described: CustomClass
    type: ClassType = field(init=False)
    methods: dict[str, Schema] = field(init=False)

    def __post_init__(self) -> None:
        self.type = ClassType(f"__torch__.{self.described.path}", self)
        self.methods = {schema.name: schema for schema in self.described.methods}

    def method_schemas(self) -> Mapping[str, Schema]:
        return self.methods


def custom_definition(ctx: FunctionContext, type_: ClassType) -> CustomDefinition | None:
    """The class behind a type, which a schema names without saying more; None for any other class."""
    if isinstance(type_.definition, CustomDefinition):
        return type_.definition
    if type_.definition is not None or not type_.qualname.startswith("__torch__.torch.classes."):
        return None
    return ctx.program.custom_class(type_.qualname.removeprefix("__torch__."))


def instance_attribute(value: Simple, definition: CustomDefinition, name: str) -> Sugared | None:
    """A bound method or a property; None where the class has neither."""
    if name in definition.methods:
        return CustomMethod(value, definition.methods[name])
    return next((Simple(type_) for each, type_, _ in definition.described.properties if each == name), None)


def static_method(definition: CustomDefinition, name: str) -> SchemaFunction | None:
    """All that can be reached through the class itself."""
    found = tuple(schema for schema in definition.described.static_methods if schema.name == name)
    return SchemaFunction(f"{definition.described.path}.{name}", found) if found else None


def call_method(
    ctx: FunctionContext, place: ast.AST, method: CustomMethod, arguments: Arguments, node: ast.Call | None
) -> Simple:
    """Call a bound method; errors stand at `place`."""
    call = node if node is not None else calls.call_without_text(place)
    result = calls.call_schemas(ctx, call, (method.schema,), arguments, bound=True, place=place)
    ctx.record(place, result.type, "result")
    return result


def construct(ctx: FunctionContext, node: ast.Call, definition: CustomDefinition, arguments: Arguments) -> Simple:
    """`C(...)`, for classes that register a constructor."""
    if "__init__" not in definition.methods:
        return ctx.report("class-without-init", node.func, type=definition.type)
    instance = Simple(definition.type)
    call_method(ctx, node.func, CustomMethod(instance, definition.methods["__init__"]), arguments, node)
    return instance


def set_attribute(
    ctx: FunctionContext, definition: CustomDefinition, target: ast.Attribute, value: Simple, statement: ast.AST
) -> None:
    """`value.name = ...`: only properties with a setter can be set."""
    settable = {name: is_settable for name, _, is_settable in definition.described.properties}
    name = target.attr
    if settable.get(name):
        setter = replace(definition.methods[f"{name}_setter"], name=name)
        argument = Arguments((NamedArgument(value, target),))
        calls.call_schemas(ctx, calls.call_without_text(target), (setter,), argument, bound=True, place=statement)
    elif name in settable:
        ctx.report("attribute-assignment", statement, name=name, reason="read-only")
    else:
        ctx.report("attribute-outside-init", statement, name=name, type=definition.type, known=tuple(settable))
