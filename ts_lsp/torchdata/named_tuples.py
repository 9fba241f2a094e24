"""Gives named tuples their fields back: a schema's text names them like classes.

Invariant: a type that holds no name of a known named tuple stays the object it is.
"""

from __future__ import annotations

from collections.abc import Callable

from ts_lsp.records import fields, replace
from ts_lsp.types.model import ClassType, NamedTupleType, Type
from ts_lsp.types.schema import Argument, Schema

Lookup = Callable[[str], NamedTupleType | None]


def named_tuple(qualname: str, constructor: Schema) -> NamedTupleType:
    """The type whose values the constructor makes."""
    arguments = constructor.arguments
    defaults = tuple(argument.type for argument in arguments if argument.default is not None)
    names = tuple(argument.name for argument in arguments)
    return NamedTupleType(qualname, names, tuple(argument.type for argument in arguments), defaults)


def with_named_tuples(schema: Schema, lookup: Lookup) -> Schema:
    """The schema where `lookup` says which qualified names are named tuples."""
    arguments = tuple(_argument(argument, lookup) for argument in schema.arguments)
    return replace(schema, arguments=arguments, returns=tuple(_argument(each, lookup) for each in schema.returns))


def _argument(argument: Argument, lookup: Lookup) -> Argument:
    found = _resolved(argument.type, lookup)
    return argument if found is argument.type else replace(argument, type=found)


def _resolved(of: Type, lookup: Lookup) -> Type:
    if isinstance(of, ClassType):
        return lookup(of.qualname) or of
    changed: dict[str, object] = {}
    for part in fields(of):  # type: ignore[arg-type]  # every type is a dataclass, their common base is not
        value = getattr(of, part.name)
        if isinstance(value, Type):
            new: object = _resolved(value, lookup)
        elif isinstance(value, tuple):
            new = tuple(_resolved(each, lookup) if isinstance(each, Type) else each for each in value)
        else:
            continue
        if new != value:
            changed[part.name] = new
    return replace(of, **changed) if changed else of  # type: ignore[type-var]
