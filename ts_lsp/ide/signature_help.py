"""Signature help: what a call may be matched against, which candidate fits so far, and which parameter comes next.

Owns `SignatureHelp` and `signature_help`. Invariant: labels of parameters are stretches of their signature's label, in
code points.
"""

from __future__ import annotations

import ast

from ts_lsp.ide.callees import written_arguments
from ts_lsp.ide.half_typed import Place, place_at
from ts_lsp.ide.python_names import denoted
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.records import dataclass, replace
from ts_lsp.semantic.offered import Candidates, schemas_of
from ts_lsp.semantic.overloads import Arguments, Match, match_one
from ts_lsp.semantic.probing import Probed
from ts_lsp.syntax.completing import PLACEHOLDER
from ts_lsp.text import Position, range_of
from ts_lsp.types.display import operator_schema_text, schema_text
from ts_lsp.types.schema import Argument, Default, Schema


@dataclass(frozen=True, slots=True)
class Signature:
    """One candidate. `parameters` are the stretches of `label`; `active` is the index of the one at the cursor."""

    label: str
    parameters: tuple[tuple[int, int], ...]
    active: int | None


@dataclass(frozen=True, slots=True)
class SignatureHelp:
    """`denotes` is the path by which Python knows what is called, if torch or Python defines it."""

    signatures: tuple[Signature, ...]
    active: int
    denotes: str = ""


def signature_help(snapshot: Snapshot, position: Position) -> SignatureHelp | None:
    """The signatures of the innermost call around a place; None outside of calls and of compiled code."""
    place = place_at(snapshot, position)
    call = _call_around(place) if place is not None else None
    if place is None or call is None:
        return None
    probed = place.probe([call.func, *call.args, *(each.value for each in call.keywords)])
    sight = probed.seen.get(call.func)
    found = schemas_of(probed.context, sight.value, call.func) if sight is not None else None
    if found is None or not found.schemas:
        return None
    at, keyword, arguments = _written(place, probed, call, found)
    signatures = tuple(_signature(each, found, at, keyword) for each in found.schemas)
    return SignatureHelp(signatures, _fitting(found.schemas, arguments, signatures), denoted(probed, call.func))


def _call_around(place: Place) -> ast.Call | None:
    """The innermost call whose parentheses hold the place."""
    line, column = place.unit.chunk.lines.position(place.typed.start)
    lines = place.completed.chunk.lines
    for node in place.completed.nodes:
        if isinstance(node, ast.Call):
            end = range_of(node.func, lines).end
            if end < Position(line, column):
                return node
        if isinstance(node, ast.stmt):
            return None
    return None


def _written(place: Place, probed: Probed, call: ast.Call, found: Candidates) -> tuple[int, str | None, Arguments]:
    """The index of the argument at the cursor, its keyword, and the arguments with what is known of them."""
    around = set(place.completed.nodes)
    numbers = [number for number, each in enumerate(call.args) if each in around]
    at = numbers[0] if numbers else len(call.args)
    keyword = next((each.arg for each in call.keywords if each in around), None)
    is_empty = call.args and call.args[-1] is place.node
    unwritten = call.args[-1] if is_empty else next((each for each in call.keywords if each.arg == PLACEHOLDER), None)
    return at, keyword, written_arguments(probed, call, found, unwritten)


def _fitting(schemas: tuple[Schema, ...], arguments: Arguments, signatures: tuple[Signature, ...]) -> int:
    """The first candidate that fits what is written; what is not written yet may be missing."""
    open_ones = [number for number, each in enumerate(signatures) if each.active is not None or not each.parameters]
    for wanted in (schemas, tuple(map(_lenient, schemas))):
        for conversions in (False, True):
            for number in open_ones:
                if isinstance(match_one(wanted[number], arguments, conversions), Match):
                    return number
    return open_ones[0] if open_ones else 0


def _lenient(schema: Schema) -> Schema:
    """The schema with everything left out that nothing is written for yet."""
    return replace(schema, arguments=tuple(_optional(each) for each in schema.arguments))


def _optional(argument: Argument) -> Argument:
    return replace(argument, default=Default(opaque=True)) if argument.default is None else argument


def _signature(schema: Schema, found: Candidates, at: int, keyword: str | None) -> Signature:
    text = operator_schema_text if found.is_operator else schema_text
    shown = schema
    if found.is_bound and not found.is_operator:
        shown = replace(schema, arguments=schema.arguments[1:])
    label = text(shown)
    places: list[tuple[int, int]] = []
    start = len(text(replace(shown, arguments=(), is_vararg=False)).partition("(")[0]) + 1
    for number in range(len(shown.arguments)):
        before = text(replace(shown, arguments=shown.arguments[: number + 1], is_vararg=False))
        end = _end_of_arguments(before, text(replace(shown, arguments=(), is_vararg=False)))
        begin = places[-1][1] + 2 if places else start
        if label[begin : begin + 3] == "*, ":
            begin += 3
        places.append((begin, end))
    return Signature(label, tuple(places), _active(shown, found, at, keyword))


def _end_of_arguments(text: str, empty: str) -> int:
    """Where the arguments of a schema's text end, given the text of the same without arguments."""
    return len(text) - (len(empty) - empty.index("(") - 1)


def _active(schema: Schema, found: Candidates, at: int, keyword: str | None) -> int | None:
    """The index of the parameter that the argument at the cursor is for; None where the schema takes no more."""
    if keyword is not None and keyword != PLACEHOLDER:
        return next((number for number, each in enumerate(schema.arguments) if each.name == keyword), None)
    free = [
        number
        for number, each in enumerate(schema.arguments)
        if not (found.is_operator and found.is_bound and each.name == "self")
    ]
    if keyword == PLACEHOLDER:
        return next((number for number in free if schema.arguments[number].keyword_only), None)
    positional = [number for number in free if not schema.arguments[number].keyword_only]
    return positional[at] if at < len(positional) else None
