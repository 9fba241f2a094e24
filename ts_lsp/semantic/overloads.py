"""Overload resolution: evaluated arguments against schemas.

Owns `match`, the compiler's two passes over the candidates (without, then with implicit conversions), and the reason a
candidate does not fit.
Invariant: the first candidate that matches wins; there is no scoring. An unknown argument fits everywhere, and makes
the result unknown when candidates that fit disagree on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Union

from ts_lsp.records import dataclass, field
from ts_lsp.semantic.conversion import fit, inserted
from ts_lsp.semantic.facts import Conversion
from ts_lsp.semantic.sugared import NamedArgument, Simple
from ts_lsp.types.matching import broadcast_list, match_type_variables, substitute
from ts_lsp.types.model import (
    TENSOR,
    UNKNOWN,
    DictType,
    ListType,
    OptionalType,
    SimpleType,
    TupleType,
    Type,
    TypeVariable,
)
from ts_lsp.types.relations import contains_unknown, is_subtype, parts
from ts_lsp.types.schema import Argument, Default, Schema

NEVER_MATCHING = frozenset({("aten::view", "dtype"), ("aten::max", "unary_out"), ("aten::min", "unary_out")})


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a schema does not fit.

    `reason`: `type`, `type-variable`, `missing`, `too-many`, `unknown-keyword`, `repeated`, `receiver`.
    """

    schema: Schema
    reason: str
    argument: str = ""
    expected: Type | None = None
    found: Type | None = None
    index: int = -1
    """Position of the offending argument among the positional ones, or -1."""
    count: int = 0


@dataclass(frozen=True, slots=True)
class Match:
    schema: Schema
    result: Type
    converted: tuple[tuple[int, Type, Type], ...] = ()
    """The numbers of arguments, keywords behind the others, that become another type: from which to which."""

    def conversions(self, arguments: Arguments) -> Iterator[Conversion]:
        """What the compiler puts around the arguments, which are those that were matched or others of their types."""
        given = [*arguments.positional, *arguments.keywords] if self.converted else []
        for number, before, after in self.converted:
            yield from inserted(given[number].node, before, after)


Outcome = Union[Match, list[Mismatch]]
Matched = dict[tuple[object, ...], Outcome]
"""By operator and arguments, what matching them came to."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one call, ready to be matched."""

    positional: Sequence[NamedArgument]
    keywords: Sequence[NamedArgument] = ()
    receiver: Simple | None = None
    complete: bool = True

    @property
    def has_unknown(self) -> bool:
        values = [each.value for each in (*self.positional, *self.keywords)]
        if self.receiver is not None:
            values.append(self.receiver)
        return not self.complete or any(contains_unknown(value.type) for value in values)


def match(schemas: Sequence[Schema], arguments: Arguments) -> Outcome:
    """The first fitting schema and the call's type, or why each one fails (in the pass with conversions)."""
    if arguments.has_unknown:
        return _match_unknown(schemas, arguments)
    passes = (True,) if len(schemas) == 1 else (False, True)
    failures: list[Mismatch] = []
    for conversions in passes:
        failures = []
        for schema in schemas:
            outcome = match_one(schema, arguments, conversions)
            if isinstance(outcome, Match):
                return outcome
            if outcome is not None:
                failures.append(outcome)
    return failures


def match_known(known: Matched, operator: str, schemas: Sequence[Schema], arguments: Arguments) -> Outcome:
    """As `match`, from the answers for this operator's schemas so far where nothing but plain types has a say."""
    signature = _signature(arguments)
    if signature is None:
        return match(schemas, arguments)
    key = (operator, *signature)
    outcome = known.get(key)
    if outcome is None:
        outcome = known[key] = match(schemas, arguments)
    return outcome


def _signature(arguments: Arguments) -> list[object] | None:
    """All that matching reads off the arguments; None where they are not only of types that never change."""
    if not arguments.complete:
        return None
    given: list[tuple[str | None, Simple]] = [] if arguments.receiver is None else [("", arguments.receiver)]
    given += [(each.name, each.value) for each in (*arguments.positional, *arguments.keywords)]
    found: list[object] = []
    for name, value in given:
        if not _is_plain(value.type):
            return None
        found += (name, value.type, value.empty_list, getattr(value.type, "inferred", False))
    return found


def _is_plain(type_: Type) -> bool:
    if isinstance(type_, SimpleType):
        return True
    is_container = isinstance(type_, (ListType, OptionalType, DictType))
    return is_container and all(isinstance(each, SimpleType) and not each.inferred for each in parts(type_))


def _match_unknown(schemas: Sequence[Schema], arguments: Arguments) -> Outcome:
    """With unknown arguments: the result all fitting schemas agree on, else unknown."""
    if not arguments.complete:
        results = {schema.name: result_type(schema, {}) for schema in schemas}
        agreed = set(results.values())
        return Match(schemas[0], agreed.pop() if len(agreed) == 1 else UNKNOWN)
    outcomes = [match_one(schema, arguments, True) for schema in schemas]
    matches = [each for each in outcomes if isinstance(each, Match)]
    if not matches:
        return [each for each in outcomes if isinstance(each, Mismatch)]
    agreed = {each.result for each in matches}
    return Match(matches[0].schema, agreed.pop() if len(agreed) == 1 else UNKNOWN)


@dataclass(slots=True)
class _Matching:
    """One attempt: what is used up so far."""

    schema: Schema
    arguments: Arguments
    conversions: bool
    receiver: Simple | None
    used: int = 0
    used_keywords: set[int] = field(default_factory=set)
    variables: dict[str, Type] = field(default_factory=dict)
    converted: list[tuple[int, Type, Type]] = field(default_factory=list)


def match_one(schema: Schema, arguments: Arguments, conversions: bool) -> Match | Mismatch | None:
    """One schema; None for the few that the compiler never lets match."""
    if (schema.name, schema.overload) in NEVER_MATCHING:
        return None
    state = _Matching(schema, arguments, conversions, arguments.receiver)
    for position, formal in enumerate(schema.arguments):
        failure = _match_formal(state, position, formal)
        if failure is not None:
            return failure
    failure = _leftovers(state)
    if failure is not None:
        return failure
    return Match(schema, result_type(schema, state.variables), tuple(state.converted))


def _match_formal(state: _Matching, position: int, formal: Argument) -> Mismatch | None:
    positional = state.arguments.positional
    if formal.name == "self" and state.receiver is not None:
        value, state.receiver = state.receiver, None
        return _fit(state, formal, value, -1)
    if not formal.keyword_only and state.used < len(positional):
        if state.conversions and _takes_rest(state.schema, position, formal):
            value = positional[state.used].value
            if not _is_list_like(value.type, formal.type):
                return _fit_rest(state, formal)
        index = state.used
        state.used += 1
        return _fit(state, formal, positional[index].value, index, index)
    keyword = _keyword_index(state, formal)
    if keyword is not None:
        if keyword in state.used_keywords:
            return Mismatch(state.schema, "repeated", formal.name)
        state.used_keywords.add(keyword)
        return _fit(state, formal, state.arguments.keywords[keyword].value, -1, len(positional) + keyword)
    if formal.default is not None:
        return _default(state, formal, formal.default)
    return Mismatch(state.schema, "missing", formal.name, formal.type)


def _default(state: _Matching, formal: Argument, default: Default) -> Mismatch | None:
    """A parameter that is left to its default. None is a Tensor too, but one it cannot write down."""
    if default.type is not None:
        return _fit(state, formal, Simple(default.type), -1)
    undefined = not default.opaque and _holds_undefined(default.value, formal.type)
    return Mismatch(state.schema, "undefined-tensor", formal.name, formal.type) if undefined else None


def _holds_undefined(value: object, type_: Type) -> bool:
    """Whether a default is a None that stands for a Tensor, or a tuple with one."""
    if isinstance(value, tuple) and isinstance(type_, TupleType):
        return any(_holds_undefined(each, inner) for each, inner in zip(value, type_.elements, strict=False))
    return value is None and type_ == TENSOR


def _keyword_index(state: _Matching, formal: Argument) -> int | None:
    in_aten = state.schema.name.startswith("aten::")
    for index, keyword in enumerate(state.arguments.keywords):
        if keyword.name == formal.name or (in_aten and formal.name == "self" and keyword.name == "input"):
            return index
    return None


def _takes_rest(schema: Schema, position: int, formal: Argument) -> bool:
    """Whether trailing positional values may be packed into this list parameter."""
    last = position + 1 == len(schema.arguments) or schema.arguments[position + 1].keyword_only
    if not last or not isinstance(formal.type, ListType) or formal.list_size is not None:
        return False
    return not isinstance(formal.type.element, TypeVariable)


def _is_list_like(actual: Type, formal: Type) -> bool:
    if isinstance(actual, ListType):
        return True
    assert isinstance(formal, ListType)
    if is_subtype(actual, formal):
        return True
    elements = getattr(actual, "elements", None)
    return elements is not None and all(is_subtype(each, formal.element) for each in elements)


def _fit_rest(state: _Matching, formal: Argument) -> Mismatch | None:
    assert isinstance(formal.type, ListType)
    element = Argument("<varargs>", formal.type.element)
    for index in range(state.used, len(state.arguments.positional)):
        failure = _fit(state, element, state.arguments.positional[index].value, index, index)
        if failure is not None:
            return failure
    state.used = len(state.arguments.positional)
    return None


def _fit(state: _Matching, formal: Argument, value: Simple, index: int, number: int | None = None) -> Mismatch | None:
    """One value against one formal parameter. `number` is the argument's, where it is one that is written."""
    actual = value.type
    if formal.list_size is not None and broadcast_list(actual, formal.type, formal.list_size):
        if number is not None:
            state.converted.append((number, actual, ListType(actual)))
        return None
    if match_type_variables(formal.type, actual, state.variables) is not None:
        return Mismatch(state.schema, "type-variable", formal.name, formal.type, actual, index)
    concrete = substitute(formal.type, state.variables)
    if concrete is None:
        return Mismatch(state.schema, "type-variable", formal.name, formal.type, actual, index)
    converted = fit(value, concrete, state.conversions)
    if not is_subtype(converted, concrete):
        return Mismatch(state.schema, "type", formal.name, formal.type, actual, index)
    if number is not None and converted is not actual:
        state.converted.append((number, actual, converted))
    return None


def _leftovers(state: _Matching) -> Mismatch | None:
    if state.receiver is not None:
        return Mismatch(state.schema, "receiver")
    positional = state.arguments.positional
    if state.used < len(positional) and not state.schema.is_vararg:
        return Mismatch(state.schema, "too-many", index=state.used, count=len(positional))
    for index, keyword in enumerate(state.arguments.keywords):
        if index not in state.used_keywords:
            known = any(formal.name == keyword.name for formal in state.schema.arguments)
            return Mismatch(state.schema, "repeated" if known else "unknown-keyword", keyword.name or "")
    return None


def result_type(schema: Schema, variables: dict[str, Type]) -> Type:
    """The type of a call: one value, or a tuple of them (with field names when all are named)."""
    types: list[Type] = []
    for each in schema.returns:
        type_ = substitute(each.type, variables)
        types.append(UNKNOWN if type_ is None else type_)
    if len(types) == 1:
        return types[0]
    named = all(each.name for each in schema.returns)
    return TupleType(tuple(types), tuple(each.name for each in schema.returns) if named else ())


def accepts_receiver(schemas: Sequence[Schema], type_: Type) -> bool:
    """Whether some operator of these takes a value of `type_` as its `self`, without conversion."""
    for schema in schemas:
        for formal in schema.arguments:
            if formal.name != "self":
                continue
            variables: dict[str, Type] = {}
            if match_type_variables(formal.type, type_, variables) is None:
                concrete = substitute(formal.type, variables)
                if concrete is not None and is_subtype(type_, concrete):
                    return True
    return False
