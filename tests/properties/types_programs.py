"""Annotation texts over a small namespace, and functions of them given to the compiler."""

from __future__ import annotations
import __future__

import ast
import builtins
import itertools
import linecache
import types
import typing
from typing import Any

from tests.properties.types_oracle import ATOMS, program, torch
from ts_lsp.types import model
from ts_lsp.types.annotations import (
    AppliedDenotation,
    Denotation,
    GenericDenotation,
    NotAType,
    TypeDenotation,
)

NAMESPACE_SOURCE = """
from __future__ import annotations
import enum, typing, numpy
import typing as ty
import torch
from torch import Tensor
from typing import *
from torch.jit import Future
from torch._jit_internal import _Await, RRef

class Mod(torch.nn.Module):
    pass

OptionalAlias = Optional[int]
UnionAlias = Union[int, str]
PipeAlias = int | None
ListAlias = List[int]
BuiltinListAlias = list[Tensor]
EllipsisAlias = Tuple[int, ...]
StringAlias = "int"
NumberAlias = Union[int, float, complex]
NestedAlias = Optional[Union[List[int], str]]
NewAlias = NewType("NewAlias", int)
Variable = TypeVar("Variable")
Pair = Tuple[int, Tensor]
nothing = None
three = 3
"""


def _namespace() -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": program().__name__}
    exec(NAMESPACE_SOURCE, space)
    space.update({name: value for name, value in vars(program()).items() if name in ATOMS})
    return space


SPACE = _namespace()
_SIMPLE: list[tuple[Any, model.Type]] = [
    (int, model.INT),
    (float, model.FLOAT),
    (complex, model.COMPLEX),
    (bool, model.BOOL),
    (str, model.STR),
    (type(None), model.NONE),
    (Any, model.ANY),
    (torch.Tensor, model.TENSOR),
    (torch.device, model.DEVICE),
    (torch.dtype, model.INT),
    (torch.Generator, model.GENERATOR),
    *((SPACE[name], ATOMS[name]) for name in ("Red", "Blue", "C", "D", "Narrow")),
]
_GENERICS = {
    typing.List: "List",  # noqa: UP006
    typing.Dict: "Dict",  # noqa: UP006
    typing.Tuple: "Tuple",  # noqa: UP006
    typing.Optional: "Optional",
    typing.Union: "Union",
    list: "list",
    dict: "dict",
    tuple: "tuple",
    SPACE["Future"]: "Future",
    SPACE["RRef"]: "RRef",
    SPACE["_Await"]: "Await",
}


def denote(value: object) -> Denotation:
    """A live Python object as the values layer would describe it."""
    if value is None:
        return TypeDenotation(model.NONE)
    for known, t in _SIMPLE:
        if value is known:
            return TypeDenotation(t, identity="dtype" if value is torch.dtype else "")
    for name in ("P", "Q"):
        if value is SPACE[name]:
            return TypeDenotation(ATOMS[name], by_name_only=True)
    if value is torch.LongTensor:
        return TypeDenotation(model.TENSOR, identity="LongTensor")
    if isinstance(value, type | typing._SpecialForm | type(typing.List)) and value in _GENERICS:  # noqa: UP006
        return GenericDenotation(_GENERICS[value])
    origin = typing.get_origin(value)
    if isinstance(value, types.UnionType):
        return AppliedDenotation("Union", tuple(map(denote, typing.get_args(value))))
    if origin in (list, dict, tuple):
        spelling = origin.__name__ if isinstance(value, types.GenericAlias) else origin.__name__.title()
        return AppliedDenotation(spelling, tuple(map(denote, typing.get_args(value))))
    if origin is not None and origin in _GENERICS:
        return AppliedDenotation(_GENERICS[origin], tuple(map(denote, typing.get_args(value))))
    return NotAType(repr(value))


class LiveNames:
    """The names of the test's namespace, looked up as the compiler's resolver does."""

    def evaluates(self, written: ast.expr | str) -> bool:
        return True

    def denotation(self, dotted: str) -> Denotation | None:
        base, *rest = dotted.split(".")
        value = SPACE.get(base, getattr(typing, base, getattr(builtins, base, None)))
        for name in rest:
            value = getattr(value, name, None)
        return None if value is None else denote(value)


NAMES = LiveNames()
_numbers = itertools.count()


def define(body: str) -> Any:
    """The function `f` of a text, with the lines where the compiler looks for them."""
    path = f"<annotations {next(_numbers)}>.py"
    linecache.cache[path] = (len(body), None, body.splitlines(keepends=True), path)
    space: dict[str, Any] = {}
    exec(compile(body, path, "exec", flags=__future__.annotations.compiler_flag, dont_inherit=True), SPACE, space)
    return space["f"]


def evaluate(text: str) -> object:
    """The object a text stands for in the namespace."""
    return eval(text, {**vars(typing), **SPACE})
