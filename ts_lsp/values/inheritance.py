"""The order in which Python looks through a class and its bases.

Owns `resolution_order`, and questions answered by it. Invariant: a class whose order Python would refuse has the order
of a walk from left to right; an unknown base stays in the order as what hides everything after it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    FieldValue,
    SequenceValue,
    TorchValue,
    TypingValue,
    Value,
)
from ts_lsp.values.naming import name_set
from ts_lsp.values.torchnames import MODULE, SCRIPT_MODULES

OBJECT = BuiltinValue("object")
MODULE_CLASS = TorchValue(MODULE)
CONTAINERS = name_set("Sequential ModuleList ModuleDict ParameterList ParameterDict")
_DEEPEST = 50
_NEUTRAL = name_set("abc.ABC object")


def container_name(path: str) -> str:
    """`Sequential`, `ModuleList`, ... for torch's own containers; empty for all other classes."""
    package, _, name = path.rpartition(".")
    return name if package in ("torch.nn", "torch.nn.modules.container") and name in CONTAINERS else ""


def is_root(value: Value) -> bool:
    """Whether this is `nn.Module` itself, or a `ScriptModule`, which adds nothing of its own."""
    return isinstance(value, TorchValue) and (value.path == MODULE or value.path in SCRIPT_MODULES)


def is_module_class(value: Value) -> bool:
    """Whether instances of a class of the workspace are modules."""
    return isinstance(value, ClassValue) and value.kind in ("module", "script_module")


def resolution_order(owner: Value) -> tuple[Value, ...]:
    """The class, then its bases as Python's C3 linearization orders them; `object` is left out."""
    return _order(owner, 0, {})


def _order(owner: Value, depth: int, known: dict[ClassValue, tuple[Value, ...]]) -> tuple[Value, ...]:
    """`known` are the orders of classes met before: in diamonds each is asked for again and again."""
    if isinstance(owner, TorchValue):
        return (owner,) if is_root(owner) else (owner, MODULE_CLASS)
    if not isinstance(owner, ClassValue) or depth > _DEEPEST:
        return (owner,)
    if owner not in known:
        bases = [base for base in owner.bases if not _is_neutral(base)]
        if len(bases) < 2:
            return (owner, *(each for base in bases for each in _order(base, depth + 1, known)))
        orders = [list(_order(base, depth + 1, known)) for base in bases]
        merged = _merge([*orders, list(bases)])
        known[owner] = (owner, *(merged if merged is not None else _walk(orders)))
    return known[owner]


def is_object(base: Value) -> bool:
    """Whether a base is `object`, which a class without bases has too."""
    if isinstance(base, BuiltinValue):
        return base.name.rsplit(".", 1)[-1] == "object"
    return isinstance(base, TypingValue) and base.name == "object"


def _is_neutral(base: Value) -> bool:
    """Bases without attributes that matter: `object`, `ABC`, `Generic[T]`."""
    return isinstance(base, TypingValue) or (isinstance(base, BuiltinValue) and base.name in _NEUTRAL)


def _merge(orders: list[list[Value]]) -> list[Value] | None:
    result: list[Value] = []
    pending = [order for order in orders if order]
    while pending:
        head = next((o[0] for o in pending if not any(_holds(other[1:], o[0]) for other in pending)), None)
        if head is None:
            return None
        result.append(head)
        pending = [rest for rest in (order[1:] if order[0] == head else order for order in pending) if rest]
    return result


def _walk(orders: list[list[Value]]) -> list[Value]:
    result: list[Value] = []
    for order in orders:
        result.extend(each for each in order if not _holds(result, each))
    return result


def _holds(values: Sequence[Value], value: Value) -> bool:
    return any(each == value for each in values)


def found_members(order: Sequence[Value], name: str) -> Iterator[tuple[Value, Value | None]]:
    """The classes that define a name, in order, with what they define; None for a class that is not known."""
    for each in order:
        if isinstance(each, ClassValue):
            member = each.members.get(name)
            if member is not None:
                yield each, member
        else:
            yield each, None


def is_final(each: FieldValue) -> bool:
    """`Final` or `Final[T]`, of typing or of torch."""
    value, written = each.annotation_value, each.annotation
    if isinstance(value, TypingValue):
        return value.name == "Final"
    base = written.value if isinstance(written, ast.Subscript) else written
    name = base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""
    return name == "Final"


def is_constant_of(order: Sequence[Value], name: str) -> bool:
    """Whether the classes declare an attribute to be a constant of the compiled module."""
    for each in order:
        if isinstance(each, ClassValue):
            if any(field.name == name and is_final(field) for field in each.fields):
                return True
            listed = each.members.get("__constants__")
            elements = listed.elements if isinstance(listed, SequenceValue) else ()
            if any(isinstance(element, ConstantValue) and element.value == name for element in elements):
                return True
    return False
