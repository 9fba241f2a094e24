"""From Python objects to types: what the compiler makes of an annotation it has as an object rather than as text.

Owns the reading of denotations. It serves aliases and evaluated annotations, and alone decides on the fields of
NamedTuples, the class annotations of modules and the signatures of ignored functions.
Invariant: a refusal is data; an object that is no type at all is None, and the caller knows what follows from that.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping

from ts_lsp.records import dataclass, field
from ts_lsp.types.denotations import (
    AppliedDenotation,
    Denotation,
    GenericDenotation,
    NotAType,
    RefusedDenotation,
    TypeDenotation,
    UnknownDenotation,
)
from ts_lsp.types.display import annotation_form
from ts_lsp.types.model import (
    ANY,
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
    RRefType,
    TupleType,
    Type,
)
from ts_lsp.types.relations import DegenerateUnion, contains_unknown, make_optional, make_union


@dataclass(frozen=True, slots=True)
class AnnotationProblem:
    """An annotation the compiler refuses. `code` names the rule, `node` what to mark.

    `located` says whether the compiler gives a place; without one, `node` is the annotation.
    """

    code: str
    node: ast.expr
    data: Mapping[str, object] = field(default_factory=dict)
    located: bool = True


class Refusal(Exception):
    """Carries a problem out of nested readings; never leaves the functions other modules call."""

    def __init__(self, problem: AnnotationProblem) -> None:
        super().__init__(problem.code)
        self.problem = problem


def refusal(code: str, node: ast.expr, located: bool = True, **data: object) -> Refusal:
    return Refusal(AnnotationProblem(code, node, data, located))


_NONE = TypeDenotation(NONE)
_NUMBER_MEMBERS = frozenset({TypeDenotation(INT), TypeDenotation(FLOAT), TypeDenotation(COMPLEX)})


def object_type(denotation: Denotation, node: ast.expr) -> Type | AnnotationProblem | None:
    """The type of a Python object used as an annotation; None where it is no type. `node` is the annotation."""
    try:
        return type_of_object(denotation, node)
    except Refusal as refused:
        return refused.problem


def type_of_object(denotation: Denotation, node: ast.expr, named: bool = False) -> Type | None:
    """As `object_type`, but raises `Refusal`. `named`: a name or text in the scope of a function gave the object."""
    if isinstance(denotation, TypeDenotation):
        if denotation.by_name_only and not named:
            raise refusal("unsupported-annotation", node, part=describe(denotation))
        return denotation.type
    if isinstance(denotation, UnknownDenotation):
        return UNKNOWN
    if isinstance(denotation, RefusedDenotation):
        raise refusal(denotation.code, node, located=False, **denotation.data)
    if isinstance(denotation, GenericDenotation):
        return _bare(denotation.name, node)
    if isinstance(denotation, AppliedDenotation):
        return _applied(denotation, node, named)
    return None


def _bare(name: str, node: ast.expr) -> Type | None:
    if name in ("list", "dict", "tuple"):
        return None
    if name == "Await":
        return AwaitType(ANY)
    raise refusal("bare-generic", node, located=False, name=name)


def _applied(denotation: AppliedDenotation, node: ast.expr, named: bool) -> Type | None:
    name, arguments = denotation.name, denotation.arguments
    if name in ("Tuple", "tuple"):
        elements = [(argument, type_of_object(argument, node)) for argument in arguments]
        return TupleType(tuple(_inner_type(t, argument, name, node) for argument, t in elements))
    if name in ("Optional", "Union"):
        return _union(denotation, node, named)
    wanted = 2 if name in ("Dict", "dict") else 1
    inside = [type_of_object(argument, node) for argument in arguments[:wanted]]
    if len(inside) < wanted:
        raise refusal("type-argument-count", node, False, constructor=name, expected=wanted, found=len(inside))
    if wanted == 2:
        key, value = (_known_type(t, argument, node) for t, argument in zip(inside, arguments[:2], strict=True))
        return dict_type(key, value, node)
    if name in ("List", "list"):
        return None if inside[0] is None else ListType(inside[0])
    wrap = _WRAPPERS.get(name)
    return None if wrap is None else wrap(_inner_type(inside[0], arguments[0], name, node))


_WRAPPERS: dict[str, Callable[[Type], Type]] = {"Future": FutureType, "RRef": RRefType, "Await": AwaitType}


def _inner_type(t: Type | None, denotation: Denotation, constructor: str, node: ast.expr) -> Type:
    """A part that must be a type; the compiler stops without a place where it is none."""
    if t is None:
        raise refusal("unsupported-annotation", node, False, part=describe(denotation), constructor=constructor)
    return t


def _known_type(t: Type | None, denotation: Denotation, node: ast.expr) -> Type:
    """A part that must be a type; the compiler marks the whole annotation where it is none."""
    if t is None:
        raise refusal("unsupported-annotation", node, part=describe(denotation))
    return t


def _union(denotation: AppliedDenotation, node: ast.expr, named: bool) -> Type | None:
    """A union as Python holds it: flat and without repetition, and a single member stands for itself."""
    alternatives = tuple(dict.fromkeys(_alternatives(denotation)))
    if len(alternatives) == 1:
        return type_of_object(alternatives[0], node, named)
    if frozenset(alternatives) == _NUMBER_MEMBERS:
        return NUMBER
    if len(alternatives) == 2 and _NONE in alternatives:
        other = next(alternative for alternative in alternatives if alternative != _NONE)
        return optional_type(_known_type(type_of_object(other, node), other, node), node)
    return union_type([_known_type(type_of_object(member, node), member, node) for member in alternatives], node)


def _alternatives(denotation: Denotation) -> Iterable[Denotation]:
    if isinstance(denotation, AppliedDenotation) and denotation.name in ("Optional", "Union"):
        for argument in denotation.arguments:
            yield from _alternatives(argument)
        if denotation.name == "Optional":
            yield _NONE
    else:
        yield denotation


def describe(denotation: Denotation) -> str:
    """A denotation for people, as far as it has a name."""
    if isinstance(denotation, NotAType):
        return denotation.description
    if isinstance(denotation, TypeDenotation):
        return annotation_form(denotation.type)
    if isinstance(denotation, GenericDenotation):
        return denotation.name
    if isinstance(denotation, AppliedDenotation):
        return f"{denotation.name}[{', '.join(map(describe, denotation.arguments))}]"
    return ""


# Types that can be refused while they are put together


_KEYS = frozenset({INT, BOOL, FLOAT, COMPLEX, STR, TENSOR, DEVICE, ANY})


def dict_type(key: Type, value: Type, node: ast.expr) -> Type:
    if key not in _KEYS and not contains_unknown(key):
        raise refusal("invalid-dict-key", node, located=False, key=key)
    return DictType(key, value)


def optional_type(t: Type, node: ast.expr) -> Type:
    try:
        return make_optional(t)
    except DegenerateUnion as degenerate:
        raise refusal("degenerate-union", node, located=False, member=degenerate.member) from None


def union_type(types: list[Type], node: ast.expr) -> Type:
    """A union as an annotation writes it; with an unknown member it is unknown but for whether it takes None."""
    if len(types) == 2 and NONE in types and UNKNOWN in types:
        return make_optional(UNKNOWN)
    try:
        return make_union(types)
    except DegenerateUnion as degenerate:
        raise refusal("degenerate-union", node, located=False, member=degenerate.member) from None
