"""Whether the value of a module's attribute can be copied into the attribute's type.

Owns `accepts`. Invariant: what rests on a value that the source does not show is None, neither accepted nor refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ts_lsp.semantic.classes import ClassDefinition
from ts_lsp.semantic.inference import Dropped, value_type
from ts_lsp.types.model import (
    ANY,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    TENSOR,
    ClassType,
    DictType,
    InterfaceType,
    ListType,
    NamedTupleType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
)
from ts_lsp.types.relations import contains_unknown, is_subtype
from ts_lsp.values.fields import tuple_content
from ts_lsp.values.model import ClassValue, ConstantValue, DictValue, InstanceValue, SequenceValue, Value

if TYPE_CHECKING:
    from ts_lsp.semantic.context import FunctionContext

_CONSTANTS: dict[Type, tuple[type, ...]] = {
    INT: (int, bool),
    FLOAT: (int, float, bool),
    BOOL: (bool, int),
    COMPLEX: (int, float, bool, complex),
    STR: (str, bytes),
    NONE: (type(None),),
    TENSOR: (),
}


def accepts(ctx: FunctionContext, value: Value, type_: Type) -> bool | None:
    """Whether a value can be cast to a type; None where that is not known."""
    if isinstance(type_, OptionalType):
        is_none = isinstance(value, ConstantValue) and value.value is None
        return True if is_none else accepts(ctx, value, type_.element)
    if isinstance(type_, UnionType):
        return _is_member(ctx, value, type_)
    if isinstance(value, InstanceValue) and isinstance(value.of, ClassValue):
        return _accepts_instance(ctx, value, value.of, type_)
    if isinstance(value, ConstantValue):
        return _accepts_constant(value, type_)
    if isinstance(value, SequenceValue):
        return _accepts_elements(ctx, value, type_)
    if isinstance(value, DictValue) and isinstance(type_, DictType):
        found = [accepts(ctx, key, type_.key) for key, _ in value.items]
        return _all([*found, *(accepts(ctx, item, type_.value) for _, item in value.items)])
    return None


def _is_member(ctx: FunctionContext, value: Value, type_: UnionType) -> bool | None:
    """A Union takes what has the type of one of its members, without any cast."""
    found = value_type(ctx, value)
    if found is None or isinstance(found, Dropped) or contains_unknown(found):
        return None
    return is_subtype(found, type_)


def _accepts_constant(value: ConstantValue, type_: Type) -> bool | None:
    wanted = _CONSTANTS.get(type_)
    if wanted is None:
        return None if type_ == ANY else False
    content = value.value
    fits_size = not isinstance(content, int) or -(1 << 63) <= content < 1 << 63
    return isinstance(content, wanted) and fits_size


def _accepts_instance(ctx: FunctionContext, value: InstanceValue, of: ClassValue, type_: Type) -> bool | None:
    """Each attribute of an object is cast in turn; nobody asks for its class."""
    content = tuple_content(value)
    if content is not None:
        return accepts(ctx, content, type_)
    if of.kind not in ("plain", "dataclass"):
        return None
    if isinstance(type_, InterfaceType):
        return _implements(ctx, value, of, type_)
    definition = type_.definition if isinstance(type_, ClassType) else None
    if not isinstance(definition, ClassDefinition) or value.state is None or definition.saw_unknown:
        return None
    return _all(
        accepts(ctx, value.state[name], wanted) if name in value.state else False
        for name, wanted in definition.attributes.items()
    )


def _implements(ctx: FunctionContext, value: InstanceValue, of: ClassValue, type_: InterfaceType) -> bool | None:
    """An interface takes objects of classes that are compiled already."""
    if of not in ctx.program.classes and not ctx.program.is_scripted(of):
        return False
    found = value_type(ctx, value)
    return is_subtype(found, type_) if isinstance(found, ClassType) else None


def _accepts_elements(ctx: FunctionContext, value: SequenceValue, type_: Type) -> bool | None:
    if isinstance(type_, ListType):
        return _all(accepts(ctx, each, type_.element) for each in value.elements)
    if isinstance(type_, (TupleType, NamedTupleType)) and value.kind == "tuple":
        if len(value.elements) != len(type_.elements):
            return False
        return _all(accepts(ctx, each, wanted) for each, wanted in zip(value.elements, type_.elements, strict=True))
    return None if type_ == ANY else False


def _all(results: Iterable[bool | None]) -> bool | None:
    found = list(results)
    if False in found:
        return False
    return None if None in found else True
