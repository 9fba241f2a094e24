"""How types relate: equality, subtyping, unification, unions and what `isinstance` makes of them.

Owns the compiler's type algebra as pure functions over the dataclasses of `model`.
Invariant: answers equal the compiler's for every pair of known types. A type with unknown parts fits wherever some
choice of those parts would, so nothing that rests on the unknown is ever refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ts_lsp.records import dataclass
from ts_lsp.types.display import schema_form
from ts_lsp.types.model import (
    ANY,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    UNKNOWN,
    AwaitType,
    ClassType,
    DictType,
    EnumType,
    FunctionType,
    FutureType,
    InterfaceType,
    ListType,
    NamedTupleType,
    OptionalType,
    RRefType,
    SimpleType,
    TupleType,
    Type,
    UnionType,
    UnknownType,
)
from ts_lsp.types.schema import Argument
from ts_lsp.weakcache import cached_weakly

NUMBERS: tuple[Type, ...] = (INT, FLOAT, COMPLEX)

Assumed = frozenset[tuple[Type, Type]]
_NOTHING: Assumed = frozenset()


class DegenerateUnion(Exception):
    """A union or optional that comes down to one member; the compiler stops with an internal assertion."""

    def __init__(self, member: Type) -> None:
        super().__init__(schema_form(member))
        self.member = member


def contains_unknown(t: Type) -> bool:
    """Whether any part of the type is unknown."""
    return not isinstance(t, SimpleType) and _contains_unknown(t)


@cached_weakly
def _contains_unknown(t: Type) -> bool:
    return isinstance(t, UnknownType) or any(map(contains_unknown, parts(t)))


def parts(t: Type) -> tuple[Type, ...]:
    """The types a type is made of, in order."""
    if isinstance(t, (ListType, OptionalType, FutureType, RRefType, AwaitType)):
        return (t.element,)
    if isinstance(t, (TupleType, NamedTupleType)):
        return t.elements
    if isinstance(t, DictType):
        return (t.key, t.value)
    if isinstance(t, UnionType):
        return t.members
    return ()


# Equality and subtyping


def equal(a: Type, b: Type) -> bool:
    """The compiler's `==`."""
    if a is b:
        return True
    if isinstance(a, UnknownType) or isinstance(b, UnknownType):
        return True
    if isinstance(a, SimpleType) and isinstance(b, SimpleType):
        return a.name == b.name
    if isinstance(a, UnionType) or isinstance(b, UnionType):
        return _equal_unions(a, b)
    if type(a) is not type(b):
        return False
    if isinstance(a, (TupleType, NamedTupleType)) and isinstance(b, (TupleType, NamedTupleType)):
        return _same_shape(a, b) and all(map(equal, a.elements, b.elements))
    inside = parts(a)
    return all(map(equal, inside, parts(b))) if inside else a == b


def _same_shape(a: TupleType | NamedTupleType, b: TupleType | NamedTupleType) -> bool:
    if len(a.elements) != len(b.elements) or _field_names(a) != _field_names(b):
        return False
    if isinstance(a, NamedTupleType) and isinstance(b, NamedTupleType):
        return a.qualname == b.qualname
    return True


def _field_names(t: TupleType | NamedTupleType) -> tuple[str, ...]:
    return t.fields if isinstance(t, NamedTupleType) else t.names


def _equal_unions(a: Type, b: Type) -> bool:
    if isinstance(a, UnionType) and isinstance(b, UnionType):
        return len(a.members) == len(b.members) and all(
            any(equal(mine, other) for other in b.members) for mine in a.members
        )
    union, other = (a, b) if isinstance(a, UnionType) else (b, a)
    return other == NUMBER and isinstance(union, UnionType) and len(union.members) == 3 and _holds_numbers(union)


def is_subtype(a: Type, b: Type) -> bool:
    """Whether a value of type `a` may stand where a `b` is wanted, without any conversion."""
    return a is b or _subtype(a, b, _NOTHING)


def _subtype(a: Type, b: Type, assumed: Assumed) -> bool:
    if a is b or isinstance(a, UnknownType) or isinstance(b, UnknownType):
        return True
    if isinstance(b, SimpleType):
        return _fits_simple(a, b.name)
    if isinstance(a, UnionType):
        targets = _union_targets(b)
        return all(any(_subtype(member, target, assumed) for target in targets) for member in a.members)
    if isinstance(a, OptionalType):
        return _optional_subtype(a, b, assumed)
    if isinstance(a, SimpleType):
        if a.name == "number" and isinstance(b, UnionType):
            return _holds_numbers(b)
        if a.name == "NoneType" and isinstance(b, OptionalType):
            return True
    return _common_subtype(a, b, assumed) or _structural_subtype(a, b, assumed)


_NUMBER_NAMES = frozenset({"int", "float", "complex"})
_ABSTRACT: dict[str, tuple[type[Type], ...]] = {
    "list": (ListType,),
    "tuple": (TupleType, NamedTupleType),
    "AnyClassType": (ClassType,),
    "AnyEnumType": (EnumType,),
}


def _fits_simple(a: Type, name: str) -> bool:
    """Whether `a` fits a type without parameters; by names, for this is asked most."""
    if name == "Any":
        return True
    if isinstance(a, SimpleType):
        return a.name == name or (name == "number" and a.name in _NUMBER_NAMES)
    if isinstance(a, UnionType):
        return all(_fits_simple(member, name) for member in a.members)
    return isinstance(a, _ABSTRACT.get(name, ()))


def _common_subtype(a: Type, b: Type, assumed: Assumed) -> bool:
    """The rules that hold whatever `a` is."""
    if isinstance(b, OptionalType):
        return _subtype(a, b.element, assumed)
    if isinstance(b, UnionType) and any(_subtype(a, member, assumed) for member in b.members):
        return True
    return equal(a, b)


def _union_targets(b: Type) -> Sequence[Type]:
    """What each member of a union on the left may go to."""
    if isinstance(b, UnionType):
        return b.members
    if isinstance(b, OptionalType):
        return (NONE, *(NUMBERS if b.element == NUMBER else (b.element,)))
    return (b,)


def _optional_subtype(a: OptionalType, b: Type, assumed: Assumed) -> bool:
    if isinstance(b, OptionalType):
        return _subtype(a.element, b.element, assumed)
    if isinstance(b, UnionType):
        if NONE not in b.members:
            return False
        if a.element == NUMBER:
            return _holds_numbers(b)
        return any(_subtype(a.element, member, assumed) for member in b.members)
    return False


def _structural_subtype(a: Type, b: Type, assumed: Assumed) -> bool:
    if isinstance(a, (TupleType, NamedTupleType)):
        return isinstance(b, (TupleType, NamedTupleType)) and _tuple_subtype(a, b, assumed)
    if isinstance(a, FutureType) and isinstance(b, FutureType):
        return _subtype(a.element, b.element, assumed)
    if isinstance(a, AwaitType) and isinstance(b, AwaitType):
        return _subtype(a.element, b.element, assumed)
    return isinstance(b, InterfaceType) and isinstance(a, (ClassType, InterfaceType)) and _implements(a, b, assumed)


def _tuple_subtype(a: TupleType | NamedTupleType, b: TupleType | NamedTupleType, assumed: Assumed) -> bool:
    wanted = _field_names(b)
    if len(a.elements) != len(b.elements) or (wanted and wanted != _field_names(a)):
        return False
    return all(_subtype(mine, other, assumed) for mine, other in zip(a.elements, b.elements, strict=True))


def _implements(a: ClassType | InterfaceType, b: InterfaceType, assumed: Assumed) -> bool:
    """Whether `a` has every method of the interface `b`; a pair met again while it is looked at is taken to hold."""
    if b.is_module and not a.is_module:
        return False
    if a.definition is None or b.definition is None or (a, b) in assumed:
        return True
    offered = a.definition.method_schemas()
    assumed = assumed | {(a, b)}
    for name, wanted in b.definition.method_schemas().items():
        mine = offered.get(name)
        if mine is None:
            return False
        parameters = _arguments_fit(wanted.arguments[1:], mine.arguments[1:], assumed)
        if not parameters or not _arguments_fit(mine.returns, wanted.returns, assumed):
            return False
    return True


def _arguments_fit(given: Sequence[Argument], wanted: Sequence[Argument], assumed: Assumed) -> bool:
    return len(given) == len(wanted) and all(
        mine.name == other.name and _subtype(mine.type, other.type, assumed)
        for mine, other in zip(given, wanted, strict=True)
    )


# Unions


def members(t: Type) -> tuple[Type, ...]:
    """The type as a flat list of alternatives: of a union, of an optional (`None` last), of `number`."""
    if isinstance(t, UnionType):
        return tuple(part for member in t.members for part in members(member))
    if isinstance(t, OptionalType):
        return (*members(t.element), NONE)
    return NUMBERS if t == NUMBER else (t,)


def _holds_numbers(union: UnionType) -> bool:
    return all(any(_subtype(number, member, _NOTHING) for member in union.members) for number in NUMBERS)


# fmt: off
_KIND_ORDER = (
    "Any", "Enum", "Tensor", "Storage", "Tuple", "List", "Dict", "number", "float", "complex", "Future", "Await",
    "RRef", "int", "NoneType", "str", "Generator", "Quantizer", "bool", "Optional", "TypeVariable", "Device",
    "Stream", "Function", "Class", "PyObject", "Capsule", "Interface", "QScheme", "list", "tuple", "AnyEnumType",
    "AnyClassType",
)
# fmt: on
_KINDS: dict[str, int] = {name: index for index, name in enumerate(_KIND_ORDER)}
_KIND_NAMES: dict[type[Type], str] = {
    EnumType: "Enum",
    TupleType: "Tuple",
    NamedTupleType: "Tuple",
    ListType: "List",
    DictType: "Dict",
    FutureType: "Future",
    AwaitType: "Await",
    RRefType: "RRef",
    OptionalType: "Optional",
    FunctionType: "Function",
    ClassType: "Class",
    InterfaceType: "Interface",
}


def _order(t: Type) -> tuple[int, str]:
    name = t.name if isinstance(t, SimpleType) else _KIND_NAMES.get(type(t), "TypeVariable")
    return _KINDS.get(name, len(_KINDS)), schema_form(t)


def _normal_members(types: Iterable[Type]) -> list[Type]:
    """The flat, merged and sorted members of a union.

    Merging goes from the last member leftwards; when one merges into an earlier one, the last that is left takes its
    place. The order matters, for unification is not associative.
    """
    flat = [member for t in types for member in members(t)]
    end = len(flat) - 1
    for i in range(end, 0, -1):
        for j in range(min(i - 1, end), -1, -1):
            merged = _merged(flat[i], flat[j])
            if merged is not None:
                flat[j] = merged
                flat[i] = flat[end]
                end -= 1
                break
    return sorted(flat[: end + 1], key=_order)


def _merged(a: Type, b: Type) -> Type | None:
    if is_subtype(a, NONE) != is_subtype(b, NONE):
        return None
    return unify(a, b)


def make_union(types: Iterable[Type]) -> Type:
    """`Union[...]` of the given types in the compiler's normal form; may come out as an Optional.

    Raises `DegenerateUnion` where one member is left. With an unknown member the union is unknown.
    """
    given = tuple(types)
    if UNKNOWN in given:
        return UNKNOWN
    normal = _normal_members(given)
    if len(normal) == 1:
        raise DegenerateUnion(normal[0])
    if NONE in normal:
        others = [member for member in normal if member != NONE]
        if len(others) == 3 and all(number in others for number in NUMBERS):
            return OptionalType(NUMBER)
        if len(others) == 1:
            return make_optional(others[0])
    return UnionType(tuple(normal))


def make_optional(t: Type) -> Type:
    """`Optional[t]`; raises `DegenerateUnion` for None.

    A union keeps its shape inside. An optional stays itself, but for that of `number`, which comes out as an optional
    of the union of the number types.
    """
    if isinstance(t, OptionalType):
        return OptionalType(make_union(NUMBERS)) if t.element == NUMBER else t
    if t == NONE:
        raise DegenerateUnion(NONE)
    if not isinstance(t, UnionType):
        return OptionalType(t)
    others = [member for member in _normal_members((t, NONE)) if not is_subtype(member, NONE)]
    if len(others) == 1:
        return OptionalType(others[0])
    if len(t.members) == 3 and _holds_numbers(t):
        return OptionalType(NUMBER)
    return OptionalType(make_union(others))


def holds_none(t: Type) -> bool:
    """Whether the type names None as an alternative (`Any` does not)."""
    return t == NONE or isinstance(t, OptionalType) or (isinstance(t, UnionType) and NONE in t.members)


def without_none(t: Type) -> Type:
    """The type after a test against None: an optional's element, a union less its None, else the type itself."""
    if isinstance(t, OptionalType):
        return t.element
    if isinstance(t, UnionType) and NONE in t.members:
        rest = subtract(t, (NONE,))
        return t if rest is None else rest
    return t


def subtract(t: Type, types: Iterable[Type]) -> Type | None:
    """What is left of `t` when its members that fit one of `types` are gone; None when nothing is."""
    gone = tuple(types)
    rest = [member for member in members(t) if not any(is_subtype(member, other) for other in gone)]
    if not rest:
        return None
    return rest[0] if len(rest) == 1 else make_union(rest)


# Unification


def unify(a: Type, b: Type, union: bool = False, hint: Type | None = None) -> Type | None:
    """The type that stands for both; None where there is none. With `union` a union is the last resort."""
    try:
        result = _unify(a, b, union, hint)
        return make_union((a, b)) if result is None and union else result
    except DegenerateUnion:
        return None


def _unify(a: Type, b: Type, union: bool, hint: Type | None) -> Type | None:
    if a is b:
        return b
    if isinstance(a, UnknownType) or isinstance(b, UnknownType):
        return UNKNOWN
    if is_subtype(a, b):
        return a if contains_unknown(b) and is_subtype(b, a) else b
    if is_subtype(b, a):
        return a
    if a == NONE:
        return make_optional(b)
    if b == NONE:
        return make_optional(a)
    inside = _unify_inside(a, b, union)
    if inside is None and hint is not None and is_subtype(a, hint) and is_subtype(b, hint):
        return hint
    return inside


def _unify_inside(a: Type, b: Type, union: bool) -> Type | None:
    if isinstance(a, OptionalType) or isinstance(b, OptionalType):
        optional, other = (a, b) if isinstance(a, OptionalType) else (b, a)
        element = unify(optional.element, other) if isinstance(optional, OptionalType) else None
        return None if element is None else make_optional(element)
    if isinstance(a, (TupleType, NamedTupleType)) and isinstance(b, (TupleType, NamedTupleType)):
        return _unify_tuples(a.elements, b.elements, union)
    if isinstance(a, FutureType) and isinstance(b, FutureType):
        element = unify(a.element, b.element)
        return None if element is None else FutureType(element)
    return None


def _unify_tuples(a: tuple[Type, ...], b: tuple[Type, ...], union: bool) -> Type | None:
    if len(a) != len(b):
        return None
    elements: list[Type] = []
    for mine, other in zip(a, b, strict=True):
        unified = unify(mine, other, union)
        if unified is None:
            return None
        elements.append(unified)
    return TupleType(tuple(elements))


@dataclass(frozen=True, slots=True)
class UnificationFailure:
    """Element `index` has type `found`, which does not go with `before`, the type of those in front of it."""

    index: int
    found: Type
    before: Type


def unify_list(
    types: Sequence[Type], union: bool = False, hint: Type | None = None
) -> Type | UnificationFailure | None:
    """One type for all, folded from the left; None for an empty sequence."""
    if not types:
        return None
    result = types[0]
    for index, t in enumerate(types[1:], 1):
        unified = unify(result, t, union, hint)
        if unified is None:
            return UnificationFailure(index, t, result)
        result = unified
    return result


# isinstance


def refine_isinstance(t: Type, candidates: Iterable[Type]) -> tuple[Type | None, Type | None, bool | None]:
    """The type where `isinstance(value, candidates)` holds, where it does not, and the answer if it is static.

    None for a side means that no value gets there.
    """
    given = tuple(candidates)
    if contains_unknown(t) or any(map(contains_unknown, given)):
        return _refine_unknown(given), UNKNOWN, None
    wanted = _normal_members(given)
    true: list[Type] = []
    false: list[Type] = []
    certain = True
    for member in _normal_members((t,)):
        if member == ANY:
            true += wanted
            false.append(ANY)
            certain = wanted == [ANY]
            break
        found = _found(member, wanted)
        if found is None:
            false.append(member)
            certain = False
        else:
            true.append(found)
    return _folded(true), _folded(false), True if certain else None if true else False


def _found(member: Type, wanted: Sequence[Type]) -> Type | None:
    if any(is_subtype(member, other) for other in wanted):
        return member
    return _folded([other for other in wanted if is_subtype(other, member)])


def _folded(types: Sequence[Type]) -> Type | None:
    unified = unify_list(types, union=True)
    return UNKNOWN if isinstance(unified, UnificationFailure) else unified


def _refine_unknown(wanted: Sequence[Type]) -> Type:
    folded = None if any(map(contains_unknown, wanted)) else _folded(wanted)
    return UNKNOWN if folded is None else folded
