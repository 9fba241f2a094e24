"""Modules that may be one of several.

Owns what becomes of findings when unknown constructor arguments leave a module in several worlds.
Invariant: what fails in every world is an error; what fails in some only names the world, and decides no verdict.
"""

from __future__ import annotations

from collections.abc import Sequence

from ts_lsp.records import replace
from ts_lsp.semantic.facts import DefinitionFacts, Finding
from ts_lsp.semantic.functions import Compiled
from ts_lsp.semantic.module_compilation import tree_of
from ts_lsp.semantic.modules import ModuleDefinition
from ts_lsp.semantic.program import Program
from ts_lsp.text import Range

FindingKey = tuple[str, str, int, Range]


def weigh(program: Program, worlds: Sequence[ModuleDefinition]) -> None:
    """Mark the findings that not all worlds share with the world they belong to."""
    if len(worlds) < 2:
        return
    members = [_methods(program, world) for world in worlds]
    if any(compiled.is_amended for methods in members for compiled in methods):
        return
    found = [
        {_key(facts, each) for compiled in methods for facts in _facts(compiled) for each in facts.findings}
        for methods in members
    ]
    shared = set.intersection(*found)
    told: set[FindingKey] = set()
    for world, methods in zip(worlds, members, strict=True):
        name = ", ".join(world.object.worlds)
        for compiled in methods:
            if compiled.facts is not None:
                compiled.facts = _weighed(compiled.facts, shared, told, name)
                compiled.is_amended = True
        told |= shared


def _methods(program: Program, world: ModuleDefinition) -> list[Compiled]:
    """What compiled as a method of a world's modules."""
    inside = set(tree_of(world))
    return [compiled for (_, owner, _), compiled in program.functions.items() if owner in inside]


def _facts(compiled: Compiled) -> tuple[DefinitionFacts, ...]:
    return (compiled.facts,) if compiled.facts is not None else ()


def _key(facts: DefinitionFacts, finding: Finding) -> FindingKey:
    return finding.code, facts.unit.path, facts.unit.first_line, finding.place


def _weighed(facts: DefinitionFacts, shared: set[FindingKey], told: set[FindingKey], world: str) -> DefinitionFacts:
    """The facts of one world: what all share is told once, what only some have names the world."""
    findings = tuple(
        each if _key(facts, each) in shared else replace(each, data={**each.data, "world": world})
        for each in facts.findings
        if _key(facts, each) not in told
    )
    certain = all(_key(facts, each) in shared for each in facts.findings)
    if certain and facts.verdict != "error":
        return replace(facts, findings=findings)
    if certain and facts.findings:
        return replace(facts, findings=findings)
    return replace(facts, findings=findings, verdict="unknown", first_error=None, unknown_reason=world)
