"""Tensors in a run: how many dimensions they have where that shows, and what their attributes and methods give.

Owns `tensor_attribute`, `call_tensor_method` and `sized_result`. Invariant: a tensor of a run has no content; of its
sizes only the number is relied on, and where that is not known the shape is one of any length.
"""

from __future__ import annotations

from ts_lsp.values.calls import Arguments
from ts_lsp.values.model import (
    BuiltinValue,
    ConstantValue,
    InstanceValue,
    SequenceValue,
    TorchValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.naming import name_set
from ts_lsp.values.running.objects import TENSOR, NativeMethod, shape_of, sized_tensor
from ts_lsp.values.running.operators import iterated
from ts_lsp.values.running.run import Frame

_INT = InstanceValue(BuiltinValue("int"))
_BOOL = InstanceValue(BuiltinValue("bool"))
_PARTS = name_set("data T mT H real imag")
_FIELDS: dict[str, Value] = {
    "device": InstanceValue(TorchValue("torch.device")),
    "dtype": InstanceValue(TorchValue("torch.dtype")),
    "layout": InstanceValue(TorchValue("torch.layout")),
    **dict.fromkeys(("ndim", "itemsize", "nbytes"), _INT),
    **dict.fromkeys(("requires_grad", "is_cuda", "is_sparse", "is_leaf"), _BOOL),
}
_COUNTS = name_set("numel nelement dim ndimension element_size")
_TESTS = name_set("is_contiguous is_floating_point is_complex")
_BY_SIZES = frozenset(f"torch.{name}" for name in ("zeros", "ones", "empty", "rand", "randn"))


def tensor_attribute(value: Value, name: str) -> Value:
    """What `tensor.name` is."""
    if name in _PARTS:
        return InstanceValue(TENSOR)
    if name == "shape":
        return shape_of(value)
    return _FIELDS.get(name) or NativeMethod(value, name)


def sized_result(path: str, arguments: Arguments, frame: Frame) -> Value | None:
    """The tensor that a function makes of sizes; None for other functions, and where the sizes do not show."""
    if path not in _BY_SIZES or not arguments.exact:
        return None
    given = arguments.positional
    if len(given) == 1 and not _is_int(given[0]):
        given = tuple(iterated(given[0], frame) or ())
    if not given or not all(_is_int(each) for each in given):
        return None
    return sized_tensor(TENSOR, given)


def _is_int(value: Value) -> bool:
    return (isinstance(value, ConstantValue) and isinstance(value.value, int)) or (
        isinstance(value, InstanceValue) and value.of == BuiltinValue("int")
    )


def call_tensor_method(receiver: Value, name: str, arguments: Arguments, frame: Frame) -> Value:
    """What calling a method of a tensor gives."""
    if name.endswith("_") and not name.startswith("_"):
        return receiver
    if name in _COUNTS:
        return _INT
    if name in _TESTS:
        return _BOOL
    if name in ("size", "stride"):
        return _INT if arguments.positional or arguments.keywords else shape_of(receiver)
    if name in ("tolist", "item"):
        return UnknownValue(f"numbers of a tensor: {name}")
    if name in ("clone", "detach", "contiguous", "float", "double", "half") and isinstance(receiver, InstanceValue):
        size = dict(receiver.keywords).get("size")
        return sized_tensor(TENSOR, size.elements) if isinstance(size, SequenceValue) else InstanceValue(TENSOR)
    return frame.run.world.tensor_result(name)
