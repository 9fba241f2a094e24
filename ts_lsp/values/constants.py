"""Arithmetic on known constants, with limits.

Owns the passage between values and the Python objects they describe. Invariant: only immutable objects and fresh
containers of them are ever computed with, results stay small, and an operation that fails gives `UnknownValue`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from ts_lsp.values.model import (
    BuiltinValue,
    ConstantValue,
    DictValue,
    InstanceValue,
    SequenceValue,
    TorchValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.naming import name_set

TYPES = name_set(
    """
    int float complex bool str bytes list tuple dict set frozenset type object NoneType slice range bytearray
    """
)
_LARGEST_BITS = 2048
_LONGEST = 4096
_HEAVIEST = 100_000
_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(...))
_NUMBERS = MappingProxyType({"pi": math.pi, "e": math.e, "tau": math.tau, "inf": math.inf, "nan": math.nan})
_MATH = name_set(
    """
    acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh degrees erf erfc exp expm1 fabs floor fmod gamma gcd
    hypot isfinite isinf isnan ldexp lgamma log log10 log1p log2 modf prod radians sin sinh sqrt tan tanh trunc
    """
)
_TO_INT = name_set("ceil floor gcd trunc")
_NO_NUMBERS = name_set("isfinite isinf isnan modf prod")
_FUNCTIONS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        "abs": abs,
        "bool": bool,
        "bytes": bytes,
        "chr": chr,
        "complex": complex,
        "dict": dict,
        "divmod": divmod,
        "float": float,
        "frozenset": frozenset,
        "hex": hex,
        "int": int,
        "len": len,
        "list": list,
        "max": max,
        "min": min,
        "oct": oct,
        "ord": ord,
        "repr": repr,
        "round": round,
        "set": set,
        "sorted": sorted,
        "str": str,
        "sum": sum,
        "tuple": tuple,
    }
)


_EXPRESSIONS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {"re.split": re.split, "re.sub": re.sub, "re.findall": re.findall}
)


class _NotConstant(Exception):
    """A value that is no known constant, or a result too large to keep."""


def apply(function: Callable[[Sequence[object]], object], values: Sequence[Value], operation: str) -> Value:
    """The value of a pure operation on constants; unknown if one is not known or the operation fails.

    `operation` names it: a class of `ast` operators, or a builtin.
    """
    try:
        arguments = [to_python(value) for value in values]
        _guard(operation, arguments)
        return from_python(function(arguments))
    except _NotConstant:
        return _typed_result(operation, values)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, MemoryError, RecursionError):
        return UnknownValue("operation that fails")


def call(name: str, positional: Sequence[Value], keywords: Mapping[str, Value]) -> Value | None:
    """A call of a pure builtin or `math` function on constants; None where the callable is not one of those."""
    function = _FUNCTIONS.get(name)
    if name.startswith("math.") and name[5:] in _MATH:
        function = getattr(math, name[5:])
    if name in _EXPRESSIONS and _is_quick(positional):
        function = _EXPRESSIONS[name]
    if function is None:
        return None
    names = tuple(keywords)
    known = function

    def run(arguments: Sequence[object]) -> object:
        split = len(positional)
        return known(*arguments[:split], **dict(zip(names, arguments[split:], strict=False)))

    value = apply(run, (*positional, *keywords.values()), name)
    if isinstance(value, UnknownValue) and name in TYPES:
        return InstanceValue(BuiltinValue(name), tuple(positional), tuple(keywords.items()))
    return value


def _is_quick(arguments: Sequence[Value]) -> bool:
    """Whether matching certainly ends soon: a short text, and a pattern that repeats little and nothing twice."""
    texts = [each.value for each in arguments if isinstance(each, ConstantValue) and isinstance(each.value, str)]
    if len(texts) != len(arguments) or not texts:
        return False
    repeats = re.findall(r"[*+{]|\)\?", texts[0])
    return (
        len(texts[0]) <= 60
        and all(len(each) <= 200 for each in texts)
        and len(repeats) <= 2
        and not re.search(r"\)[*+{]", texts[0])
    )


def to_python(value: Value) -> object:
    """The Python object a value describes, built anew; raises inside this module only."""
    if isinstance(value, ConstantValue):
        return value.value
    if isinstance(value, SequenceValue):
        parts = [to_python(element) for element in value.elements]
        return tuple(parts) if value.kind == "tuple" else parts if value.kind == "list" else set(parts)
    if isinstance(value, DictValue):
        return {to_python(key): to_python(item) for key, item in value.items}
    if isinstance(value, TorchValue) and value.path.partition(".")[0] in ("math", "torch"):
        number = _NUMBERS.get(value.path.partition(".")[2])
        if number is not None:
            return number
    raise _NotConstant


def from_python(result: object) -> Value:
    """The value that describes a Python object made of plain constants."""
    if isinstance(result, _PLAIN):
        if isinstance(result, int) and result.bit_length() > _LARGEST_BITS:
            raise _NotConstant
        if isinstance(result, (str, bytes)) and len(result) > _LONGEST:
            raise _NotConstant
        return ConstantValue(result)
    if isinstance(result, (list, tuple, set, frozenset)) and len(result) <= _LONGEST:
        kind = "tuple" if isinstance(result, tuple) else "list" if isinstance(result, list) else "set"
        return SequenceValue(kind, tuple(from_python(element) for element in result))
    if isinstance(result, dict) and len(result) <= _LONGEST:
        return DictValue(tuple((from_python(key), from_python(item)) for key, item in result.items()))
    raise _NotConstant


def bounded(value: Value) -> Value:
    """A container, or an unknown value if spelled out it holds too much, as `x = (x, x)` repeated does."""
    pending, seen = [value], 0
    while pending:
        seen += 1
        if seen + len(pending) > _HEAVIEST:
            return UnknownValue("too large")
        part = pending.pop()
        if isinstance(part, SequenceValue):
            pending.extend(part.elements)
        elif isinstance(part, DictValue):
            pending.extend(each for pair in part.items for each in pair)
    return value


def is_long(text: str) -> bool:
    """Whether a text is longer than what is kept."""
    return len(text) > _LONGEST


def _guard(operation: str, arguments: Sequence[object]) -> None:
    """Refuses operations whose result could be huge."""
    numbers = [abs(argument) for argument in arguments if isinstance(argument, int)]
    texts = [argument for argument in arguments if isinstance(argument, (str, bytes, tuple, list))]
    if operation in ("Pow", "LShift") and numbers and max(numbers[-1:]) > 1024:
        raise _NotConstant
    if operation == "Mult" and texts and numbers and len(texts[0]) * max(numbers) > _LONGEST:
        raise _NotConstant
    if operation == "Mod" and texts:
        raise _NotConstant
    if operation == "bytes" and numbers and max(numbers) > _LONGEST:
        raise _NotConstant


def _typed_result(operation: str, values: Sequence[Value]) -> Value:
    """What is known of arithmetic with an unknown number: two floats add up to some float."""
    kinds = {_number_kind(value) for value in values}
    if operation in ("Add", "Sub", "Mult", "Div", "Mod", "FloorDiv", "USub", "UAdd") and kinds <= {"int", "float"}:
        return InstanceValue(BuiltinValue("float" if "float" in kinds or operation == "Div" else "int"))
    module, _, function = operation.rpartition(".")
    if module == "math" and function not in _NO_NUMBERS:
        return InstanceValue(BuiltinValue("int" if function in _TO_INT else "float"))
    return UnknownValue("operation on unknown values")


def _number_kind(value: Value) -> str:
    if isinstance(value, ConstantValue) and type(value.value) in (int, float):
        return type(value.value).__name__
    if isinstance(value, InstanceValue) and isinstance(value.of, BuiltinValue):
        return value.of.name
    return ""
