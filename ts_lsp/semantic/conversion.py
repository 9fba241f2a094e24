"""Implicit conversions of values.

Owns `fit`, the type a value has once it was converted towards the type that is wanted. It extends the conversion of
types by what only a value shows: that it, or an element of a tuple display, is a literal `[]`.
Invariant: the caller asks afterwards whether the result is a subtype of what is wanted.
"""

from __future__ import annotations

from ts_lsp.semantic.sugared import Simple
from ts_lsp.types.matching import convert
from ts_lsp.types.model import NONE, OptionalType, TupleType, Type


def fit(value: Simple, wanted: Type, conversions: bool = True) -> Type:
    """The type of `value` converted towards `wanted`; its own where nothing applies."""
    target = wanted
    if isinstance(target, OptionalType) and not isinstance(value.type, OptionalType) and value.type != NONE:
        target = target.element
    if isinstance(target, TupleType) and value.parts and len(value.parts) == len(target.elements):
        pairs = zip(value.parts, target.elements, strict=True)
        return TupleType(tuple(fit(part, element, conversions) for part, element in pairs))
    return convert(value.type, wanted, conversions, value.empty_list)
