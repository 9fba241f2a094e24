"""Small tensors whose numbers are known: constructors spread rates over blocks with them.

Owns `linspace`, `numbers` and `method_of_numbers`. Invariant: such a tensor is an ordinary tensor to everything else;
its numbers go with the first method that changes it.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from ts_lsp.values.calls import Arguments
from ts_lsp.values.model import BuiltinValue, ConstantValue, InstanceValue, SequenceValue, UnknownValue, Value
from ts_lsp.values.objects import TENSOR, ListObject, is_tensor

_LONGEST = 4096


def linspace(arguments: Arguments) -> Value:
    """`torch.linspace(start, end, steps)`: as many floats, whose values are known where the ends are."""
    start, end = arguments.get(0, "start"), arguments.get(1, "end")
    steps = arguments.get(2, "steps")
    count = steps.value if isinstance(steps, ConstantValue) else None
    if not isinstance(count, int) or not 0 <= count <= _LONGEST:
        return InstanceValue(TENSOR)
    ends = [each.value for each in (start, end) if isinstance(each, ConstantValue)]
    known = [float(each) for each in ends if isinstance(each, (int, float))]
    if len(known) < 2:
        return _holding([InstanceValue(BuiltinValue("float")) for _ in range(count)])
    first, last = map(_single, known)
    step = _single((last - first) / max(1, count - 1))
    return _holding([ConstantValue(_single(_spread(first, last, step, index, count))) for index in range(count)])


def _spread(first: float, last: float, step: float, index: int, count: int) -> float:
    """As torch does it: from both ends towards the middle."""
    return first + step * index if index < count // 2 or count == 1 else last - step * (count - index - 1)


def _single(number: float) -> float:
    """A number as float32 keeps it."""
    try:
        return float(struct.unpack("f", struct.pack("f", number))[0])
    except OverflowError:
        return number


def _holding(values: Sequence[Value]) -> InstanceValue:
    return InstanceValue(TENSOR, keywords=(("numbers", SequenceValue("tuple", tuple(values))),))


def numbers(value: Value) -> tuple[Value, ...] | None:
    """The numbers in a tensor of one dimension, or the one in a scalar; None where they are not known."""
    held = dict(value.keywords).get("numbers") if isinstance(value, InstanceValue) and is_tensor(value) else None
    return held.elements if isinstance(held, SequenceValue) else None


def rows(value: Value) -> list[Value] | None:
    """What iterating over a tensor gives."""
    held = numbers(value)
    return None if held is None else [_holding((each,)) for each in held]


def method_of_numbers(receiver: Value, name: str, arguments: Arguments) -> Value | None:
    """What a method of such a tensor gives; None where it is as with all tensors."""
    held = numbers(receiver)
    if held is None:
        return None
    if name.endswith("_") and not name.startswith("_"):
        return InstanceValue(TENSOR)
    if name == "tolist":
        return ListObject(list(held))
    if name == "item" and len(held) == 1:
        return held[0]
    if name == "split":
        return _split(held, arguments.get(0, "split_size"))
    return receiver if name in ("numpy", "cpu", "detach", "clone", "contiguous") else None


def _split(held: tuple[Value, ...], sizes: Value | None) -> Value:
    elements = sizes.elements if isinstance(sizes, (ListObject, SequenceValue)) else ()
    counts = [each.value for each in elements if isinstance(each, ConstantValue) and isinstance(each.value, int)]
    if len(counts) != len(elements) or sum(counts) != len(held):
        return UnknownValue("split")
    ends = [sum(counts[: index + 1]) for index in range(len(counts))]
    return SequenceValue("tuple", tuple(_holding(held[end - n : end]) for end, n in zip(ends, counts, strict=True)))
