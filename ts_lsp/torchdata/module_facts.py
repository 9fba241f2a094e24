"""Reads the recorded lines of one torch.nn class into `ModuleFacts`.

A line is one fact, its fields already split: `parameter NAME [DEFAULT]`, `attribute NAME TYPE [parameter]`,
`constant NAME TYPE`, `module NAME CLASS`, `method SCHEMA`, `refusal REASON`, or any of them but the first behind
`variant OPTION VALUE` (then also `missing KIND NAME`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ts_lsp.torchdata.objects import ModuleFacts, ModuleVariant
from ts_lsp.types.schema_parser import parse_schema, parse_type

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
    return replace(_facts(path, usual), variants=tuple(parts))


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
