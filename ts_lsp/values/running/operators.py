"""Operators, comparisons, truth and iteration over the objects of a run.

Owns what does not depend on how an expression is written. Invariant: None, or an unknown value, is the answer where the
objects do not tell; nothing is decided here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import TypeGuard

from ts_lsp.values import evaluation
from ts_lsp.values.calls import Arguments
from ts_lsp.values.inheritance import container_name, found_members, resolution_order
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    EnumMemberValue,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    SequenceValue,
    TorchValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.running import vectors
from ts_lsp.values.running.objects import (
    SIZE,
    TENSOR,
    AttributeTable,
    BoundFunction,
    DictObject,
    Freezer,
    ListObject,
    ModuleUnderConstruction,
    NativeMethod,
    PartialCall,
    PlainObject,
    Raised,
    SuperObject,
    is_none,
    is_tensor,
    is_unknown,
    sized_tensor,
)
from ts_lsp.values.running.run import Frame

_OBJECTS = (ListObject, DictObject, PlainObject, ModuleUnderConstruction)
_DEFINITE = (ClassValue, TorchValue, FunctionValue, BuiltinValue, ModuleValue, EnumMemberValue)
_WIDE = re.compile(r"\d{4}")
LONGEST = 4096


def truth(value: Value) -> bool | None:
    """Whether a value counts as true; None if that is not known."""
    if isinstance(value, ListObject):
        return bool(value.elements) if value.is_known else None
    if isinstance(value, DictObject):
        return bool(value.entries) if value.is_known else None
    if isinstance(value, ModuleUnderConstruction):
        elements = container_elements(value)
        return True if elements is None else bool(elements)
    if isinstance(value, PlainObject):
        order = resolution_order(value.of)
        has_own = any(True for name in ("__bool__", "__len__") for _ in found_members(order, name))
        return None if has_own else True
    if isinstance(value, (BoundFunction, NativeMethod, PartialCall, EnumMemberValue)):
        return True
    if isinstance(value, (TorchValue, BuiltinValue)):
        return True
    return evaluation.truth(value)


def equal(left: Value, right: Value) -> bool | None:
    """Whether `left == right`; None if that is not known."""
    if left is right and not is_unknown(left):
        return True
    if isinstance(left, _DEFINITE) and isinstance(right, _DEFINITE):
        return left == right
    plain = (ConstantValue, SequenceValue)
    if (isinstance(left, _DEFINITE) and isinstance(right, plain)) or (
        isinstance(right, _DEFINITE) and isinstance(left, plain)
    ):
        return None if isinstance(left, (TorchValue, EnumMemberValue)) or isinstance(right, TorchValue) else False
    if is_none(left) or is_none(right):
        return identical(left, right)
    return evaluation.compare(ast.Eq(), Freezer().value(left), Freezer().value(right))


def identical(left: Value, right: Value) -> bool | None:
    if isinstance(left, _OBJECTS) or isinstance(right, _OBJECTS):
        other = right if isinstance(left, _OBJECTS) else left
        return None if is_unknown(other) else left is right
    if isinstance(left, _DEFINITE) and isinstance(right, _DEFINITE):
        return left == right
    for one, other in ((left, right), (right, left)):
        if is_none(one) and (is_certain_object(other) or isinstance(other, _DEFINITE)):
            return False
    return evaluation.compare(ast.Is(), left, right)


def is_certain_object(value: Value) -> bool:
    """Whether a value, though not known, is certainly not None."""
    if isinstance(value, (BoundFunction, NativeMethod, PartialCall)):
        return True
    return isinstance(value, InstanceValue) and (isinstance(value.of, (BuiltinValue, ClassValue)) or is_tensor(value))


def compare(symbol: ast.cmpop, left: Value, right: Value) -> bool | None:
    """Whether a comparison holds; None if that is not known."""
    outcome: bool | None
    if isinstance(symbol, (ast.Eq, ast.NotEq)):
        outcome = equal(left, right)
    elif isinstance(symbol, (ast.Is, ast.IsNot)):
        outcome = identical(left, right)
    elif isinstance(symbol, (ast.In, ast.NotIn)):
        outcome = _contains(right, left)
    else:
        return evaluation.compare(symbol, Freezer().value(left), Freezer().value(right))
    negated = isinstance(symbol, (ast.NotEq, ast.IsNot, ast.NotIn))
    return outcome if outcome is None or not negated else not outcome


def _contains(container: Value, value: Value) -> bool | None:
    if isinstance(container, DictObject):
        if container.get(value) is not None:
            return True
        return None if is_unknown(value) or not container.is_known else False
    if isinstance(container, ModuleUnderConstruction):
        names = container.modules.entries if container.is_complete else None
        return (
            None if names is None or not isinstance(value, ConstantValue) else container.modules.get(value) is not None
        )
    if isinstance(container, (ListObject, SequenceValue)):
        if isinstance(container, ListObject) and not container.is_known:
            return None
        outcomes = [equal(each, value) for each in container.elements]
        return True if True in outcomes else None if None in outcomes else False
    return evaluation.compare(ast.In(), Freezer().value(value), Freezer().value(container))


# Containers.


def container_elements(module: ModuleUnderConstruction) -> list[Value] | None:
    """What iterating one of torch's containers gives; None for other modules."""
    name = next((n for n in map(_container_name, resolution_order(module.of)) if n), "")
    if not name:
        return None
    table = module.parameters if name.startswith("Parameter") else module.modules
    pairs = list(table.pairs())
    return [key for key, _ in pairs] if name.endswith("Dict") else [value for _, value in pairs]


def _container_name(value: Value) -> str:
    return container_name(value.path) if isinstance(value, TorchValue) else ""


def iterated(value: Value, frame: Frame) -> Sequence[Value] | None:
    """What iterating a value gives; None if that is not known."""
    if isinstance(value, ListObject):
        return tuple(value.elements) if value.is_known else None
    if isinstance(value, SequenceValue):
        return tuple(frame.run.thaw(each, frame) for each in value.elements)
    if isinstance(value, DictObject):
        return [key for key, _ in value.pairs()] if value.is_known else None
    if isinstance(value, ConstantValue) and isinstance(value.value, str):
        return [ConstantValue(character) for character in value.value]
    if isinstance(value, ModuleUnderConstruction):
        own = next((member for _, member in found_members(resolution_order(value.of), "__iter__")), None)
        return container_elements(value) if own is None and value.is_complete else None
    if isinstance(value, InstanceValue) and value.keywords:
        return vectors.elements(value)
    if isinstance(value, ClassValue) and value.kind == "enum":
        return [each for each in value.members.values() if isinstance(each, EnumMemberValue)]
    return None


def tainted(value: Value, depth: int = 0) -> None:
    """Code that is not known had its hands on a value: what it holds is not known any more."""
    if depth > 3:
        return
    if isinstance(value, ListObject):
        value.is_known = False
        for each in value.elements:
            tainted(each, depth + 1)
    elif isinstance(value, (DictObject, PlainObject)):
        value.is_known = False
        inner = [item for _, item in value.pairs()] if isinstance(value, DictObject) else value.attributes.values()
        for each in inner:
            tainted(each, depth + 1)
        if isinstance(value, AttributeTable) and value.owner is not None:
            tainted(value.owner, depth + 1)
    elif isinstance(value, ModuleUnderConstruction):
        value.is_complete = False
    elif isinstance(value, SequenceValue):
        for each in value.elements:
            tainted(each, depth + 1)
    elif isinstance(value, (BoundFunction, NativeMethod, SuperObject)):
        tainted(value.receiver, depth + 1)


# Operators.


def binary(symbol: ast.operator, left: Value, right: Value, frame: Frame) -> Value:
    """`left <symbol> right`."""
    if isinstance(symbol, ast.Add) and isinstance(left, ListObject) and isinstance(right, ListObject):
        made = ListObject(list(left.elements), left.kind, left.is_known)
        extend(made, right.elements if right.is_known else None)
        return made
    if isinstance(symbol, ast.Add) and _is_tuple(left) and _is_tuple(right):
        fits = len(left.elements) + len(right.elements) <= LONGEST
        return (
            SequenceValue("tuple", (*left.elements, *right.elements)) if fits else InstanceValue(BuiltinValue("tuple"))
        )
    if isinstance(symbol, ast.Mult):
        for sequence, count in ((left, right), (right, left)):
            repeated = _repeated(sequence, count)
            if repeated is not None:
                return repeated
    if isinstance(symbol, ast.Mod) and isinstance(left, ConstantValue) and isinstance(left.value, str):
        return _percent(left.value, right)
    if any(isinstance(each, (PlainObject, ModuleUnderConstruction)) for each in (left, right)):
        return UnknownValue("operator of a class")
    computed = vectors.binary(symbol, left, right)
    if computed is not None:
        return computed
    if is_tensor(left) or is_tensor(right):
        tensor, other = (left, right) if is_tensor(left) else (right, left)
        size = dict(tensor.keywords).get("size") if isinstance(tensor, InstanceValue) else None
        if isinstance(size, SequenceValue) and isinstance(other, ConstantValue):
            return sized_tensor(TENSOR, size.elements)
        return InstanceValue(TENSOR)
    frozen = Freezer()
    return frame.run.thaw(evaluation.binary(symbol, frozen.value(left), frozen.value(right)), frame)


def _is_tuple(value: Value) -> TypeGuard[SequenceValue]:
    return isinstance(value, SequenceValue) and value.kind == "tuple"


def _repeated(sequence: Value, count: Value) -> Value | None:
    if not isinstance(count, ConstantValue) or not isinstance(count.value, int):
        return None
    if not isinstance(sequence, (ListObject, SequenceValue)):
        return None
    if len(sequence.elements) * count.value > LONGEST:
        return InstanceValue(BuiltinValue(sequence.kind))
    if isinstance(sequence, ListObject):
        return ListObject(sequence.elements * count.value, sequence.kind, sequence.is_known)
    return SequenceValue(sequence.kind, sequence.elements * count.value)


def extend(target: ListObject, elements: Sequence[Value] | None) -> None:
    """Adds elements to a list; it is not known any more where they are not, or are too many."""
    fits = elements is not None and len(target.elements) + len(elements) <= LONGEST
    target.elements.extend(elements if fits and elements is not None else ())
    target.is_known = target.is_known and fits


def augmented(symbol: ast.operator, current: Value, value: Value) -> Value | None:
    """What `current <symbol>= value` gives where it changes the object in place; None where it is a new one."""
    if not isinstance(symbol, ast.Add):
        return None
    elements = value.elements if isinstance(value, (ListObject, SequenceValue)) else None
    known = elements is not None and not (isinstance(value, ListObject) and not value.is_known)
    if isinstance(current, ListObject):
        extend(current, elements if known else None)
        return current
    if isinstance(current, ModuleUnderConstruction) and container_elements(current) is not None:
        if isinstance(value, ModuleUnderConstruction):
            elements, known = container_elements(value) or (), True
        fits = len(current.modules.entries) + len(elements or ()) <= LONGEST
        for each in (elements or ()) if fits else ():
            current.assign(str(len(current.modules.entries)), each)
        current.is_complete = current.is_complete and known and fits
        return current
    return None


def _percent(text: str, value: Value) -> Value:
    parts = value.elements if isinstance(value, SequenceValue) else (value,)
    constants = tuple(part.value for part in parts if isinstance(part, ConstantValue))
    if len(constants) == len(parts) and not _WIDE.search(text) and "*" not in text:
        try:
            return ConstantValue(text % constants)
        except (TypeError, ValueError):
            raise Raised("TypeError") from None
    return InstanceValue(BuiltinValue("str"))


def formatted(value: Value, conversion: int = -1, specification: str = "") -> str | None:
    """What a constant looks like in an f-string; None for what is not known."""
    if not isinstance(value, ConstantValue) or _WIDE.search(specification):
        return None
    shown: object = value.value
    if conversion != -1:
        shown = ascii(shown) if conversion == ord("a") else repr(shown) if conversion == ord("r") else str(shown)
    try:
        return format(shown, specification)
    except (TypeError, ValueError):
        raise Raised("ValueError") from None


def subscript(base: Value, index: Value, frame: Frame) -> Value:
    """`base[index]`."""
    if isinstance(base, InstanceValue) and base.of == SIZE:
        is_number = isinstance(index, ConstantValue) and isinstance(index.value, int)
        return InstanceValue(BuiltinValue("int")) if is_number else UnknownValue("part of a size")
    if isinstance(base, DictObject):
        return _dict_item(base, index, frame)
    if isinstance(base, ModuleUnderConstruction):
        return _child(base, index)
    if base == BuiltinValue("sys.modules") and isinstance(index, ConstantValue):
        return ModuleValue(str(index.value))
    if isinstance(base, PlainObject):
        for _, member in found_members(resolution_order(base.of), "__getitem__"):
            if isinstance(member, FunctionValue):
                return frame.run.language.call(BoundFunction(member, base), Arguments((index,)), frame)
        return UnknownValue("element of an object")
    if isinstance(base, ListObject):
        if not base.is_known:
            return UnknownValue("element of a list")
        base = SequenceValue("tuple", tuple(base.elements))
    element = vectors.subscript(base, index)
    if element is not None:
        return element
    if is_tensor(base):
        return InstanceValue(TENSOR)
    if isinstance(base, (SequenceValue, ConstantValue)) and isinstance(index, ConstantValue):
        length = len(base.elements) if isinstance(base, SequenceValue) else None
        if isinstance(base, ConstantValue) and isinstance(base.value, str):
            length = len(base.value)
        if length is not None and isinstance(index.value, int):
            if not -length <= index.value < length:
                raise Raised("IndexError")
            if isinstance(base, ConstantValue):
                return ConstantValue(str(base.value)[index.value])
    return frame.run.thaw(evaluation.subscript(base, Freezer().value(index)), frame)


def _dict_item(base: DictObject, index: Value, frame: Frame) -> Value:
    found = base.get(index)
    if found is not None:
        return found
    if is_unknown(index) or not base.is_known or isinstance(index, InstanceValue):
        return UnknownValue("element of a dict")
    if base.factory is None:
        raise Raised("KeyError")
    made = frame.run.language.call(base.factory, Arguments(), frame)
    base.set(index, made)
    return made


def _child(base: ModuleUnderConstruction, index: Value) -> Value:
    if container_elements(base) is None or not isinstance(index, ConstantValue) or not base.is_complete:
        return UnknownValue("element of a module")
    table = base.modules if base.modules.entries else base.parameters
    values = [value for _, value in table.pairs()]
    if isinstance(index.value, int):
        if not -len(values) <= index.value < len(values):
            raise Raised("IndexError")
        return values[index.value]
    return table.get(index) or UnknownValue("element of a module")
