"""What is offered behind a dot is known to the compiler, and what is not offered is not."""

from __future__ import annotations

import pytest

from ts_lsp.ide.completion import complete
from ts_lsp.ide.snapshot import take_snapshot
from ts_lsp.semantic.analysis import Analysis
from ts_lsp.text import Position
from ts_lsp.torchdata.loader import load
from ts_lsp.values.workspace import Workspace

HEAD = """\
import torch
from enum import Enum
from typing import Dict, List, NamedTuple, Optional, Tuple


class Color(Enum):
    RED = 1


class Pair(NamedTuple):
    left: int
    right: int


@torch.jit.script
class Counter:
    def __init__(self, start: int):
        self.count = start

    def add(self, more: int) -> int:
        return more


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 4)

    def helper(self, x):
        return x

"""
TYPES = ("torch.Tensor", "List[int]", "List[torch.Tensor]", "Dict[str, int]", "str", "int", "Tuple[int, str]")
NAMED = ("Color", "Pair", "Counter", "torch.device", "Optional[int]")
WORDS = """
abs add append appendleft capitalize clear copy count extend float get index insert items keys left length lower mean
name nonzero numpy popitem pop relu remove replace reverse right shape size sort split start strip title type update
upper value values view width
"""
NAMES = tuple(WORDS.split())
MISSING = frozenset({"unknown-attribute", "optional-attribute", "class-attribute"})
MODULE = "    def forward(self, x):\n        {}\n        return x\n\ntorch.jit.script(Block())\n"


def _analysed(text: str) -> Analysis:
    analysis = Analysis(load(), Workspace(load()))
    analysis.apply_change("m.py", text)
    return analysis


def _offered(text: str, line: int, column: int) -> set[str]:
    snapshot = take_snapshot(_analysed(text), "m.py")
    assert snapshot is not None
    found = complete(snapshot, Position(line, column))
    return {each.label for each in found.items} if found is not None else set()


def _members(type_: str) -> set[str]:
    text = f"{HEAD}\n@torch.jit.script\ndef f(x: {type_}):\n    x.\n"
    return _offered(text, text.count("\n") - 1, 6)


def _asking(type_: str, names: list[str]) -> str:
    """A program with a function for each name that asks for the attribute of a value."""
    functions = (
        f"\n\n@torch.jit.script\ndef f{number}(x: {type_}):\n    return x.{name}()\n"
        for number, name in enumerate(names)
    )
    return HEAD + "".join(functions)


@pytest.mark.parametrize("type_", [*TYPES, *NAMED])
def test_the_twin_knows_what_is_offered_and_nothing_else(type_: str) -> None:
    offered = _members(type_)
    assert offered or type_ in ("Tuple[int, str]", "Optional[int]")
    names = sorted({*offered, *NAMES})
    facts = _analysed(_asking(type_, names)).file_facts("m.py")
    missing = {
        names[int(each.qualname[1:])]
        for each in facts.definitions
        if each.qualname[1:].isdigit() and any(finding.code in MISSING for finding in each.findings)
    }
    assert missing == set(names) - offered


def test_a_module_offers_what_it_has() -> None:
    text = HEAD + MODULE.format("self.")
    line = text[: text.index("        self.\n")].count("\n")
    offered = _offered(text, line, 13)
    assert {"linear", "helper", "forward", "training"} <= offered
    for name in sorted(offered - {"forward"}):
        facts = _analysed(HEAD + MODULE.format(f"self.{name}")).file_facts("m.py")
        codes = {finding.code for each in facts.definitions for finding in each.findings}
        assert codes.isdisjoint(MISSING | {"uncompilable-torch-function"}), name
