"""Implicit conversions of values.

Owns `fit`, the type a value has once it was converted towards the type that is wanted, and `inserted`, what the
compiler writes for that. `fit` extends the conversion of types by what only a value shows: that it, or an element of a
tuple display, is a literal `[]`.
Invariant: the caller asks afterwards whether the result is a subtype of what is wanted.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ts_lsp.semantic.facts import Conversion
from ts_lsp.semantic.sugared import Simple
from ts_lsp.types.matching import convert
from ts_lsp.types.model import (
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    STR,
    TENSOR,
    ListType,
    OptionalType,
    TupleType,
    Type,
)
from ts_lsp.types.relations import parts

_CASTS: Mapping[Type, str] = {FLOAT: "aten::Float", COMPLEX: "aten::Complex", INT: "aten::Int"}
_OPERATORS: Mapping[Type, Mapping[Type, str]] = {
    TENSOR: {
        INT: "aten::IntImplicit",
        FLOAT: "aten::FloatImplicit",
        COMPLEX: "aten::ComplexImplicit",
        NUMBER: "aten::ScalarImplicit",
        BOOL: "aten::Bool",
    },
    NUMBER: _CASTS,
    BOOL: _CASTS,
    INT: {BOOL: "aten::Bool"},
    FLOAT: {BOOL: "aten::Bool"},
    STR: {DEVICE: "aten::device"},
}


def fit(value: Simple, wanted: Type, conversions: bool = True) -> Type:
    """The type of `value` converted towards `wanted`; its own where nothing applies."""
    target = wanted
    if isinstance(target, OptionalType) and not isinstance(value.type, OptionalType) and value.type != NONE:
        target = target.element
    if isinstance(target, TupleType) and value.parts and len(value.parts) == len(target.elements):
        pairs = zip(value.parts, target.elements, strict=True)
        return TupleType(tuple(fit(part, element, conversions) for part, element in pairs))
    return convert(value.type, wanted, conversions, value.empty_list)


def operator(before: Type, after: Type) -> str | None:
    """The operator that makes one type of the other; None where none is needed, or more than an operator."""
    if isinstance(after, ListType):
        return "prim::ListConstruct" if before == after.element else None
    return _OPERATORS.get(before, {}).get(after)


def inserted(node: ast.AST, before: Type, after: Type) -> Iterator[Conversion]:
    """What the compiler puts around the expression, or around the elements of a tuple that is written out."""
    if before is after:
        return
    if operator(before, after) is not None:
        yield Conversion(node, before, after)
        return
    inside = parts(before), parts(after)
    if isinstance(node, ast.Tuple) and isinstance(after, TupleType) and len(node.elts) == len(inside[0]):
        for each, mine, wanted in zip(node.elts, *inside, strict=True):
            yield from inserted(each, mine, wanted)
