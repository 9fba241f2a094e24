"""Reads the recorded lines of one torch.nn class into `ModuleFacts`, and applies constructor options to them.

A line is one fact, its fields already split: `parameter NAME [DEFAULT]`, `attribute NAME TYPE [parameter]`,
`constant NAME TYPE`, `module NAME CLASS`, `method SCHEMA`, `refusal REASON`, or any of them but the first behind
`variant OPTION VALUE` (then also `missing KIND NAME`). `function NAME [SCHEMA]` and `member NAME [SCHEMA]` are what the
class has besides.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import TypedDict, TypeVar

from ts_lsp.torchdata.objects import ModuleFacts, ModuleVariant
from ts_lsp.types.model import UNKNOWN
from ts_lsp.types.schema import Schema
from ts_lsp.types.schema_parser import parse_schema, parse_type

Item = TypeVar("Item")

Line = Sequence[str]


def module_facts(path: str, lines: Iterable[Line]) -> ModuleFacts:
    usual: list[Line] = []
    variants: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        if line[0] == "variant":
            variants.setdefault((line[1], line[2]), []).append(line[3:])
        else:
            usual.append(line)
    parts = (_variant(path, option, value, changed) for (option, value), changed in variants.items())
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


def _variant(path: str, option: str, value: str, lines: list[Line]) -> ModuleVariant:
    missing = frozenset(line[2] for line in lines if line[0] == "missing")
    return ModuleVariant(option, value, _facts(path, lines), missing)


def _facts(path: str, lines: list[Line]) -> ModuleFacts:
    attributes = [line for line in lines if line[0] == "attribute"]
    return ModuleFacts(
        path,
        tuple((line[1], line[2] if len(line) > 2 else None) for line in lines if line[0] == "parameter"),
        {line[1]: parse_type(line[2]) for line in attributes},
        frozenset(line[1] for line in attributes if line[3] == "parameter"),
        {line[1]: parse_type(line[2]) if line[2] else None for line in lines if line[0] == "constant"},
        {line[1]: line[2] for line in lines if line[0] == "module"},
        tuple(parse_schema(line[1]) for line in lines if line[0] == "method"),
        next((line[1] for line in lines if line[0] == "refusal"), None),
    )


def with_options(facts: ModuleFacts, options: Mapping[str, object], unknown: Container[str] = ()) -> ModuleFacts:
    """The type of an instance made with these constructor options.

    An option stands for every value of its example's kind (any int for an int, but one bool is not the other). What
    an option of the `unknown` ones would change becomes an unknown type.
    """
    changed = facts
    for variant in facts.variants:
        if variant.option in unknown:
            changed = _merged(changed, _blurred(variant.changed), frozenset())
        elif variant.option in options and _is_example(options[variant.option], ast.literal_eval(variant.value)):
            changed = _merged(changed, variant.changed, variant.missing)
    return changed


def _is_example(given: object, example: object) -> bool:
    return given is example if isinstance(example, bool) else type(given) is type(example)


def _blurred(changed: ModuleFacts) -> ModuleFacts:
    return ModuleFacts(
        changed.path,
        attributes=dict.fromkeys(changed.attributes, UNKNOWN),
        constants=dict.fromkeys(changed.constants, UNKNOWN),
    )


def _merged(usual: ModuleFacts, changed: ModuleFacts, missing: frozenset[str]) -> ModuleFacts:
    renewed = {method.name for method in changed.methods}
    methods = () if changed.refusal else (*(m for m in usual.methods if m.name not in renewed), *changed.methods)
    return replace(
        usual,
        attributes=_without({**usual.attributes, **changed.attributes}, missing | set(changed.constants)),
        parameter_names=(usual.parameter_names - missing) | changed.parameter_names,
        constants=_without({**usual.constants, **changed.constants}, missing | set(changed.attributes)),
        submodules=_without({**usual.submodules, **changed.submodules}, missing),
        methods=methods,
        refusal=changed.refusal or usual.refusal,
    )


def _without(names: dict[str, Item], gone: Set[str]) -> dict[str, Item]:
    return {name: item for name, item in names.items() if name not in gone}
