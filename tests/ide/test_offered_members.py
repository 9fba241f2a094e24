"""What is offered behind a dot is known to the compiler, and what is not offered is not."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping

import pytest

from tests.oracle.client import Oracle
from ts_lsp.ide.completion import complete
from ts_lsp.ide.completion_items import Completion
from ts_lsp.ide.snapshot import take_snapshot
from ts_lsp.semantic.analysis import Analysis
from ts_lsp.text import Position
from ts_lsp.torchdata.loader import load
from ts_lsp.values.workspace import Workspace

HEAD = """\
import cmath
import math
import torch
import torch.nn.functional as F
from enum import Enum
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union


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


@torch.jit.interface
class Shape:
    def area(self, scale: int) -> int:
        pass


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 4)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(3, 4)])
        self.named = torch.nn.ModuleDict({"one": torch.nn.Linear(3, 4)})
        self.weight = torch.nn.Parameter(torch.zeros(3))
        self.register_buffer("table", torch.zeros(3))
        self.size = 3
        self.names = ["a"]

    def helper(self, x):
        return x

    @torch.jit.export
    def exported(self, x):
        return x

    @torch.jit.ignore
    def ignored(self, x):
        return x

    @property
    def twice(self) -> int:
        return 2 * self.size

"""
TYPES = (
    "List[int]",
    "List[str]",
    "List[bool]",
    "List[List[float]]",
    "List[Optional[int]]",
    "List[torch.Tensor]",
    "List[Pair]",
    "Dict[str, int]",
    "Dict[str, torch.Tensor]",
    "Dict[int, List[int]]",
    "str",
    "int",
    "float",
    "bool",
    "complex",
    "Tuple[int, str]",
    "Color",
    "Pair",
    "Counter",
    "Shape",
    "torch.device",
    "torch.dtype",
    "torch.Generator",
    "torch.jit.Future[int]",
    "torch.jit.Future[torch.Tensor]",
    "Optional[int]",
    "Optional[torch.Tensor]",
    "Optional[Pair]",
    "Union[int, str]",
    "Any",
    "torch.Tensor",
)
REFINED = {
    "Optional[torch.Tensor]": "if x is not None:",
    "Optional[Pair]": "if x is not None:",
    "Optional[List[int]]": "if x is not None:",
    "Union[int, str]": "if isinstance(x, str):",
}
MODULES = (
    "torch",
    "F",
    "math",
    "cmath",
    "torch.linalg",
    "torch.special",
    "torch.fft",
    "torch.nn.functional",
    "torch.jit",
)
WORDS = """
abs add append appendleft capitalize clear copy count extend float get index insert items keys left length lower mean
name nonzero numpy popitem pop relu remove replace reverse right shape size sort split start strip title type update
upper value values view width
"""
OWNERS = (
    "Device",
    "Generator",
    "str",
    "int",
    "float",
    "complex",
    "bool",
    "List",
    "Dict",
    "Tuple",
    "Future",
    "Optional",
)
MISSING = frozenset({"unknown-attribute", "optional-attribute", "class-attribute"})
IS_MISSING = "has no attribute or method"
NOT_TAKEN = re.compile(
    "Unknown builtin op|Python builtin .* is currently not supported|has no attribute|undefined value|"
    "could not be resolved|python value of type|Unknown type name|exceptions must derive|not a class|cannot be used"
)
NO_MEMBER = re.compile("has no attribute|no attribute named|unknown attribute|does not exist")
NOT_OFFERED = {
    "unchecked_unwrap_optional": "an operator of the compiler's own, which it finds as a method all the same"
}
USES_OF_A_CLASS = {
    "call": "def call{}(x: torch.Tensor):\n    {}()",
    "type": "def type{}(x: {}):\n    pass",
    "raise": "def raise{}(x: torch.Tensor):\n    raise {}('why')",
}


def _analysed(text: str) -> Analysis:
    analysis = Analysis(load(), Workspace(load()))
    analysis.apply_change("m.py", text)
    return analysis


def _offered(text: str) -> Mapping[str, Completion]:
    """What is offered at the bar in a text."""
    before, _, behind = text.partition("|")
    snapshot = take_snapshot(_analysed(before + behind), "m.py")
    assert snapshot is not None
    line = before.count("\n")
    found = complete(snapshot, Position(line, len(before) - before.rfind("\n") - 1))
    return {each.label: each for each in found.items} if found is not None else {}


@functools.cache
def _members(type_: str, condition: str = "") -> frozenset[str]:
    inner = f"    {condition}\n        x.|\n" if condition else "    x.|\n"
    return frozenset(_offered(f"{HEAD}\n@torch.jit.script\ndef f(x: {type_}):\n{inner}"))


def _asking(type_: str, names: Iterable[str], condition: str = "") -> str:
    """A program with a function for each name that asks for the attribute of a value."""
    start = f"    {condition}\n        " if condition else "    "
    functions = (
        f"\n\n@torch.jit.script\ndef f{number}(x: {type_}):\n{start}x.{name}()\n" for number, name in enumerate(names)
    )
    return HEAD + "".join(functions)


@functools.cache
def _names() -> frozenset[str]:
    """Every name that a value of some type other than Tensor has, and some that none has."""
    torch = load()
    known = (name for owner in OWNERS for name in (*torch.methods(owner), *torch.properties(owner)))
    return frozenset({*known, *WORDS.split(), "area"})


def _asked(type_: str, offered: Iterable[str]) -> list[str]:
    """The names to ask for: of Tensor all that any operator has.

    Of other types private ones only where they are offered: such as `_foreach_add` are for torch's own optimizers.
    """
    names = {*offered, *_names()}
    if type_ == "torch.Tensor":
        names |= {each.partition("::")[2] for each in load().operator_names() if each.startswith("aten::")}
    asked = (each for each in names - NOT_OFFERED.keys() if not each.startswith("__"))
    return sorted(each for each in asked if type_ == "torch.Tensor" or each in offered or not each.startswith("_"))


@pytest.mark.parametrize("type_", TYPES[:-1])
def test_the_twin_knows_what_is_offered_and_nothing_else(type_: str) -> None:
    offered = _members(type_)
    names = _asked(type_, offered)
    facts = _analysed(_asking(type_, names)).file_facts("m.py")
    missing = {
        names[int(each.qualname[1:])]
        for each in facts.definitions
        if each.qualname[1:].isdigit() and any(finding.code in MISSING for finding in each.findings)
    }
    assert missing == set(names) - offered


@pytest.mark.oracle
@pytest.mark.parametrize("type_", TYPES)
def test_the_compiler_knows_what_is_offered_and_nothing_else(type_: str, oracle: Oracle) -> None:
    _compare(type_, "", oracle)


@pytest.mark.oracle
@pytest.mark.parametrize(("type_", "condition"), REFINED.items())
def test_the_compiler_knows_the_refined_type_too(type_: str, condition: str, oracle: Oracle) -> None:
    assert _members(type_, condition) > _members(type_)
    _compare(type_, condition, oracle)


def _compare(type_: str, condition: str, oracle: Oracle) -> None:
    offered = _members(type_, condition)
    names = _asked(type_, offered)
    answer = oracle.judge({"main.py": _asking(type_, names, condition)}, "main.py")
    judged = {int(each.name[1:]): each for each in answer.entries if each.name[1:].isdigit()}
    assert len(judged) == len(names)
    known = {names[number] for number, each in judged.items() if IS_MISSING not in each.message}
    assert (offered - known, known - offered) == (set(), set())


@pytest.mark.oracle
@pytest.mark.parametrize("module", MODULES)
def test_the_compiler_takes_what_a_module_offers(module: str, oracle: Oracle) -> None:
    offered = _offered(f"{HEAD}\n@torch.jit.script\ndef f(x: torch.Tensor):\n    {module}.|\n")
    names = sorted(name for name, each in offered.items() if each.kind != "module")
    assert names
    functions = []
    for number, name in enumerate(names):
        uses = USES_OF_A_CLASS if offered[name].kind == "class" else {"call": USES_OF_A_CLASS["call"]}
        if not offered[name].is_callable and offered[name].kind != "class":
            uses = {"value": "def value{}(x: torch.Tensor):\n    {}"}
        functions += [f"\n\n@torch.jit.script\n{use.format(number, f'{module}.{name}')}\n" for use in uses.values()]
    answer = oracle.judge({"main.py": HEAD + "".join(functions)}, "main.py")
    messages: dict[str, list[str]] = {}
    for each in answer.entries:
        match = re.fullmatch(r"(?:call|type|raise|value)(\d+)", each.name)
        if match is not None:
            messages.setdefault(names[int(match[1])], []).append(each.message)
    assert len(messages) == len(names)
    refused = {name: told for name, told in messages.items() if all(map(NOT_TAKEN.search, told))}
    assert refused == {}


@pytest.mark.oracle
@pytest.mark.parametrize(
    "place", ["self", "self.linear", "self.layers", "self.named", "Color", "Pair(1, 2)", "Counter(1)"]
)
def test_the_compiler_knows_what_an_object_of_the_program_has(place: str, oracle: Oracle) -> None:
    method = "    def forward(self, x):\n        {}\n        return x\n\n\ntorch.jit.script(Block())\n"
    offered = _offered(HEAD + method.format(f"{place}.|"))
    wanted = {"self": {"linear", "helper", "forward", "training", "size", "weight", "table", "twice", "ignored"}}
    assert wanted.get(place, set()) <= set(offered)
    for name in sorted({*offered, "nonsense"} - {"forward"}):
        program = HEAD + method.format(f"y = {place}.{name}")
        answer = oracle.judge({"main.py": program}, "main.py")
        assert answer.entries, (name, answer.import_failure)
        message = answer.entries[-1].message
        assert bool(NO_MEMBER.search(message)) == (name not in offered), (name, message)


def test_a_module_offers_what_it_has() -> None:
    method = "    def forward(self, x):\n        {}\n        return x\n\ntorch.jit.script(Block())\n"
    offered = _offered(HEAD + method.format("self.|"))
    assert {"linear", "helper", "forward", "training"} <= set(offered)
    for name in sorted(set(offered) - {"forward"}):
        facts = _analysed(HEAD + method.format(f"self.{name}")).file_facts("m.py")
        codes = {finding.code for each in facts.definitions for finding in each.findings}
        assert codes.isdisjoint(MISSING | {"uncompilable-torch-function"}), name
