"""Tensors and numpy arrays whose numbers a constructor works out, such as the widths of stages and rates of dropping.

Owns `Numbers`, what a tensor of at most one dimension holds, and the arithmetic over them.
Invariant: a number that is not known is still an int or a float; None is the answer for what is not listed here, of
which nothing but being a tensor is known. Floats are right but for the last digit, which torch leaves to the processor.
"""

from __future__ import annotations

import ast
import math
import operator
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from ts_lsp.records import dataclass
from ts_lsp.values.calls import Arguments
from ts_lsp.values.model import BuiltinValue, ConstantValue, InstanceValue, SequenceValue, TorchValue, Value
from ts_lsp.values.running.objects import TENSOR, ListObject

ARRAY = BuiltinValue("numpy.ndarray")
_LONGEST = 4096
_KINDS: Mapping[str, str] = MappingProxyType(
    {"torch.float32": "float32", "torch.float": "float32", "torch.float64": "float64", "torch.double": "float64"}
    | dict.fromkeys(("torch.int", "torch.int32", "torch.int64", "torch.long"), "int64")
)


@dataclass(frozen=True, slots=True)
class Numbers(Value):
    """A row of numbers, or a single one. `kind`: `float32`, `float64`, `int64`, or `int` and `float` for Python's."""

    elements: tuple[Value, ...]
    kind: str
    is_single: bool = False

    def holder(self, of: TorchValue | BuiltinValue = TENSOR) -> InstanceValue:
        """The tensor or array that holds them."""
        size = () if self.is_single else (ConstantValue(len(self.elements)),)
        return InstanceValue(of, keywords=(("numbers", self), ("size", SequenceValue("tuple", size))))


def numbers_of(value: Value) -> Numbers | None:
    """What a tensor or array holds, where that is known."""
    if not isinstance(value, InstanceValue) or value.of not in (TENSOR, ARRAY):
        return None
    found = dict(value.keywords).get("numbers")
    return found if isinstance(found, Numbers) else None


def elements(value: Value) -> Sequence[Value] | None:
    """What iterating a tensor or array gives; None where that is not known."""
    held = numbers_of(value)
    if held is None or held.is_single:
        return None
    return [_item(value, held, each) for each in held.elements]


def subscript(value: Value, index: Value) -> Value | None:
    """`value[index]`, of a position."""
    held = numbers_of(value)
    position = index.value if isinstance(index, ConstantValue) else None
    if held is None or held.is_single or not isinstance(position, int):
        return None
    fits = -len(held.elements) <= position < len(held.elements)
    return _item(value, held, held.elements[position]) if fits else None


def _item(holder: Value, held: Numbers, element: Value) -> Value:
    """An element: of a tensor again a tensor, of an array as good as a number."""
    is_array = isinstance(holder, InstanceValue) and holder.of == ARRAY
    return element if is_array else Numbers((element,), held.kind, True).holder()


def call(path: str, arguments: Arguments) -> Value | None:
    """What a function of torch or numpy makes of numbers that are known."""
    package, _, name = path.rpartition(".")
    if package not in ("torch", "torch.functional", "numpy") or not arguments.exact:
        return None
    of: TorchValue | BuiltinValue = ARRAY if package == "numpy" else TENSOR
    make = _MAKERS.get(path)
    if make is not None:
        made = make(arguments, "float64" if of == ARRAY else "float32")
        # The ints of numpy are none of Python's.
        return None if made is None or (of == ARRAY and made.kind == "int64") else made.holder(of)
    if arguments.keywords or not arguments.positional:
        return None
    if any(numbers_of(each) is not None for each in arguments.positional):
        return _computed(name, arguments.positional, of)
    return None


def method(receiver: Value, name: str, arguments: Arguments) -> Value | None:
    """What a method of a tensor or array makes of its numbers."""
    held = numbers_of(receiver)
    if held is None or not isinstance(receiver, InstanceValue) or not arguments.exact:
        return None
    if name.endswith("_") and not name.startswith("_"):
        return InstanceValue(receiver.of)
    if name == "split":
        return _split(held, arguments.get(0, "split_size"))
    if arguments.keywords:
        return None
    if arguments.positional:
        return _computed(name, (receiver, *arguments.positional), receiver.of)
    if name == "tolist":
        return held.elements[0] if held.is_single else ListObject(list(held.elements))
    if name == "item":
        return held.elements[0] if len(held.elements) == 1 else None
    if name in _SAME:
        return receiver
    kind = _CASTS.get(name)
    if kind is not None and receiver.of == TENSOR:
        return Numbers(tuple(_cast(each, kind) for each in held.elements), kind, held.is_single).holder()
    return _computed(name, (receiver,), receiver.of)


def _split(held: Numbers, sizes: Value | None) -> Value | None:
    """Parts of a row, as long as a list says."""
    parts = sizes.elements if isinstance(sizes, (ListObject, SequenceValue)) else ()
    counts = [each.value for each in parts if isinstance(each, ConstantValue) and isinstance(each.value, int)]
    if len(counts) != len(parts) or sum(counts) != len(held.elements):
        return None
    ends = [sum(counts[: index + 1]) for index in range(len(counts))]
    rows = (held.elements[end - count : end] for end, count in zip(ends, counts, strict=True))
    return SequenceValue("tuple", tuple(Numbers(each, held.kind).holder() for each in rows))


def binary(symbol: ast.operator, left: Value, right: Value) -> Value | None:
    """`left <symbol> right`, where one of them is a tensor or array."""
    name = _SYMBOLS.get(type(symbol))
    holder = next((each for each in (left, right) if numbers_of(each) is not None), None)
    if name is None or not isinstance(holder, InstanceValue):
        return None
    return _computed(name, (left, right), holder.of)


def _computed(name: str, operands: Sequence[Value], of: Value) -> Value | None:
    """An operation by its name in torch."""
    assert isinstance(of, (TorchValue, BuiltinValue))
    rows = [_operand(each) for each in operands]
    known = [each for each in rows if each is not None]
    if len(known) != len(rows):
        return None
    if len(known) == 1 and name in _WHOLE:
        found = _WHOLE[name](known[0])
        return None if found is None else found.holder(of)
    function = (_ONE if len(known) == 1 else _TWO if len(known) == 2 else {}).get(name)
    if function is None:
        return None
    found = _elementwise(function, known, name)
    return None if found is None else found.holder(of)


def _operand(value: Value) -> Numbers | None:
    """A tensor's numbers; a number of Python takes part with no type of its own."""
    if isinstance(value, ConstantValue) and type(value.value) in (int, float):
        return Numbers((value,), type(value.value).__name__, True)
    of = value.of if isinstance(value, InstanceValue) else None
    if isinstance(of, BuiltinValue) and of.name in ("int", "float"):
        return Numbers((value,), of.name, True)
    return numbers_of(value)


def _elementwise(function: Callable[..., float], operands: Sequence[Numbers], name: str) -> Numbers | None:
    lengths = {len(each.elements) for each in operands if not each.is_single}
    if len(lengths) > 1:
        return None
    count = lengths.pop() if lengths else 1
    kind = _common_kind([each.kind for each in operands], name)
    rows = [each.elements * count if each.is_single else each.elements for each in operands]
    made = tuple(_applied(function, row, kind) for row in zip(*rows, strict=True))
    return Numbers(made, kind, all(each.is_single for each in operands))


def _common_kind(kinds: Sequence[str], name: str) -> str:
    for kind in ("float64", "float32"):
        if kind in kinds:
            return kind
    return "int64" if "float" not in kinds and name not in _REAL else "float32"


def _applied(function: Callable[..., float], values: Sequence[Value], kind: str) -> Value:
    numbers = [each.value for each in values if isinstance(each, ConstantValue)]
    exact = [_rounded(each, kind) for each in numbers if isinstance(each, (int, float))]
    if len(exact) != len(values):
        return _some(kind)
    try:
        return ConstantValue(_rounded(function(*exact), kind))
    except (ArithmeticError, ValueError):
        return _some(kind)


def _some(kind: str) -> Value:
    return InstanceValue(BuiltinValue("int" if kind.startswith("int") else "float"))


def _rounded(number: float, kind: str) -> float:
    """The number of the kind that is nearest."""
    if kind == "int64":
        return int(number)
    try:
        return float(struct.unpack("f", struct.pack("f", number))[0]) if kind == "float32" else float(number)
    except OverflowError:
        return math.copysign(math.inf, number)


def _cast(value: Value, kind: str) -> Value:
    """A number as one of another kind: floats lose what makes them no ints."""
    number = value.value if isinstance(value, ConstantValue) else None
    if not isinstance(number, (int, float)) or not math.isfinite(number):
        return _some(kind)
    return ConstantValue(math.trunc(number) if kind == "int64" else _rounded(number, kind))


# Making rows.


def _range(arguments: Arguments, kind: str) -> Numbers | None:
    given = [each.value for each in arguments.positional if isinstance(each, ConstantValue)]
    bounds = [each for each in given if type(each) in (int, float) and isinstance(each, (int, float))]
    if len(bounds) != len(arguments.positional) or not 1 <= len(bounds) <= 3 or bounds[2:] == [0]:
        return None
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    whole = all(isinstance(each, int) for each in bounds)
    count = math.ceil((stop - start) / step) if math.isfinite(stop - start) else -1
    own = _written_kind(arguments, "int64" if whole else kind)
    if own is None or not 0 <= count <= _LONGEST:
        return None
    return Numbers(tuple(ConstantValue(_rounded(start + step * index, own)) for index in range(count)), own)


def _spaced(arguments: Arguments, kind: str, of_torch: bool = True) -> Numbers | None:
    """`linspace`: the ends and a count."""
    start, stop = arguments.get(0, "start"), arguments.get(1, "end") or arguments.get(1, "stop")
    steps = arguments.get(2, "steps") or arguments.get(2, "num")
    count = steps.value if isinstance(steps, ConstantValue) else None
    own = _written_kind(arguments, kind)
    if start is None or stop is None or own is None or not isinstance(count, int) or not 0 <= count <= _LONGEST:
        return None

    point = partial(_point, count, own, of_torch)
    return Numbers(tuple(_applied(point, (start, stop, ConstantValue(index)), own) for index in range(count)), own)


def _point(count: int, kind: str, of_torch: bool, first: float, last: float, index: float) -> float:
    """One of `count` numbers at even distances. torch counts back from the end in the second half."""
    step = _rounded((last - first) / max(count - 1, 1), kind)
    if of_torch and count > 1 and index >= count // 2:
        return last - step * (count - 1 - index)
    return last if index and index == count - 1 else first + step * index


def _tensor(arguments: Arguments, kind: str) -> Numbers | None:
    """`tensor` of a number, or of a list of them."""
    value = arguments.get(0, "data")
    single = _operand(value) if value is not None else None
    is_row = isinstance(value, SequenceValue) or (isinstance(value, ListObject) and value.is_known)
    rows = [single]
    if is_row and isinstance(value, (SequenceValue, ListObject)):
        rows = [_operand(each) for each in value.elements]
    known = [each for each in rows if each is not None and each.is_single]
    if len(known) != len(rows):
        return None
    kinds = {each.kind for each in known}
    own = _written_kind(arguments, "int64" if kinds <= {"int", "int64"} and kinds else kind)
    if own is None:
        return None
    return Numbers(tuple(_cast(each.elements[0], own) for each in known), own, single is not None)


def _written_kind(arguments: Arguments, usual: str) -> str | None:
    """The kind that `dtype` asks for; None for one that is not known."""
    if any(each not in ("dtype", "device", "start", "end", "stop", "steps", "num") for each in arguments.keywords):
        return None
    written = arguments.keywords.get("dtype")
    if written is None or (isinstance(written, ConstantValue) and written.value is None):
        return usual
    return _KINDS.get(written.path) if isinstance(written, TorchValue) else None


# Operations on a whole row.


def _constants(held: Numbers) -> list[int | float] | None:
    found = [each.value for each in held.elements if isinstance(each, ConstantValue)]
    numbers = [each for each in found if isinstance(each, (int, float))]
    return numbers if len(numbers) == len(held.elements) else None


def _reduced(function: Callable[[Sequence[int | float]], int | float]) -> Callable[[Numbers], Numbers | None]:
    def reduce(held: Numbers) -> Numbers | None:
        numbers = _constants(held)
        if numbers == [] or held.is_single:
            return None
        made = _some(held.kind) if numbers is None else ConstantValue(_rounded(function(numbers), held.kind))
        return Numbers((made,), held.kind, True)

    return reduce


def _distinct(held: Numbers) -> Numbers | None:
    numbers = _constants(held)
    return None if numbers is None else Numbers(tuple(map(ConstantValue, sorted(set(numbers)))), held.kind)


def _differences(held: Numbers) -> Numbers | None:
    pairs = zip(held.elements[1:], held.elements, strict=False)
    return Numbers(tuple(_applied(operator.sub, pair, held.kind) for pair in pairs), held.kind)


_MAKERS: Mapping[str, Callable[[Arguments, str], Numbers | None]] = MappingProxyType(
    {
        "torch.arange": _range,
        "torch.linspace": _spaced,
        "torch.tensor": _tensor,
        "numpy.arange": _range,
        "numpy.linspace": partial(_spaced, of_torch=False),
    }
)
_WHOLE: Mapping[str, Callable[[Numbers], Numbers | None]] = MappingProxyType(
    {"max": _reduced(max), "min": _reduced(min), "sum": _reduced(sum), "unique": _distinct, "diff": _differences}
)
_REAL = frozenset({"log", "log2", "log10", "exp", "sqrt", "div", "divide", "true_divide"})
_ONE: Mapping[str, Callable[..., float]] = MappingProxyType(
    {
        "round": round,
        "floor": math.floor,
        "ceil": math.ceil,
        "abs": abs,
        "neg": operator.neg,
        "log": math.log,
        "log2": math.log2,
        "log10": math.log10,
        "exp": math.exp,
        "sqrt": math.sqrt,
    }
)
_TWO: Mapping[str, Callable[..., float]] = MappingProxyType(
    {
        "add": operator.add,
        "sub": operator.sub,
        "subtract": operator.sub,
        "mul": operator.mul,
        "multiply": operator.mul,
        "div": operator.truediv,
        "divide": operator.truediv,
        "true_divide": operator.truediv,
        "floor_divide": operator.floordiv,
        "pow": math.pow,
    }
)
_SYMBOLS: Mapping[type[ast.operator], str] = MappingProxyType(
    {
        ast.Add: "add",
        ast.Sub: "sub",
        ast.Mult: "mul",
        ast.Div: "div",
        ast.FloorDiv: "floor_divide",
        ast.Pow: "pow",
    }
)
_SAME = frozenset({"clone", "contiguous", "cpu", "detach", "numpy"})
_CASTS: Mapping[str, str] = MappingProxyType({"int": "int64", "long": "int64", "float": "float32", "double": "float64"})
