"""Fitting one actual value to one formal parameter: type variables and implicit conversions.

Owns what the schema matcher does with types before it asks for the subtype relation; choosing among schemas and
pairing arguments with parameters is the caller's.
Invariant: nothing here decides that a call fits; `convert` only says which type a value has once the compiler's
conversions are applied.
"""

from __future__ import annotations

from collections.abc import MutableMapping

from ts_lsp.types.display import annotation_form
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
    UNKNOWN,
    AwaitType,
    DictType,
    FutureType,
    ListType,
    NamedTupleType,
    OptionalType,
    RRefType,
    SimpleType,
    TupleType,
    Type,
    TypeVariable,
    UnionType,
    UnknownType,
)
from ts_lsp.types.relations import (
    UnificationFailure,
    equal,
    is_subtype,
    make_optional,
    make_union,
    parts,
    unify,
    unify_list,
)
from ts_lsp.weakcache import cached_weakly

Bindings = MutableMapping[str, Type]


def has_type_variables(t: Type) -> bool:
    return not isinstance(t, SimpleType) and _has_type_variables(t)


@cached_weakly
def _has_type_variables(t: Type) -> bool:
    return isinstance(t, TypeVariable) or any(map(has_type_variables, parts(t)))


def match_type_variables(formal: Type, actual: Type, bindings: Bindings) -> str | None:
    """Binds the variables of `formal` from `actual`; the reason where that fails, else None.

    The first use of a variable binds it. A later one must unify with the binding, which stays as it is.
    """
    if not has_type_variables(formal):
        return None
    if isinstance(formal, TypeVariable):
        return _match_variable(formal, actual, bindings)
    if isinstance(actual, UnknownType):
        _bind_unknown(formal, bindings)
        return None
    if isinstance(formal, ListType):
        return _match_list(formal, actual, bindings)
    if isinstance(formal, OptionalType):
        return _match_optional(formal, actual, bindings)
    if isinstance(formal, TupleType):
        return _match_tuple(formal, actual, bindings)
    return _match_constructor(formal, actual, bindings)


def _match_variable(formal: TypeVariable, actual: Type, bindings: Bindings) -> str | None:
    bound = bindings.get(formal.name)
    if bound is None:
        bindings[formal.name] = actual
    elif unify(bound, actual) is None:
        return (
            f"Type variable '{formal.name}' previously matched to type {annotation_form(bound)} "
            f"is matched to type {annotation_form(actual)}"
        )
    return None


def _bind_unknown(formal: Type, bindings: Bindings) -> None:
    """Nothing is known of the actual: variables that have no binding yet become unknown."""
    if isinstance(formal, TypeVariable):
        bindings.setdefault(formal.name, UNKNOWN)
    for part in parts(formal):
        _bind_unknown(part, bindings)


def _match_list(formal: ListType, actual: Type, bindings: Bindings) -> str | None:
    if isinstance(actual, ListType):
        return match_type_variables(formal.element, actual.element, bindings)
    if isinstance(actual, (TupleType, NamedTupleType)):
        unified = unify_list(actual.elements)
        if unified is not None and not isinstance(unified, UnificationFailure):
            return match_type_variables(formal.element, unified, bindings)
    return f"Cannot match {annotation_form(formal)} to {annotation_form(actual)}"


def _match_optional(formal: OptionalType, actual: Type, bindings: Bindings) -> str | None:
    if isinstance(actual, OptionalType):
        return match_type_variables(formal.element, actual.element, bindings)
    if actual == NONE:
        return None
    return match_type_variables(formal.element, actual, bindings)


def _match_tuple(formal: TupleType, actual: Type, bindings: Bindings) -> str | None:
    if not isinstance(actual, (TupleType, NamedTupleType)):
        return f"Cannot match a tuple to {annotation_form(actual)}"
    if len(formal.elements) != len(actual.elements):
        return "Cannot match tuples of mismatched size"
    return _match_each(formal.elements, actual.elements, bindings)


_ARTICLES: dict[type[Type], str] = {
    DictType: "a dict",
    FutureType: "a future",
    AwaitType: "an await",
    RRefType: "a rref",
}


def _match_constructor(formal: Type, actual: Type, bindings: Bindings) -> str | None:
    if type(actual) is not type(formal):
        return f"Cannot match {_ARTICLES.get(type(formal), annotation_form(formal))} to {annotation_form(actual)}"
    return _match_each(parts(formal), parts(actual), bindings)


def _match_each(formals: tuple[Type, ...], actuals: tuple[Type, ...], bindings: Bindings) -> str | None:
    for formal, actual in zip(formals, actuals, strict=True):
        reason = match_type_variables(formal, actual, bindings)
        if reason is not None:
            return reason
    return None


def substitute(t: Type, bindings: MutableMapping[str, Type]) -> Type | None:
    """The type with its variables replaced; None where one has no binding."""
    if not has_type_variables(t):
        return t
    if isinstance(t, TypeVariable):
        return bindings.get(t.name)
    inside: list[Type] = []
    for part in parts(t):
        replaced = substitute(part, bindings)
        if replaced is None:
            return None
        inside.append(replaced)
    return _rebuilt(t, tuple(inside))


def _rebuilt(t: Type, inside: tuple[Type, ...]) -> Type:
    """The same constructor around other parts."""
    if isinstance(t, ListType):
        return ListType(inside[0])
    if isinstance(t, OptionalType):
        return NONE if inside[0] == NONE else make_optional(inside[0])
    if isinstance(t, DictType):
        return DictType(*inside)
    if isinstance(t, TupleType):
        return TupleType(inside, t.names)
    if isinstance(t, UnionType):
        return make_union(inside)
    if isinstance(t, FutureType):
        return FutureType(inside[0])
    return RRefType(inside[0]) if isinstance(t, RRefType) else AwaitType(inside[0])


# Conversions


def broadcast_list(actual: Type, formal: Type, size: int | None) -> bool:
    """Whether a single number stands for a list of fixed size: an int for `int[N]`, a float for `float[N]`."""
    inner = formal.element if isinstance(formal, OptionalType) else formal
    return size is not None and isinstance(inner, ListType) and actual in (INT, FLOAT) and inner.element == actual


def convert(actual: Type, formal: Type, allow_conversions: bool, is_empty_list_literal: bool = False) -> Type:
    """The type of a value once it has been converted towards `formal`; the actual type where nothing applies.

    A literal `[]` becomes any list, a tuple becomes a list or a tuple of converted elements; numbers, tensors and
    strings only convert where `allow_conversions` says so. The caller then asks whether the result fits.
    """
    if isinstance(formal, OptionalType) and not isinstance(actual, OptionalType) and actual != NONE:
        return convert(actual, formal.element, allow_conversions, is_empty_list_literal)
    if isinstance(formal, ListType):
        if is_empty_list_literal and isinstance(actual, ListType):
            return formal
        if isinstance(actual, (TupleType, NamedTupleType)) and _fits_list(actual, formal):
            return formal
    if isinstance(formal, (TupleType, NamedTupleType)) and isinstance(actual, (TupleType, NamedTupleType)):
        return _convert_tuple(actual, formal, allow_conversions)
    return _convert_scalar(actual, formal) if allow_conversions else actual


def _fits_list(actual: TupleType | NamedTupleType, formal: ListType) -> bool:
    return all(is_subtype(element, formal.element) for element in actual.elements)


def _convert_tuple(
    actual: TupleType | NamedTupleType, formal: TupleType | NamedTupleType, allow_conversions: bool
) -> Type:
    """An elementwise conversion, which leaves a plain tuple; nothing where the tuple fits as it is."""
    if len(actual.elements) != len(formal.elements) or is_subtype(actual, formal):
        return actual
    pairs = zip(actual.elements, formal.elements, strict=True)
    return TupleType(tuple(convert(mine, wanted, allow_conversions) for mine, wanted in pairs))


_IMPLICIT: dict[Type, tuple[Type, ...]] = {
    TENSOR: (INT, FLOAT, COMPLEX, NUMBER),
    NUMBER: (INT, FLOAT, COMPLEX),
    BOOL: (INT, FLOAT, NUMBER),
    STR: (DEVICE,),
}


def _convert_scalar(actual: Type, formal: Type) -> Type:
    """What the compiler inserts a conversion for; a bool becomes a number by way of int."""
    source, target = _plain_number(actual), _plain_number(formal)
    if target not in _IMPLICIT.get(source, ()):
        return actual
    return INT if source == BOOL and target == NUMBER else target


def _plain_number(t: Type) -> Type:
    """`number` for the union of all numbers, which equals it."""
    return NUMBER if isinstance(t, UnionType) and equal(t, NUMBER) else t
