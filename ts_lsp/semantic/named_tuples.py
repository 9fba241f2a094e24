"""NamedTuples as the compiler sees them.

Owns the way from a NamedTuple class to its type and constructor, and the names under which the compiler keeps them.
Invariant: one qualified name has one type from the first class that is mentioned under it; another class of that name
must have the same fields.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ts_lsp.semantic import inference, written_types
from ts_lsp.semantic.naming import qualified_name
from ts_lsp.types.model import TENSOR, UNKNOWN, NamedTupleType, Type
from ts_lsp.types.relations import contains_unknown, is_subtype
from ts_lsp.types.schema import Argument, Default, Schema
from ts_lsp.values.model import ClassValue, FieldValue
from ts_lsp.values.scopes import LexicalScope, View

if TYPE_CHECKING:
    from ts_lsp.semantic.context import FunctionContext


def named_tuple_type(ctx: FunctionContext, value: ClassValue, node: ast.expr) -> NamedTupleType | None:
    """The type of a NamedTuple class; None after reporting at `node`, where it is named, why it is none."""
    found = ctx.program.named_tuples.get(value)
    ctx.program.reach.answered("named tuple", value)
    if found is None:
        reason, failure, count = ctx.unknown_reason, ctx.failure, len(ctx.findings)
        with ctx.program.reach.once("named tuple", value):
            found = _read(ctx, value, node)
        ctx.unknown_reason = reason
        if found is None:
            return None
        if ctx.failure is failure and len(ctx.findings) == count:  # else the next to name it is refused, too
            ctx.program.named_tuples[value] = found
    if any(contains_unknown(each) for each in (*found.elements, *found.defaults)):
        ctx.unknown(f"fields of {value.name}")
    registered = _registered(ctx, value, found)
    if registered is not found and not is_subtype(registered, found):
        ctx.report("invalid-namedtuple", node, name=value.name, reason="redefined")
        return None
    return registered


def _registered(ctx: FunctionContext, value: ClassValue, found: NamedTupleType) -> NamedTupleType:
    """What the compiler keeps under the name of a class: the type of the class mentioned first.

    Whether one function of the program runs after another is not known, so what each of them compiles stays apart.
    """
    here = ctx.named_tuples.setdefault(found.qualname, found)
    table = ctx.program.named_tuple_names
    top = table.get((value.unit.path, found.qualname, ""))
    around = _place(value)
    inside = table.setdefault((value.unit.path, found.qualname, around), top or found)
    first = here if here is not found else inside
    return found if first is found else ctx.program.first_of_namesakes(first)


def _place(value: ClassValue) -> str:
    """The function in which a class is made; empty at the top of a file."""
    scope = value.scope.scope if isinstance(value.scope, View) else value.scope
    prefix = scope.prefix if isinstance(scope, LexicalScope) else value.qualname
    return prefix.rpartition(".<locals>.")[0]


def _read(ctx: FunctionContext, value: ClassValue, node: ast.expr) -> NamedTupleType | None:
    elements: list[Type] = []
    defaults: list[Type] = []
    for each in value.fields:
        type_ = written_types.field_type(ctx, value, each, node)
        if type_ is None:
            return None
        elements.append(type_)
    for each in value.fields:
        if each.default is not None:
            default = _default_type(ctx, value, each, node)
            if default is None:
                return None
            defaults.append(default)
    names = tuple(each.name for each in value.fields)
    qualname = qualified_name(value)
    return NamedTupleType(qualname, names, tuple(elements), tuple(defaults))


def _default_type(ctx: FunctionContext, owner: ClassValue, each: FieldValue, node: ast.expr) -> Type | None:
    """The type of a field's default, which is that of its value; None after reporting that it has none."""
    assert each.default is not None
    found = inference.value_type(ctx, each.default)
    if found is None or (isinstance(found, Type) and contains_unknown(found)):
        ctx.unknown(f"default of field {each.name}")
        return UNKNOWN
    if isinstance(found, inference.Dropped) or found == TENSOR:
        reason = "tensor-default" if found == TENSOR else "default"
        ctx.report("invalid-namedtuple", node, name=owner.name, field=each.name, reason=reason)
        return None
    return found


def constructor(type_: NamedTupleType) -> Schema:
    """The constructor of a NamedTuple; a default is looked at when it is needed, and then it must fit as it is."""
    first_default = len(type_.fields) - len(type_.defaults)
    formals = tuple(
        Argument(name, wanted, _default(type_.defaults[index - first_default]) if index >= first_default else None)
        for index, (name, wanted) in enumerate(zip(type_.fields, type_.elements, strict=True))
    )
    return Schema(type_.qualname.rsplit(".", 1)[-1], "", formals, (Argument("", type_),))


def _default(type_: Type) -> Default:
    return Default(opaque=True, type=type_)
