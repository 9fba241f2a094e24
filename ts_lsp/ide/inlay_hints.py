"""Types between the code: what the compiler infers, what conditions teach, and what it converts without being told.

Owns `inlay_hints`. Invariant: only what the asked kinds and lines want; a hint that can be written has the edits.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from ts_lsp.ide.inferred import Inferred, functions_in, inferred_annotations
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.records import dataclass
from ts_lsp.rules.model import Edit
from ts_lsp.semantic.conversion import operator
from ts_lsp.semantic.facts import DefinitionFacts, Refinement
from ts_lsp.text import Position, Range, range_of
from ts_lsp.types.display import annotation_form
from ts_lsp.types.model import ClassType


@dataclass(frozen=True, slots=True)
class InlayHint:
    """`label` stands at `place` of the file; `edits` write it down."""

    place: Position
    label: str
    kind: str
    edits: tuple[Edit, ...] = ()
    tooltip: str = ""


def inlay_hints(snapshot: Snapshot, stretch: Range, kinds: Collection[str]) -> list[InlayHint]:
    """The hints of some kinds in a stretch of the file, in order."""
    found = [
        _hint(each)
        for each in inferred_annotations(snapshot, stretch)
        if each.kind in kinds and stretch.line <= each.place.line <= stretch.end_line and not _is_obvious(each)
    ]
    if "refinements" in kinds:
        found.extend(_refinements(snapshot, stretch))
    if "conversions" in kinds:
        found.extend(_conversions(snapshot, stretch))
    return sorted(found, key=lambda each: each.place)


def _hint(each: Inferred) -> InlayHint:
    written = annotation_form(each.type)
    label = f" -> {written}" if each.kind == "return-types" else f": {written}"
    return InlayHint(each.place, label, each.kind, each.fix.edits if each.fix is not None else ())


def _is_obvious(each: Inferred) -> bool:
    """Whether the statement itself shows the type."""
    if each.kind != "variable-types":
        return False
    return isinstance(each.type, ClassType) and each.type.is_module


def _refinements(snapshot: Snapshot, stretch: Range) -> Iterator[InlayHint]:
    """At the first use of a name for which a condition taught it another type."""
    for unit, node in functions_in(snapshot, stretch):
        told: set[Position] = set()
        for facts in snapshot.facts_at(node):
            for each in facts.refinements:
                first = _first_use(facts, each)
                if first is None or each.before == each.after:
                    continue
                place = range_of(first, unit.chunk.lines).moved(unit.first_line).end
                if stretch.line <= place.line <= stretch.end_line and place not in told:
                    told.add(place)
                    line = getattr(each.condition, "lineno", 1) + unit.first_line
                    why = f"`{ast.unparse(each.condition)}` in line {line}; before: {annotation_form(each.before)}"
                    yield InlayHint(place, f": {annotation_form(each.after)}", "refinements", (), why)


def _conversions(snapshot: Snapshot, stretch: Range) -> Iterator[InlayHint]:
    """Behind an expression that becomes another type on its way into what it is for."""
    for unit, node in functions_in(snapshot, stretch):
        for each in dict.fromkeys(each for facts in snapshot.facts_at(node) for each in facts.conversions):
            place = range_of(each.node, unit.chunk.lines).moved(unit.first_line).end
            if stretch.line <= place.line <= stretch.end_line:
                before, after = annotation_form(each.before), annotation_form(each.after)
                why = f"from `{before}` by `{operator(each.before, each.after)}`"
                yield InlayHint(place, f" → {after}", "conversions", (), why)


def _first_use(facts: DefinitionFacts, refinement: Refinement) -> ast.Name | None:
    """The first name behind a condition that has the type it taught."""
    behind = (getattr(refinement.condition, "end_lineno", 0), getattr(refinement.condition, "end_col_offset", 0))
    uses = [
        each.node
        for each in facts.typed
        if isinstance(each.node, ast.Name)
        and isinstance(each.node.ctx, ast.Load)
        and each.node.id == refinement.name
        and each.type == refinement.after
        and (each.node.lineno, each.node.col_offset) >= behind
    ]
    return min(uses, key=lambda each: (each.lineno, each.col_offset), default=None)
