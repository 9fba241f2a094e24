"""Reads the recorded lines of one torch.nn class into `ModuleFacts`, and applies constructor arguments to them.

A line is one fact, its fields already split: `parameter NAME [DEFAULT [KINDS]]`, `attribute NAME TYPE [parameter]`,
`constant NAME TYPE [VALUE]`, `module NAME CLASS [=OPTION]`, `method SCHEMA`, `refusal REASON`, or any of them but the
first behind `variant OPTIONS PATTERNS` (then also `missing KIND NAME` and `unknown KIND NAME`).
`function NAME [SCHEMA]` and `member NAME [SCHEMA]` are what the class has besides.

What submodules without submodules of their own have is recorded under dotted names (`out_proj.bias`).
KINDS are the patterns, joined by `|`, under which a parameter changes nothing. OPTIONS are names joined by `&`, and
each has its pattern: `:int` stands for every argument of a kind (`None bool int float str tuple list Tensor module
function dtype`), `:Tuple[int, int]` for every argument of a type, `=2` for that very value. (Older files write a value
for all of its kind.) A constant's VALUE is its repr, or `=OPTION` when it is what was given as that option.
"""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypedDict, TypeVar, Union

from ts_lsp.records import dataclass, replace
from ts_lsp.torchdata.objects import ModuleFacts, ModuleVariant
from ts_lsp.torchdata.older_module_facts import completed
from ts_lsp.types.display import annotation_form
from ts_lsp.types.model import BOOL, FLOAT, INT, NONE, STR, UNKNOWN, TupleType, Type
from ts_lsp.types.schema import Schema
from ts_lsp.types.schema_parser import parse_schema, parse_type

Item = TypeVar("Item")
Line = Sequence[str]
Plain = Union[None, bool, int, float, str]
_PLAIN: dict[type, Type] = {bool: BOOL, int: INT, float: FLOAT, str: STR, type(None): NONE}


@dataclass(frozen=True, slots=True)
class Given:
    """What is known of an argument: its kind (empty: nothing), its type, and the text of its value."""

    kind: str = ""
    type: Type | None = None
    text: str | None = None

    def fits(self, pattern: str) -> bool | None:
        """Whether the argument is one that a pattern means; None if that is not known."""
        if not self.kind:
            return None
        if pattern.startswith("="):
            if self.text is not None:
                return self.text == pattern[1:]
            return None if self.kind == given_of(ast.literal_eval(pattern[1:])).kind else False
        if "[" not in pattern:
            return self.kind == pattern[1:]
        if self.kind not in ("tuple", "list"):
            return False
        return None if self.type is None else f":{annotation_form(self.type)}" == pattern


NOT_KNOWN = Given()


def given_of(value: object) -> Given:
    """A plain Python object as an argument."""
    if isinstance(value, (tuple, list)):
        return given_sequence(type(value).__name__, [given_of(each) for each in value])
    type_ = _PLAIN.get(type(value))
    name = "None" if value is None else type(value).__name__
    is_literal = not isinstance(value, float) or math.isfinite(value)
    return NOT_KNOWN if type_ is None else Given(name, type_, repr(value) if is_literal else None)


def given_sequence(kind: str, parts: Sequence[Given]) -> Given:
    """A tuple or list of arguments as an argument. As a constant it is a tuple either way."""
    types = [each.type for each in parts if each.type is not None]
    texts = [each.text for each in parts if each.text is not None]
    type_ = TupleType(tuple(types)) if len(types) == len(parts) else None
    if len(texts) < len(parts):
        return Given(kind, type_)
    inner = ", ".join(texts)
    return Given(kind, type_, f"[{inner}]" if kind == "list" else f"({inner},)" if len(parts) == 1 else f"({inner})")


def module_facts(path: str, lines: Iterable[Line]) -> ModuleFacts:
    usual: list[Line] = []
    variants: dict[tuple[str, str], list[Line]] = {}
    for line in completed(lines):
        if line[0] == "variant":
            variants.setdefault((line[1], line[2]), []).append(line[3:])
        else:
            usual.append(line)
    parts = (_variant(path, options, patterns, changed) for (options, patterns), changed in variants.items())
    return replace(_facts(path, usual), variants=tuple(parts), **_others(usual))


class _Others(TypedDict):
    functions: Mapping[str, Schema | None] | None
    members: Mapping[str, Schema | None] | None


def _others(lines: list[Line]) -> _Others:
    """What the class has besides: `forward` at least, where that was recorded."""
    functions, members = (
        {line[1]: parse_schema(line[2]) if line[2] else None for line in lines if line[0] == kind}
        for kind in ("function", "member")
    )
    return {"functions": functions, "members": members} if members else {"functions": None, "members": None}


def _variant(path: str, options: str, patterns: str, lines: list[Line]) -> ModuleVariant:
    return ModuleVariant(
        tuple(options.split("&")),
        tuple(map(_pattern, patterns.split("&"))),
        _facts(path, lines),
        frozenset((line[1], line[2]) for line in lines if line[0] == "missing"),
        frozenset((line[1], line[2]) for line in lines if line[0] == "unknown"),
    )


def _pattern(written: str) -> str:
    if written.startswith((":", "=")):
        return written
    example = given_of(ast.literal_eval(written))
    return f"={written}" if example.kind == "bool" else f":{example.kind}"


def _facts(path: str, lines: list[Line]) -> ModuleFacts:
    attributes = [line for line in lines if line[0] == "attribute"]
    constants = [line for line in lines if line[0] == "constant"]
    parameters = [line for line in lines if line[0] == "parameter"]
    return ModuleFacts(
        path,
        tuple((line[1], (line[2] or None) if len(line) > 2 else None) for line in parameters),
        {line[1]: parse_type(line[2]) for line in attributes},
        frozenset(line[1] for line in attributes if line[3] == "parameter"),
        {line[1]: parse_type(line[2]) if line[2] else None for line in constants},
        {line[1]: line[3] for line in constants if len(line) > 3 and line[3]},
        {line[1]: line[2] for line in lines if line[0] == "module"},
        tuple(parse_schema(line[1]) for line in lines if line[0] == "method"),
        next((line[1] for line in lines if line[0] == "refusal"), None),
        given_modules={line[1]: line[3][1:] for line in lines if line[0] == "module" and len(line) > 3},
        settled={line[1]: frozenset(line[3].split("|")) for line in parameters if len(line) > 3},
    )


def with_arguments(facts: ModuleFacts, given: Mapping[str, Given]) -> ModuleFacts:
    """The type of an instance made with these arguments, constants with their values.

    What depends on an argument that is not known, or is of a kind that was never tried, has an unknown type.
    """
    changed = facts
    for options, variants in _by_options(facts.variants):
        for variant in _chosen(facts, options, variants, given):
            changed = _merged(changed, variant)
    return _with_values(changed, given)


def _by_options(variants: Iterable[ModuleVariant]) -> Iterator[tuple[tuple[str, ...], list[ModuleVariant]]]:
    grouped: dict[tuple[str, ...], list[ModuleVariant]] = {}
    for variant in variants:
        grouped.setdefault(variant.options, []).append(variant)
    return iter(grouped.items())


def _chosen(
    facts: ModuleFacts, options: tuple[str, ...], variants: list[ModuleVariant], given: Mapping[str, Given]
) -> list[ModuleVariant]:
    """The variant that certain arguments mean, or all that they may mean, with what these change not known."""
    if not all(option in given for option in options):
        return []
    arguments = [given[option] for option in options]
    settled = sorted(facts.settled.get(options[0], ())) if len(options) == 1 else []
    outcomes: list[tuple[tuple[str, ...], ModuleVariant | None]] = [((pattern,), None) for pattern in settled]
    outcomes += [(variant.patterns, variant) for variant in variants]
    possible: list[ModuleVariant] = []
    for patterns, outcome in sorted(outcomes, key=lambda each: sum(map(_precision, each[0]))):
        fits = [argument.fits(pattern) for argument, pattern in zip(arguments, patterns, strict=True)]
        if False in fits:
            continue
        if None not in fits and not possible:
            return [outcome] if outcome is not None else []
        possible += [outcome] if outcome is not None else []
    is_untried = not possible and len(options) == 1 and options[0] in facts.settled
    return [_blurred(each) for each in (variants if is_untried else possible)]


def _precision(pattern: str) -> int:
    """Exact values first, then types, then kinds."""
    return 0 if pattern.startswith("=") else 1 if "[" in pattern else 2


def _blurred(variant: ModuleVariant) -> ModuleVariant:
    changed = variant.changed
    names = {("attribute", name) for name in changed.attributes} | {("constant", name) for name in changed.constants}
    names |= {("module", name) for name in changed.submodules} | {("method", each.name) for each in changed.methods}
    names |= {("refusal", "")} if changed.refusal else set()
    unknown = variant.unknown | variant.missing | names
    return replace(variant, changed=ModuleFacts(changed.path), missing=frozenset(), unknown=unknown)


def _merged(usual: ModuleFacts, variant: ModuleVariant) -> ModuleFacts:
    changed = variant.changed
    unknown = _names(variant.unknown)
    missing = _names(variant.missing)
    renewed = {method.name for method in changed.methods} | unknown["method"]
    methods = (*(each for each in usual.methods if each.name not in renewed), *changed.methods)
    attributes = {**usual.attributes, **changed.attributes, **dict.fromkeys(sorted(unknown["attribute"]), UNKNOWN)}
    constants = {**usual.constants, **changed.constants, **dict.fromkeys(sorted(unknown["constant"]))}
    values = {**_without(usual.constant_values, set(changed.constants)), **changed.constant_values}
    return replace(
        usual,
        attributes=_without(attributes, missing["attribute"]),
        parameter_names=(usual.parameter_names - set(changed.attributes)) | changed.parameter_names,
        constants=_without(constants, missing["constant"]),
        constant_values=_without(values, unknown["constant"] | missing["constant"]),
        submodules=_without({**usual.submodules, **changed.submodules}, missing["module"]),
        methods=() if changed.refusal else methods,
        refusal=None if missing["refusal"] else changed.refusal or usual.refusal,
        is_open=usual.is_open or bool(variant.unknown),
        is_doubtful=usual.is_doubtful or bool(unknown["refusal"] or unknown["method"]),
    )


def _names(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {"attribute": set(), "constant": set(), "module": set(), "method": set()}
    found["refusal"] = set()
    for kind, name in pairs:
        found[kind].add(name)
    return found


def _without(table: Mapping[str, Item], names: set[str]) -> dict[str, Item]:
    return {name: item for name, item in table.items() if name not in names}


def _with_values(facts: ModuleFacts, given: Mapping[str, Given]) -> ModuleFacts:
    """Constants that are what was given, or the default of that."""
    defaults = {name: _default(text) for name, text in facts.parameters}
    constants, values = dict(facts.constants), dict(facts.constant_values)
    for name, text in facts.constant_values.items():
        if not text.startswith("="):
            continue
        argument = given.get(text[1:], defaults.get(text[1:], NOT_KNOWN))
        constants[name] = argument.type or (facts.constants[name] if text[1:] not in given else None)
        del values[name]
        if argument.text is not None:
            values[name] = argument.text
    return replace(facts, constants=constants, constant_values=values)


@functools.cache
def _default(text: str | None) -> Given:
    try:
        return NOT_KNOWN if text is None else given_of(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return NOT_KNOWN


def part_of(facts: ModuleFacts, name: str) -> ModuleFacts | None:
    """What is recorded of a submodule; None where only its class is."""
    prefix = f"{name}."
    cut = len(prefix)
    attributes = {each[cut:]: type_ for each, type_ in facts.attributes.items() if each.startswith(prefix)}
    if not attributes:
        return None
    return ModuleFacts(
        facts.submodules[name],
        attributes=attributes,
        parameter_names=frozenset(each[cut:] for each in facts.parameter_names if each.startswith(prefix)),
        constants={each[cut:]: type_ for each, type_ in facts.constants.items() if each.startswith(prefix)},
        constant_values={each[cut:]: text for each, text in facts.constant_values.items() if each.startswith(prefix)},
        is_open=facts.is_open,
    )
