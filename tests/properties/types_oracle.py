"""The real compiler's types beside ours: atoms compiled once, composed on both sides by the same recipe."""

from __future__ import annotations

import importlib.util
import os
import sys
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType
from typing import Any

import pytest

from ts_lsp.types import model
from ts_lsp.types.model import Type
from ts_lsp.types.relations import DegenerateUnion, make_optional, make_union
from ts_lsp.types.schema import Argument, Schema

if os.environ.get("CI"):
    import torch
else:
    torch = pytest.importorskip("torch")

MODULE = "types_oracle_program"

PROGRAM = textwrap.dedent(
    """
    from __future__ import annotations
    import enum
    from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union
    import torch
    from torch import Tensor

    class Red(enum.Enum):
        A = 1

    class Blue(enum.Enum):
        A = "a"

    class C:
        def __init__(self):
            self.x = 1

        def f(self, x: Optional[int]) -> int:
            return 1

        def g(self, t: Tensor) -> Tensor:
            return t

    class D:
        def __init__(self):
            self.x = 1

        def f(self, y: int) -> int:
            return y

    @torch.jit.interface
    class Narrow:
        def f(self, x: int) -> Optional[int]:
            pass

    @torch.jit.interface
    class Wide:
        def f(self, x: int) -> Optional[int]:
            pass

        def g(self, t: Tensor) -> Tensor:
            pass

    @torch.jit.interface
    class Exact:
        def f(self, y: int) -> int:
            pass

    class P(NamedTuple):
        a: int
        b: str

    class Q(NamedTuple):
        a: int
        b: str = "b"

    class R(NamedTuple):
        a: Optional[int]
        b: str

    class S(NamedTuple):
        c: int
        d: str

    def atoms(Red: Red, Blue: Blue, C: C, D: D, Narrow: Narrow, Wide: Wide, Exact: Exact, P: P, Q: Q, R: R, S: S,
              number: Union[int, float, complex], list: list, tuple: tuple, Device: torch.device,
              Generator: torch.Generator, Stream: torch.Stream, Inferred):
        return 1
    """
)


@cache
def program() -> ModuleType:
    """The program of atoms as an imported module with a source file, which the compiler needs."""
    path = Path(mkdtemp()) / f"{MODULE}.py"
    path.write_text(PROGRAM)
    spec = importlib.util.spec_from_file_location(MODULE, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Methods:
    """The methods of one class as subtyping wants them."""

    schemas: tuple[Schema, ...]

    def method_schemas(self) -> Mapping[str, Schema]:
        return {schema.name: schema for schema in self.schemas}


def method(name: str, result: Type, **parameters: Type) -> Schema:
    arguments = (Argument("self", model.ANY), *(Argument(key, value) for key, value in parameters.items()))
    return Schema(name, "", arguments, (Argument("", result),))


OPTIONAL_INT = make_optional(model.INT)
_IN_G = method("g", model.TENSOR, t=model.TENSOR)
_NARROW_F = method("f", OPTIONAL_INT, x=model.INT)


def _qualified(name: str) -> str:
    return f"__torch__.{MODULE}.{name}"


ATOMS: dict[str, Type] = {
    **{t.name: t for t in (model.INT, model.FLOAT, model.COMPLEX, model.BOOL, model.STR, model.NONE, model.TENSOR)},
    **{t.name: t for t in (model.ANY, model.NUMBER, model.DEVICE, model.GENERATOR, model.STREAM)},
    "Inferred": model.INFERRED_TENSOR,
    "list": model.ANY_LIST,
    "tuple": model.ANY_TUPLE,
    "Red": model.EnumType(_qualified("Red"), model.INT, ("A",)),
    "Blue": model.EnumType(_qualified("Blue"), model.STR, ("A",)),
    "C": model.ClassType(_qualified("C"), Methods((method("f", model.INT, x=OPTIONAL_INT), _IN_G))),
    "D": model.ClassType(_qualified("D"), Methods((method("f", model.INT, y=model.INT),))),
    "Narrow": model.InterfaceType(_qualified("Narrow"), Methods((_NARROW_F,))),
    "Wide": model.InterfaceType(_qualified("Wide"), Methods((_NARROW_F, _IN_G))),
    "Exact": model.InterfaceType(_qualified("Exact"), Methods((method("f", model.INT, y=model.INT),))),
    "P": model.NamedTupleType(_qualified("P"), ("a", "b"), (model.INT, model.STR)),
    "Q": model.NamedTupleType(_qualified("Q"), ("a", "b"), (model.INT, model.STR), 1),
    "R": model.NamedTupleType(_qualified("R"), ("a", "b"), (OPTIONAL_INT, model.STR)),
    "S": model.NamedTupleType(_qualified("S"), ("c", "d"), (model.INT, model.STR)),
}


@cache
def compiler_atoms() -> dict[str, Any]:
    c = torch._C
    compiled = torch.jit.script(program().atoms)
    named = {argument.name: argument.type for argument in compiled.schema.arguments}
    simple = (c.IntType, c.FloatType, c.ComplexType, c.BoolType, c.StringType, c.NoneType, c.TensorType, c.AnyType)
    names = ("int", "float", "complex", "bool", "str", "NoneType", "Tensor", "Any")
    return {**named, **{name: kind.get() for name, kind in zip(names, simple, strict=True)}}


Recipe = tuple[Any, ...]
"""A type to build: ("int",) or ("List", recipe) or ("Union", recipe, ...)."""

_OURS: dict[str, Callable[..., Type]] = {
    "List": model.ListType,
    "Dict": model.DictType,
    "Future": model.FutureType,
    "RRef": model.RRefType,
    "Await": model.AwaitType,
    "Optional": make_optional,
    "Union": lambda *inside: make_union(inside),
    "Tuple": lambda *inside: model.TupleType(inside),
}


def ours(recipe: Recipe) -> Type | None:
    """The recipe as one of our types; None where it has no type."""
    head, *rest = recipe
    if head in ATOMS:
        return ATOMS[head]
    inside = [ours(part) for part in rest]
    try:
        return None if None in inside else _OURS[head](*inside)
    except DegenerateUnion:
        return None


def theirs(recipe: Recipe) -> Any:
    """The recipe as one of the compiler's types; None where it refuses."""
    head, *rest = recipe
    if head in ATOMS:
        return compiler_atoms()[head]
    inside = [theirs(part) for part in rest]
    if any(part is None for part in inside):
        return None
    build = getattr(torch._C, f"{head}Type")
    try:
        return build(inside) if head in ("Tuple", "Union") else build(*inside)
    except RuntimeError:
        return None
