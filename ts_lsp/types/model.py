"""The TorchScript types as values.

Owns one frozen dataclass per kind of type; two types are equal when their fields are (the compiler's `==` is
`relations.equal`, which also knows that `number` equals the union of its members).
Invariant: `OptionalType` and `UnionType` are only built through `relations.make_optional` / `make_union`, so they are
always in the compiler's normal form; `Unknown` stands for "the source does not say" and is never printed as a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from ts_lsp.records import dataclass, field

if TYPE_CHECKING:
    from ts_lsp.types.schema import Schema


class Type:
    """Base of every type."""

    __slots__ = ("__weakref__",)


@dataclass(frozen=True, slots=True)
class SimpleType(Type):
    """A type without parameters: `int`, `Tensor`, `NoneType`, `Any`, `number`, `list` (unknown content) and so on.

    `inferred` marks a Tensor that stands there because nothing was annotated; it takes no part in equality.
    """

    name: str
    inferred: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class ListType(Type):
    element: Type


@dataclass(frozen=True, slots=True)
class DictType(Type):
    key: Type
    value: Type


@dataclass(frozen=True, slots=True)
class OptionalType(Type):
    element: Type


@dataclass(frozen=True, slots=True)
class UnionType(Type):
    members: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class TupleType(Type):
    """A plain tuple.

    `names` are the field names of the anonymous named tuples that multi-result operators give; they take no part in
    equality.
    """

    elements: tuple[Type, ...]
    names: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class NamedTupleType(Type):
    """A NamedTuple class; `defaults` are the types of the trailing fields' defaults."""

    qualname: str
    fields: tuple[str, ...]
    elements: tuple[Type, ...]
    defaults: tuple[Type, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class FutureType(Type):
    element: Type


@dataclass(frozen=True, slots=True)
class RRefType(Type):
    element: Type


@dataclass(frozen=True, slots=True)
class AwaitType(Type):
    element: Type


class MethodTable(Protocol):
    """What subtyping must know of a class or interface."""

    def method_schemas(self) -> Mapping[str, Schema]: ...


@dataclass(frozen=True, slots=True)
class ClassType(Type):
    """A TorchScript class, known by its qualified name; `definition` is the compiled class behind it."""

    qualname: str
    definition: MethodTable | None = field(default=None, compare=False, repr=False)
    is_module: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class InterfaceType(Type):
    qualname: str
    definition: MethodTable | None = field(default=None, compare=False, repr=False)
    is_module: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class EnumType(Type):
    qualname: str
    value: Type = field(compare=False)
    members: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class FunctionType(Type):
    qualname: str


@dataclass(frozen=True, slots=True)
class TypeVariable(Type):
    """A type variable of an operator schema: `t`, `tVal`."""

    name: str


@dataclass(frozen=True, slots=True)
class UnknownType(Type):
    """What the source does not show. Fits everywhere, and silences what follows from it."""


INT = SimpleType("int")
FLOAT = SimpleType("float")
COMPLEX = SimpleType("complex")
BOOL = SimpleType("bool")
STR = SimpleType("str")
NONE = SimpleType("NoneType")
TENSOR = SimpleType("Tensor")
INFERRED_TENSOR = SimpleType("Tensor", inferred=True)
ANY = SimpleType("Any")
NUMBER = SimpleType("number")
DEVICE = SimpleType("Device")
GENERATOR = SimpleType("Generator")
STREAM = SimpleType("Stream")
STORAGE = SimpleType("Storage")
CAPSULE = SimpleType("Capsule")
QSCHEME = SimpleType("QScheme")
ANY_LIST = SimpleType("list")
ANY_TUPLE = SimpleType("tuple")
ANY_CLASS = SimpleType("AnyClassType")
ANY_ENUM = SimpleType("AnyEnumType")
UNKNOWN = UnknownType()
