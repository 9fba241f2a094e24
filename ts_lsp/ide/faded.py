"""Code of compiled definitions that the compiler leaves out, for editors that can show it paler.

Owns `faded`. Invariant: only what no object of a definition has compiled; a definition without such code costs one look
at it.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.records import dataclass
from ts_lsp.semantic.facts import DefinitionFacts
from ts_lsp.text import Range
from ts_lsp.values.model import FunctionValue
from ts_lsp.weakcache import cached_weakly

DROPPED_BRANCHES = "dropped-branches"
UNREACHED_METHODS = "unreached-methods"


@dataclass(frozen=True, slots=True, order=True)
class Faded:
    """A stretch of the file that is not compiled; `code` is the kind that the settings know it by."""

    range: Range
    code: str
    message: str


def faded(snapshot: Snapshot, kinds: Collection[str]) -> tuple[Faded, ...]:
    """What is left out, of some kinds, in the order of the file."""
    found: set[Faded] = set()
    if DROPPED_BRANCHES in kinds:
        found.update(_branches(snapshot))
    if UNREACHED_METHODS in kinds:
        found.update(_methods(snapshot))
    return tuple(sorted(found))


@cached_weakly
def _written(condition: ast.AST) -> str:
    return ast.unparse(condition)


def _branches(snapshot: Snapshot) -> Iterator[Faded]:
    """Branches that are dropped for every object that their function compiles for."""
    nodes = {facts.node for facts in snapshot.facts.definitions if facts.dropped}
    variants: dict[ast.AST, list[DefinitionFacts]] = {}
    for facts in snapshot.facts.definitions if nodes else ():
        if facts.node in nodes:
            variants.setdefault(facts.node, []).append(facts)
    for every in variants.values():
        shared = set.intersection(*({each.statements for each in facts.dropped} for facts in every))
        unit = every[0].unit
        for branch in every[0].dropped:
            if unit.path == snapshot.path and branch.statements and branch.statements in shared:
                start = snapshot.place(unit, branch.statements[0]).start
                end = snapshot.place(unit, branch.statements[-1]).end
                line = getattr(branch.condition, "lineno", 1) + unit.first_line
                message = f"not compiled: `{_written(branch.condition)}` in line {line} decides it before that"
                place = Range(start.line, start.column, end.line, end.column)
                yield Faded(place, DROPPED_BRANCHES, message)


def _methods(snapshot: Snapshot) -> Iterator[Faded]:
    """Methods of compiled classes that only Python calls. Constructors are none: they make what is compiled."""
    compiled = {facts.node for facts in snapshot.facts.definitions if isinstance(facts.node, ast.ClassDef)}
    for each in snapshot.facts.unreached:
        value = each.value
        if not isinstance(value, FunctionValue) or value.owner is None or value.node is None:
            continue
        if value.owner.node in compiled and value.name != "__init__":
            place = snapshot.place(value.unit, value.node)
            yield Faded(place, UNREACHED_METHODS, f"not compiled: {each.why}")
