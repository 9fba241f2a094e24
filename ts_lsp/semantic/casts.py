"""Whether the value of a module's attribute can be copied into the attribute's type.

Owns `accepts`. Invariant: what rests on a value that the source does not show is None, neither accepted nor refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ts_lsp.semantic import enums
from ts_lsp.semantic.class_definitions import ClassDefinition
from ts_lsp.semantic.inference import Dropped, value_type
from ts_lsp.semantic.modules import members_of
from ts_lsp.types.model import (
    ANY,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    GENERATOR,
    INT,
    NONE,
    STR,
    TENSOR,
    ClassType,
    DictType,
    EnumType,
    InterfaceType,
    ListType,
    NamedTupleType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
)
from ts_lsp.types.relations import contains_unknown, is_subtype
from ts_lsp.values.enum_values import mixed_in
from ts_lsp.values.fields import tuple_content
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    DictValue,
    EnumMemberValue,
    InstanceValue,
    SequenceValue,
    Value,
)

if TYPE_CHECKING:
    from ts_lsp.semantic.context import FunctionContext

_CONSTANTS: dict[Type, tuple[type, ...]] = {
    INT: (int, bool),
    FLOAT: (int, float, bool),
    BOOL: (bool, int, float, type(None)),
    COMPLEX: (int, float, bool, complex),
    STR: (str, bytes),
    NONE: (type(None),),
    TENSOR: (),
    DEVICE: (),
    GENERATOR: (),
}
_NUMBERS = frozenset({INT, FLOAT, BOOL, COMPLEX})
_PACKED = frozenset({INT, FLOAT, BOOL, TENSOR})
"""Lists of these are made of sequences; all other lists of whatever can be walked."""
_SAMPLES: dict[str, object] = {"int": 0, "float": 0.5, "bool": True, "str": "", "complex": 1j, "bytes": b""}


def accepts(ctx: FunctionContext, value: Value, type_: Type) -> bool | None:
    """Whether a value can be cast to a type; None where that is not known."""
    value = _as_constant(value)
    if isinstance(type_, OptionalType):
        is_none = isinstance(value, ConstantValue) and value.value is None
        return True if is_none else accepts(ctx, value, type_.element)
    if isinstance(type_, UnionType):
        return _is_member(ctx, value, type_)
    if type_ == ANY:
        found = value_type(ctx, value)
        return None if found is None else not isinstance(found, Dropped)
    if isinstance(value, InstanceValue) and isinstance(value.of, ClassValue):
        return _accepts_instance(ctx, value, value.of, type_)
    if isinstance(type_, ListType):
        return _accepts_list(ctx, value, type_)
    if isinstance(type_, (TupleType, NamedTupleType)):
        return _accepts_parts(ctx, value, type_)
    if isinstance(type_, DictType):
        return _accepts_dict(ctx, value, type_)
    if isinstance(type_, ClassType):
        return _has_attributes(value, type_)
    return _accepts_scalar(ctx, value, type_)


def _as_constant(value: Value) -> Value:
    """Some number or text stands for all of its kind."""
    if isinstance(value, InstanceValue) and isinstance(value.of, BuiltinValue) and value.of.name in _SAMPLES:
        return ConstantValue(_SAMPLES[value.of.name])
    return value


def _accepts_scalar(ctx: FunctionContext, value: Value, type_: Type) -> bool | None:
    if isinstance(value, ConstantValue):
        return _accepts_constant(value, type_)
    if isinstance(value, EnumMemberValue):
        if isinstance(type_, EnumType):
            return enums.enum_type(ctx, value.owner, ast.Name(value.owner.name, ast.Load())) == type_
        return None if mixed_in(value.owner) else _refuses(type_)
    if isinstance(value, (SequenceValue, DictValue)):
        return _refuses(type_)
    found = value_type(ctx, value)
    if found in (TENSOR, DEVICE, GENERATOR):
        # A tensor of one element is taken for a number.
        return True if found == type_ else None if found == TENSOR and type_ in _NUMBERS else _refuses(type_)
    return None


def _refuses(type_: Type) -> bool | None:
    """False for the types that take nothing but their own kind."""
    return False if type_ in _CONSTANTS or isinstance(type_, (EnumType, InterfaceType)) else None


def _walked(value: Value) -> Sequence[Value] | bool | None:
    """The elements of a value that is not of a user's class; False where it has none, None where they do not show."""
    if isinstance(value, SequenceValue):
        return value.elements
    if isinstance(value, DictValue):
        return tuple(key for key, _ in value.items)
    if isinstance(value, ConstantValue):
        return [ConstantValue(each) for each in value.value] if isinstance(value.value, str) else False
    return False if isinstance(value, EnumMemberValue) else None


def _accepts_list(ctx: FunctionContext, value: Value, type_: ListType) -> bool | None:
    if type_.element in _PACKED and not isinstance(value, SequenceValue):
        certain = isinstance(value, (ConstantValue, DictValue, EnumMemberValue)) or value_type(ctx, value) == TENSOR
        return False if certain else None
    if type_.element in _PACKED and isinstance(value, SequenceValue) and value.kind == "set":
        return False
    elements = _walked(value)
    if elements is None or isinstance(elements, bool):
        return elements
    return _all(accepts(ctx, each, type_.element) for each in elements)


def _accepts_parts(ctx: FunctionContext, value: Value, type_: TupleType | NamedTupleType) -> bool | None:
    """A tuple is made of whatever gives as many elements."""
    elements = _walked(value)
    if elements is None or isinstance(elements, bool):
        return elements
    if len(elements) != len(type_.elements):
        return False
    return _all(accepts(ctx, each, wanted) for each, wanted in zip(elements, type_.elements, strict=True))


def _accepts_dict(ctx: FunctionContext, value: Value, type_: DictType) -> bool | None:
    """A dict is made of a dict, or of pairs."""
    if isinstance(value, DictValue):
        found = [accepts(ctx, key, type_.key) for key, _ in value.items]
        return _all([*found, *(accepts(ctx, item, type_.value) for _, item in value.items)])
    elements = _walked(value)
    if elements is None or isinstance(elements, bool):
        return False if value_type(ctx, value) == TENSOR else elements
    pairs = [_walked(each) for each in elements]
    outcomes: list[bool | None] = []
    for pair in pairs:
        if pair is None or isinstance(pair, bool) or len(pair) != 2:
            outcomes.append(None if pair is None else False)
        else:
            outcomes.extend((accepts(ctx, pair[0], type_.key), accepts(ctx, pair[1], type_.value)))
    return _all(outcomes)


def _has_attributes(value: Value, type_: ClassType) -> bool | None:
    """An object of a class is made of whatever has the attributes."""
    definition = type_.definition
    if not isinstance(definition, ClassDefinition) or definition.saw_unknown:
        return None
    content: object = value.value if isinstance(value, ConstantValue) else None
    if isinstance(value, SequenceValue):
        content = {"list": [], "tuple": (), "set": set()}.get(value.kind)
    elif isinstance(value, DictValue):
        content = {}
    elif isinstance(value, EnumMemberValue):
        names = {"name", "value", *members_of(value.owner)}
        return None if all(name in names for name in definition.attributes) else False
    elif not isinstance(value, ConstantValue):
        return None
    return None if all(hasattr(content, name) for name in definition.attributes) else False


def _is_member(ctx: FunctionContext, value: Value, type_: UnionType) -> bool | None:
    """A Union takes what has the type of one of its members, without any cast."""
    found = value_type(ctx, value)
    is_empty = (isinstance(value, SequenceValue) and not value.elements) or (
        isinstance(value, DictValue) and not value.items
    )
    if isinstance(found, Dropped):
        is_typed = is_empty and any(isinstance(each, (ListType, DictType)) for each in type_.members)
        return None if is_typed else False
    return None if found is None or contains_unknown(found) else is_subtype(found, type_)


def _accepts_constant(value: ConstantValue, type_: Type) -> bool | None:
    wanted = _CONSTANTS.get(type_)
    if wanted is None:
        return False if isinstance(type_, (EnumType, InterfaceType)) else None
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
    if isinstance(type_, (ListType, TupleType, NamedTupleType, DictType)):
        names = members_of(of)
        return None if any(name in names for name in ("__iter__", "__getitem__", "__len__", "keys")) else False
    if not isinstance(definition, ClassDefinition) or value.state is None or definition.saw_unknown:
        return _refuses(type_)
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


def _all(results: Iterable[bool | None]) -> bool | None:
    found = list(results)
    if False in found:
        return False
    return None if None in found else True
