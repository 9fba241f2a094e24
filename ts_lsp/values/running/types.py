"""Whether an object of a run is an instance of a class.

Owns `instance_of`. Invariant: None where a class of torch, or a base that is not known, may decide it.
"""

from __future__ import annotations

from ts_lsp.values import constants
from ts_lsp.values.inheritance import is_root, resolution_order
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    EnumMemberValue,
    FunctionValue,
    InstanceValue,
    SequenceValue,
    TorchValue,
    TypingValue,
    Value,
)
from ts_lsp.values.naming import name_set
from ts_lsp.values.running.objects import (
    BUFFER,
    PARAMETER,
    TENSOR,
    BoundFunction,
    DictObject,
    ListObject,
    ModuleUnderConstruction,
    PartialCall,
    PlainObject,
    is_of,
    is_parameter,
    is_tensor,
    is_unknown,
)

_BASES = {
    "bool": ("bool", "int"),
    "int": ("int",),
    "float": ("float",),
    "str": ("str", "Iterable", "Sequence"),
    "complex": ("complex",),
}
_FUNCTION_TYPES = name_set("types.FunctionType types.LambdaType types.MethodType")
_PYTHON_TYPES = _FUNCTION_TYPES | name_set("collections.OrderedDict functools.partial types.ModuleType")
_OF_TUPLES = name_set("Sequence Tuple")
_INHERITED = _OF_TUPLES | name_set("List Dict Mapping MutableMapping MutableSequence Set")
_WITHOUT_ELEMENTS = frozenset({"function", "functools.partial", "NoneType", "class without elements"})
_HOLDING_ELEMENTS = _INHERITED | name_set("Iterable Iterator Collection Container Sized")
_NOT_CALLED = name_set("int float bool str complex NoneType list tuple dict set")
_NUMERIC = {
    "numbers.Integral": name_set("int bool"),
    "numbers.Rational": name_set("int bool"),
    "numbers.Real": name_set("int bool float"),
    "numbers.Complex": name_set("int bool float complex"),
    "numbers.Number": name_set("int bool float complex"),
}


def instance_of(value: Value, type_: Value) -> bool | None:
    """Whether a value is an instance of a class or of one of several; None if that is not known."""
    if isinstance(type_, (SequenceValue, ListObject)):
        outcomes = [instance_of(value, each) for each in type_.elements]
        return True if True in outcomes else None if None in outcomes else False
    if is_unknown(value) or is_unknown(type_):
        return None
    if isinstance(value, (ModuleUnderConstruction, PlainObject)):
        return has_class(value.of, type_)
    if isinstance(value, EnumMemberValue):
        return value.owner is type_ or (None if not isinstance(type_, ClassValue) else False)
    if is_tensor(value) and isinstance(type_, (TorchValue, BuiltinValue, ClassValue)):
        return _is_kind_of_tensor(value, type_)
    names = type_names(value)
    if names is None:
        return None
    if isinstance(type_, BuiltinValue) and type_.name in _NUMERIC:
        return bool(names & _NUMERIC[type_.name])
    if isinstance(type_, BuiltinValue):
        if isinstance(value, TorchValue) and type_.name in _FUNCTION_TYPES:
            return False if _is_class(value) else None
        plain = type_.name in constants.TYPES or type_.name in _PYTHON_TYPES
        return type_.name in names or type_.name == "object" if plain else None
    if isinstance(type_, TypingValue):
        if type_.name in names:
            return True
        if type_.name == "Callable":
            return False if names & _NOT_CALLED else None
        if names & _WITHOUT_ELEMENTS and type_.name in _HOLDING_ELEMENTS:
            return False
        return False if names & _NUMERIC["numbers.Number"] else None
    return False


def _is_kind_of_tensor(tensor: Value, type_: TorchValue | BuiltinValue | ClassValue) -> bool | None:
    """Whether a tensor is an instance of a class: every parameter and buffer is a Tensor too."""
    if type_ in (TENSOR, BuiltinValue("object")):
        return True
    if isinstance(type_, TorchValue):
        if type_ not in (PARAMETER, BUFFER) or is_of(tensor, TENSOR):
            return None
        return is_parameter(tensor) if type_ == PARAMETER else is_of(tensor, BUFFER)
    return False


def type_names(value: Value) -> frozenset[str] | None:
    if isinstance(value, ConstantValue):
        name = type(value.value).__name__
        return frozenset(_BASES.get(name, (name,)))
    if isinstance(value, SequenceValue):
        return frozenset({value.kind, "Sequence", "Iterable", value.kind.capitalize()})
    if isinstance(value, ListObject):
        return frozenset({value.kind, "Sequence", "Iterable", value.kind.capitalize()})
    if isinstance(value, DictObject):
        return frozenset({"dict"})
    if isinstance(value, InstanceValue) and isinstance(value.of, BuiltinValue):
        return frozenset(_BASES.get(value.of.name, (value.of.name,)))
    if isinstance(value, ClassValue) and (value.kind == "enum" or value.node is None or value.node.keywords):
        return frozenset({"type", "Callable"})
    if isinstance(value, ClassValue) or (isinstance(value, TorchValue) and _is_class(value)):
        return frozenset({"type", "Callable", "class without elements"})
    if isinstance(value, TorchValue):
        return frozenset({"type"})
    if isinstance(value, FunctionValue):
        return frozenset({"function", "types.FunctionType", "types.LambdaType", "Callable"})
    if isinstance(value, PartialCall):
        return frozenset({"functools.partial", "Callable"})
    return frozenset({"function", "types.MethodType", "Callable"}) if isinstance(value, BoundFunction) else None


def _is_class(value: TorchValue) -> bool:
    return value.path.rpartition(".")[2][:1].isupper()


def has_class(of: Value, type_: Value) -> bool | None:
    order = resolution_order(of)
    if any(each == type_ or (is_root(each) and is_root(type_)) for each in order):
        return True
    if isinstance(type_, BuiltinValue):
        plain = type_.name in constants.TYPES or type_.name.partition(".")[0] in ("types", "numbers", "collections")
        return type_.name == "object" if plain else None
    if any(not isinstance(each, (ClassValue, TorchValue)) for each in order):
        return None
    if isinstance(type_, TypingValue) and type_.name in _INHERITED:
        return isinstance(of, ClassValue) and of.kind == "namedtuple" and type_.name in _OF_TUPLES
    if not isinstance(type_, TorchValue):
        return False if isinstance(type_, ClassValue) else None
    own = [each for each in order if isinstance(each, TorchValue) and not is_root(each)]
    return False if not any(_may_derive(each.path, type_.path) for each in own) else None


def _may_derive(path: str, base: str) -> bool:
    """Whether one class of torch may derive from another: private bases, and classes named after their base."""
    name, other = path.rpartition(".")[2], base.rpartition(".")[2]
    package = path.rpartition(".")[0] == base.rpartition(".")[0]
    return other.startswith("_") or other in name or (package and other.endswith("Base")) or "Loss" in name
