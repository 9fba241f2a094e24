"""Default values against parameter types.

Owns the check the compiler makes last: a default is a live Python value and must convert to its parameter's type.
Invariant: a default whose value the source does not show is never refused.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from ts_lsp.records import replace
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.torchdata import objects
from ts_lsp.torchdata.loader import TorchData
from ts_lsp.types.model import (
    ANY,
    ANY_LIST,
    ANY_TUPLE,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    GENERATOR,
    INT,
    NONE,
    NUMBER,
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
from ts_lsp.types.relations import contains_unknown
from ts_lsp.types.schema import Argument, Default
from ts_lsp.values.fields import tuple_content
from ts_lsp.values.model import (
    ConstantValue,
    DictValue,
    EnumMemberValue,
    FunctionValue,
    InstanceValue,
    SequenceValue,
    TorchValue,
    UnknownValue,
    Value,
)


def check_defaults(ctx: FunctionContext, node: ast.FunctionDef, formals: Sequence[Argument]) -> None:
    """Report the first default that does not fit, at the definition."""
    for formal in formals:
        if formal.keyword_only or formal.default is None:
            continue
        value = ctx.function.defaults.get(formal.name)
        if value is None or contains_unknown(formal.type):
            continue
        value = _plain(ctx.program.torch, value)
        if is_mutable(value) or isinstance(formal.type, ClassType):
            ctx.report("mutable-default", node, parameter=formal.name, type=formal.type, default=value)
            return
        if fits(value, formal.type, formal.list_size) is False:
            inferred = getattr(formal.type, "inferred", False)
            ctx.report(
                "default-type-mismatch",
                node,
                parameter=formal.name,
                type=formal.type,
                default=value,
                inferred=inferred,
            )
            return


def default_of(torch: TorchData, function: FunctionValue, name: str) -> Default:
    """A parameter's default as its schema shows it."""
    value = function.defaults.get(name)
    found = _schema_value(torch, value) if value is not None else None
    return Default(opaque=True) if found is None else found


def overload_default(torch: TorchData, function: FunctionValue, formal: Argument) -> Argument:
    """A parameter of an overload: it takes the implementation's default where that fits its type."""
    value = function.defaults.get(formal.name)
    fitting = value is not None and fits(_plain(torch, value), formal.type, formal.list_size) is not False
    default = default_of(torch, function, formal.name) if fitting else None
    return replace(formal, default=default)


def _plain(torch: TorchData, value: Value) -> Value:
    """The value with numbers and strings of torch as such, and unknown where it is not clear what an object is."""
    if isinstance(value, SequenceValue):
        return replace(value, elements=tuple(_plain(torch, each) for each in value.elements))
    if not isinstance(value, TorchValue):
        return value
    found = torch.python_object(value.path)
    if isinstance(found, objects.TorchConstant) and found.kind in ("int", "float", "bool", "complex", "str", "None"):
        return ConstantValue(found.value)
    is_clear = isinstance(found, objects.TorchConstant) and found.kind in _INTEGER_CONSTANTS
    return value if is_clear else UnknownValue(value.path)


_INTEGER_CONSTANTS = frozenset({"dtype", "layout", "memory_format", "qscheme"})


def _torch_default(torch: TorchData, value: TorchValue) -> Default | None:
    """A dtype, layout or memory format, which is an int to the compiler."""
    found = torch.python_object(value.path)
    return Default(found.value) if isinstance(found, objects.TorchConstant) else None


def _schema_value(torch: TorchData, value: Value) -> Default | None:
    if isinstance(value, ConstantValue):
        content = value.value
        return Default(content) if content is None or isinstance(content, (bool, int, float, complex, str)) else None
    if isinstance(value, SequenceValue):
        elements = [_schema_value(torch, each) for each in value.elements]
        if all(each is not None for each in elements):
            return Default(tuple(each.value for each in elements if each is not None))
    if isinstance(value, TorchValue):
        return _torch_default(torch, value)
    if isinstance(value, EnumMemberValue):
        return Default(f"Enum<{value.name}>")
    if isinstance(value, InstanceValue) and value.of == TorchValue("torch.device") and value.arguments:
        return _schema_value(torch, value.arguments[0])
    content = tuple_content(value) if isinstance(value, InstanceValue) else None
    if content is not None:
        return _schema_value(torch, content)
    return None


def is_mutable(value: Value) -> bool:
    """A list or dict, inside a tuple too."""
    if isinstance(value, DictValue):
        return True
    if isinstance(value, SequenceValue):
        return value.kind == "list" or any(is_mutable(each) for each in value.elements)
    return False


def fits(value: Value, type_: Type, list_size: int | None = None) -> bool | None:
    """Whether a Python value converts to `type_`; None where that is not known."""
    if isinstance(value, (UnknownValue, InstanceValue)):
        return _fits_instance(value, type_)
    if isinstance(type_, OptionalType):
        return True if _is_none(value) else fits(value, type_.element, list_size)
    if isinstance(type_, UnionType):
        return _fits_union(value, type_)
    if type_ == ANY:
        return None
    if list_size is not None and isinstance(type_, ListType):
        return False if isinstance(value, SequenceValue) else fits(value, type_.element)
    if isinstance(type_, ListType):
        if not (isinstance(value, SequenceValue) and value.kind == "tuple"):
            return False
        return _all(fits(each, type_.element) for each in value.elements)
    if isinstance(type_, (TupleType, NamedTupleType)):
        return _fits_tuple(value, type_.elements)
    if isinstance(type_, EnumType):
        return isinstance(value, EnumMemberValue)
    if isinstance(type_, (DictType, InterfaceType)) or type_ in (ANY_LIST, ANY_TUPLE):
        return False
    if type_ == INT and isinstance(value, ConstantValue) and isinstance(value.value, int):
        return -(1 << 63) <= value.value < 1 << 63
    if isinstance(value, TorchValue):
        return _fits_torch(type_)
    check = _SCALARS.get(getattr(type_, "name", ""))
    return check(value) if check is not None else None


def _fits_torch(type_: Type) -> bool | None:
    """A dtype, layout or memory format is an int and nothing else."""
    return True if type_ in (INT, NUMBER) else None if type_ not in _PLAIN_TYPES else False


_PLAIN_TYPES = (FLOAT, BOOL, COMPLEX, STR, DEVICE, TENSOR, NONE)


def _fits_instance(value: Value, type_: Type) -> bool | None:
    """A device is a device; of other objects the source does not show enough."""
    is_device = isinstance(value, InstanceValue) and value.of == TorchValue("torch.device")
    return False if is_device and type_ in (INT, FLOAT, BOOL, COMPLEX, STR, TENSOR, NONE) else None


def _is_none(value: Value) -> bool:
    return isinstance(value, ConstantValue) and value.value is None


def _fits_union(value: Value, type_: UnionType) -> bool | None:
    exact = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, str: STR, type(None): NONE}
    if isinstance(value, ConstantValue):
        return exact.get(type(value.value)) in type_.members
    return None


def _fits_tuple(value: Value, elements: tuple[Type, ...]) -> bool | None:
    if not isinstance(value, SequenceValue) or value.kind != "tuple" or len(value.elements) != len(elements):
        return False
    return _all(fits(each, type_) for each, type_ in zip(value.elements, elements, strict=True))


def _all(results: object) -> bool | None:
    found = list(results)  # type: ignore[call-overload]
    if False in found:
        return False
    return None if None in found else True


def _constant(*accepted: type) -> Callable[[Value], bool]:
    def check(value: Value) -> bool:
        return isinstance(value, ConstantValue) and isinstance(value.value, accepted)

    return check


_SCALARS: dict[str, Callable[[Value], bool]] = {
    TENSOR.name: _constant(type(None)),
    INT.name: _constant(int, bool),
    FLOAT.name: _constant(int, bool, float),
    COMPLEX.name: _constant(int, bool, float, complex),
    NUMBER.name: _constant(int, bool, float, complex),
    BOOL.name: _constant(bool, int, float, complex, type(None)),
    STR.name: _constant(str, bytes),
    DEVICE.name: _constant(str),
    NONE.name: _constant(type(None)),
    GENERATOR.name: _constant(),
}
