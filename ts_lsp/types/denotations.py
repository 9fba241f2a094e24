"""What a dotted name means to the annotation reader.

Owns the vocabulary between annotations and the layer that knows Python values. Invariant: a denotation describes a
Python object only as far as the compiler's reading of types asks.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Protocol

from ts_lsp.records import dataclass, field
from ts_lsp.types.model import Type


class Denotation:
    """Base of every denotation."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TypeDenotation(Denotation):
    """A Python object that is a type for the compiler: `int`, `torch.Tensor`, an enum, a script class, `type(None)`.

    `by_name_only` marks a NamedTuple with a field written as a string (or under the future import): the compiler can
    resolve such fields only where the annotation names the tuple itself, not inside an evaluated `List[...]`.
    `identity` tells apart objects that mean one type (`torch.dtype` beside `int`), because the unions of Python drop
    only what is the same object.
    """

    type: Type
    by_name_only: bool = False
    identity: str = ""


@dataclass(frozen=True, slots=True)
class GenericDenotation(Denotation):
    """A generic without arguments, by its spelling.

    `List`, `Dict`, `Tuple`, `Optional`, `Union` (of typing), `Future`, `RRef`, `Await` (of torch), or the builtins
    `list`, `dict`, `tuple`. Every other generic is `NotAType`.
    """

    name: str


@dataclass(frozen=True, slots=True)
class AppliedDenotation(Denotation):
    """A generic with its arguments, as an alias holds it; `int | None` is a `Union`, `Tuple[()]` has no arguments."""

    name: str
    arguments: tuple[Denotation, ...]


@dataclass(frozen=True, slots=True)
class NotAType(Denotation):
    """Exists, but is no type: a module, `3`, an nn.Module class, `np.ndarray`, a type variable, a string alias."""

    description: str = ""


@dataclass(frozen=True, slots=True)
class RefusedDenotation(Denotation):
    """Meant as a type, but the compiler stops at it: an enum of mixed values, a NamedTuple with a bad field."""

    code: str
    data: Mapping[str, object] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class UnknownDenotation(Denotation):
    """The source does not say."""


class Names(Protocol):
    """The names that an annotation sees: the function's closure and globals, then `typing`, then the builtins."""

    def denotation(self, dotted: str) -> Denotation | None:
        """What `dotted` means; None where it is undefined or its value is None."""

    def evaluates(self, written: ast.expr | str) -> bool:
        """Whether this part of an annotation (or text in quotes) is looked up as what Python makes of it."""
