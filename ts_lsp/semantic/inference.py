"""From Python values to types, as the compiler infers them when a module's attributes are read.

Owns `value_type` and `constant_type`. Invariant: a value the compiler cannot type is `Dropped` with its Python type;
one that the source does not show is None.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ts_lsp.records import dataclass
from ts_lsp.semantic import enums
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.torchdata import objects
from ts_lsp.types.model import (
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    GENERATOR,
    INT,
    NONE,
    STR,
    TENSOR,
    UNKNOWN,
    DictType,
    ListType,
    TupleType,
    Type,
)
from ts_lsp.types.relations import unify
from ts_lsp.values import known
from ts_lsp.values.enum_values import mixed_in
from ts_lsp.values.fields import tuple_content
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    CyclicValue,
    DictValue,
    EnumMemberValue,
    FunctionValue,
    InstanceValue,
    ModuleObject,
    ModuleValue,
    PartialValue,
    ScriptedValue,
    SequenceValue,
    TorchValue,
    TracedValue,
    TypingValue,
    Value,
)
from ts_lsp.values.naming import name_set

SCALARS: tuple[tuple[type, Type], ...] = (
    (bool, BOOL),
    (int, INT),
    (float, FLOAT),
    (complex, COMPLEX),
    (str, STR),
    (bytes, STR),
)
CONSTANT_KINDS = frozenset({"dtype", "layout", "qscheme", "memory_format"})


@dataclass(frozen=True, slots=True)
class Dropped:
    """A value that gets no type, and so no attribute; `python_type` says what it is."""

    python_type: str


def value_type(ctx: FunctionContext, value: Value) -> Type | Dropped | None:
    """The type of an attribute with this value and no annotation."""
    if isinstance(value, ConstantValue):
        return _constant(value)
    if isinstance(value, SequenceValue):
        return _sequence(ctx, value)
    if isinstance(value, DictValue):
        return _dict(ctx, value)
    if isinstance(value, EnumMemberValue):
        mixed = enums.MIXED_IN_TYPES.get(mixed_in(value.owner))
        return mixed or enums.enum_type(ctx, value.owner, ast.Name(value.owner.name, ast.Load()))
    if isinstance(value, TorchValue):
        return _torch(ctx, value)
    if isinstance(value, InstanceValue):
        return _instance(ctx, value)
    if isinstance(value, (ModuleValue, ClassValue, PartialValue, TypingValue, BuiltinValue, FunctionValue)):
        return Dropped(type(value).__name__.removesuffix("Value").lower())
    if isinstance(value, (ModuleObject, ScriptedValue)):
        return Dropped("module")
    if isinstance(value, CyclicValue):
        return Dropped(str(getattr(value.of, "name", "module")))
    return None


def _constant(value: ConstantValue) -> Type | Dropped:
    if value.value is None:
        return NONE
    for python_type, type_ in SCALARS:
        if isinstance(value.value, python_type):
            return type_
    return Dropped(type(value.value).__name__)


def _sequence(ctx: FunctionContext, value: SequenceValue) -> Type | Dropped | None:
    if value.kind == "set":
        return Dropped("set")
    if not value.elements:
        return TupleType(()) if value.kind == "tuple" else Dropped("empty list")
    types: list[Type] = []
    every = [value_type(ctx, each) for each in value.elements]
    for found in every:
        if isinstance(found, Dropped):
            return found
    for found in every:
        if found is None or isinstance(found, Dropped):
            return None
        types.append(found)
    if value.kind == "tuple":
        return TupleType(tuple(types))
    element = _unified(types)
    return ListType(element) if element is not None else Dropped("list of several types")


def _unified(types: Sequence[Type]) -> Type | None:
    unified: Type | None = types[0]
    for each in types[1:]:
        unified = unify(unified, each) if unified is not None else None
    return unified


def _dict(ctx: FunctionContext, value: DictValue) -> Type | Dropped | None:
    if not value.items:
        return Dropped("empty dict")
    keys: list[Type] = []
    values: list[Type] = []
    for key, item in value.items:
        for found, types in ((value_type(ctx, key), keys), (value_type(ctx, item), values)):
            if found is None or isinstance(found, Dropped):
                return found
            types.append(found)
    key_type, item_type = _unified(keys), _unified(values)
    if key_type is None or item_type is None:
        return Dropped("dict of several types")
    return DictType(key_type, item_type)


def _torch(ctx: FunctionContext, value: TorchValue) -> Type | Dropped | None:
    found = ctx.program.torch.python_object(value.path)
    if isinstance(found, objects.TorchConstant):
        if found.kind in CONSTANT_KINDS:
            return INT if found.kind != "memory_format" else Dropped("memory_format")
        return _constant(ConstantValue(found.value)) if found.kind != "device" else DEVICE
    return None if found is None else Dropped("object of torch")


def _instance(ctx: FunctionContext, value: InstanceValue) -> Type | Dropped | None:
    of = value.of
    if isinstance(of, TorchValue):
        if of.path.endswith(("torch.Tensor", "Parameter")):
            return TENSOR
        if of.path == "torch.device":
            return DEVICE
        if of.path in ("torch.finfo", "torch.iinfo"):
            return Dropped(of.path)
        if of.path in ("torch.dtype", "torch.layout"):
            return INT
        return GENERATOR if of.path == "torch.Generator" else _object_of_torch(ctx, of)
    if isinstance(of, BuiltinValue):
        found = _BUILTINS.get(of.name)
        return Dropped(of.name) if found is None and _is_untyped(of.name) else found
    if isinstance(of, ClassValue):
        return _class_instance(ctx, value, of)
    return None


def _object_of_torch(ctx: FunctionContext, of: TorchValue) -> Dropped | None:
    """An object of a class of torch that does not compile; None for all others."""
    found = ctx.program.torch.python_object(of.path)
    is_plain = isinstance(found, objects.TorchClass) and found.kind == "other" and found.operator is None
    return Dropped(of.path) if is_plain else None


def _class_instance(ctx: FunctionContext, value: InstanceValue, of: ClassValue) -> Type | Dropped | None:
    if of.kind == "namedtuple":
        content = tuple_content(value)
        return _sequence(ctx, content) if content is not None else None
    if of.kind == "exception" or ctx.program.is_uncompilable(of):
        return Dropped(of.name)
    if of.kind not in ("plain", "dataclass"):
        return None
    definition = ctx.program.define_class(of)
    return None if definition.saw_unknown else definition.type


_BUILTINS: dict[str, Type] = {
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "str": STR,
    "bytes": STR,
    "complex": COMPLEX,
    "numpy.float64": FLOAT,
    "numpy.complex128": COMPLEX,
    "numpy.str_": STR,
}
_UNTYPED = name_set(
    """
    set frozenset range slice bytearray object generator zip enumerate map filter reversed collections.deque
    types.SimpleNamespace
    """
)
_UNTYPED_MODULES = name_set("numpy re logging threading pathlib weakref decimal fractions")


def _is_untyped(name: str) -> bool:
    """Whether objects of a class of Python's library certainly have no type."""
    return name in _UNTYPED or name.partition(".")[0] in _UNTYPED_MODULES or known.is_exception(name)


def constant_type(ctx: FunctionContext, value: Value) -> Type | Dropped:
    """The type of a module constant; Dropped where the value is none that a constant may have."""
    if isinstance(value, InstanceValue):
        value = tuple_content(value) or value
    if isinstance(value, SequenceValue) and value.kind in ("list", "tuple"):
        types = [constant_type(ctx, each) for each in value.elements]
        bad = next((each for each in types if isinstance(each, Dropped)), None)
        return bad if bad is not None else TupleType(tuple(each for each in types if not isinstance(each, Dropped)))
    if isinstance(value, ConstantValue) and isinstance(value.value, (complex, bytes)):
        return Dropped(type(value.value).__name__)
    if isinstance(value, (ConstantValue, TorchValue)) or (
        isinstance(value, InstanceValue) and value.of == TorchValue("torch.device")
    ):
        found = value_type(ctx, value)
        return found if found is not None else Dropped("object")
    if isinstance(value, InstanceValue) and isinstance(value.of, BuiltinValue):
        found = value_type(ctx, value)
        return found if found is not None else UNKNOWN
    if isinstance(value, InstanceValue) and value_type(ctx, value) == TENSOR:
        return Dropped("tensor")
    if isinstance(value, EnumMemberValue):
        found = value_type(ctx, value)
        return found if found in (INT, FLOAT, STR) and isinstance(found, Type) else Dropped("enum")
    if isinstance(value, _NEVER_CONSTANT):
        return Dropped(_object_name(value))
    if (
        isinstance(value, InstanceValue)
        and isinstance(value.of, ClassValue)
        and value.of.kind in ("plain", "dataclass")
    ):
        return Dropped("object")
    return UNKNOWN


_NEVER_CONSTANT = (
    *(DictValue, FunctionValue, SequenceValue, ModuleObject, ModuleValue, ClassValue, BuiltinValue),
    *(ScriptedValue, TracedValue, PartialValue, TypingValue),
)


def _object_name(value: Value) -> str:
    """What a person calls an object of this kind."""
    if isinstance(value, (ModuleObject, ScriptedValue, TracedValue)):
        return "module"
    if isinstance(value, (ClassValue, BuiltinValue, TypingValue)):
        return "class"
    return value.kind if isinstance(value, SequenceValue) else type(value).__name__.removesuffix("Value").lower()


def is_callable(ctx: FunctionContext, value: Value) -> bool:
    """Whether an attribute's value is a function or builtin the compiler can call."""
    if isinstance(value, (ScriptedValue, TracedValue)):
        return isinstance(value.of, FunctionValue)
    if isinstance(value, FunctionValue):
        return not isinstance(value.node, ast.Lambda)
    if isinstance(value, TorchValue):
        found = ctx.program.torch.python_object(value.path)
        return isinstance(found, (objects.BuiltinOperator, objects.ScriptFunction))
    return False
