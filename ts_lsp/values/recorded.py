"""What torch recorded of its own module classes, for the arguments an instance was given.

Owns `recorded_facts`. Invariant: an argument that is not known makes no fact certain that depends on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ts_lsp.torchdata.module_facts import NOT_KNOWN, Given, given_of, given_sequence, with_arguments
from ts_lsp.torchdata.objects import ModuleFacts
from ts_lsp.types.model import TENSOR
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    FunctionValue,
    InstanceValue,
    ModuleObject,
    PartialValue,
    SequenceValue,
    TorchValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.running.objects import (
    STARRED,
    BoundFunction,
    ListObject,
    ModuleUnderConstruction,
    PartialCall,
    is_tensor,
)

_SCALARS = {"int": 0, "float": 0.0, "bool": False, "str": ""}
_FUNCTIONS = (FunctionValue, ClassValue, BoundFunction, PartialCall, PartialValue, TorchValue)


def recorded_facts(facts: ModuleFacts, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> ModuleFacts:
    """The type of an instance that was made with these arguments."""
    return with_arguments(facts, {name: argument(value) for name, value in bound(facts, arguments, keywords).items()})


def bound(facts: ModuleFacts, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> dict[str, Value]:
    """The arguments by the names of the constructor's parameters."""
    names = [name for name, _ in facts.parameters]
    if any(each == STARRED for each in arguments):
        return {**dict.fromkeys(names, STARRED), **keywords}
    return {**dict(zip(names, arguments, strict=False)), **keywords}


def argument(value: Value) -> Given:
    """What is known of an argument."""
    if isinstance(value, UnknownValue):
        return NOT_KNOWN
    if isinstance(value, ConstantValue):
        return given_of(value.value)
    if isinstance(value, (SequenceValue, ListObject)):
        known = value.kind in ("tuple", "list") and not (isinstance(value, ListObject) and not value.is_known)
        return given_sequence(value.kind, list(map(argument, value.elements))) if known else NOT_KNOWN
    if isinstance(value, InstanceValue) and isinstance(value.of, BuiltinValue):
        scalar = _SCALARS.get(value.of.name)
        known_type = given_of(scalar) if scalar is not None else None
        return Given(known_type.kind, known_type.type) if known_type is not None else NOT_KNOWN
    if is_tensor(value):
        return Given("Tensor", TENSOR)
    if isinstance(value, (ModuleUnderConstruction, ModuleObject)):
        return Given("module")
    return Given("function") if isinstance(value, _FUNCTIONS) else NOT_KNOWN
