"""Schemas: the signature of an operator, function or method as the matcher and people see it.

Owns `Schema` and `Argument`. Invariant: a schema is immutable and knows nothing of where it came from.
"""

from __future__ import annotations

from typing import Union

from ts_lsp.records import dataclass
from ts_lsp.types.model import Type

DefaultValue = Union[None, bool, int, float, complex, str, tuple["DefaultValue", ...]]


@dataclass(frozen=True, slots=True)
class Default:
    """A default as its Python value; `opaque` when only its presence is known (a device, an enum member, a tensor).

    `type` is set for one that must still fit the parameter when a call needs it.
    """

    value: DefaultValue = None
    opaque: bool = False
    type: Type | None = None


@dataclass(frozen=True, slots=True)
class Argument:
    """One formal parameter.

    `list_size` is the N of `int[N]` (a single int fits and is repeated N times). `printed` keeps how a schema writes
    the type when that differs from the type itself (`ScalarType`, `SymInt`, `Layout`, `MemoryFormat` are all int).
    """

    name: str
    type: Type
    default: Default | None = None
    keyword_only: bool = False
    list_size: int | None = None
    printed: str | None = None
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class Schema:
    """An operator's or function's signature. `name` is qualified for operators (`aten::add`)."""

    name: str
    overload: str
    arguments: tuple[Argument, ...]
    returns: tuple[Argument, ...]
    is_vararg: bool = False
    is_varret: bool = False
