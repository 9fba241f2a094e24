"""The blocks of a file: what can be folded, and what a growing selection takes in.

Owns `folding_ranges` and `selection_ranges`. Invariant: read off the trees, of compiled definitions and of code
that is not compiled inside them, as other servers answer for the rest.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ts_lsp.ide.cursor import DEFINITIONS, children, cursor_at
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.text import Position, Range

_BLOCKS = (*DEFINITIONS, ast.If, ast.For, ast.While, ast.With)


def folding_ranges(snapshot: Snapshot) -> Iterator[tuple[int, int]]:
    """The first and last line of each block of compiled definitions."""
    for unit in snapshot.units:
        pending: list[tuple[ast.AST, bool]] = [(unit.chunk.tree, False)]
        while pending:
            node, is_inside = pending.pop()
            inside = is_inside or bool(isinstance(node, DEFINITIONS) and snapshot.facts_at(node))
            if isinstance(node, _BLOCKS) and inside and (node.end_lineno or 0) > node.lineno:
                first = unit.first_line + node.lineno - 1
                yield first, unit.first_line + (node.end_lineno or node.lineno) - 1
            pending.extend((each, inside) for each in children(node) if isinstance(each, ast.stmt))


def selection_ranges(snapshot: Snapshot, position: Position) -> list[Range]:
    """What a selection at a place grows to, the smallest first; nothing outside of what compiles."""
    cursor = cursor_at(snapshot, position)
    found: list[Range] = []
    if cursor is None or not any(snapshot.facts_at(each) for each in cursor.nodes if isinstance(each, DEFINITIONS)):
        return found
    for node in cursor.nodes:
        if hasattr(node, "lineno"):
            place = _with_decorators(node, snapshot.place(cursor.unit, node), cursor.unit.first_line)
            is_wider = not found or (place.start <= found[-1].start and place.end >= found[-1].end)
            if place.touches(position) and is_wider and place not in found[-1:]:
                found.append(place)
    return found


def _with_decorators(node: ast.AST, place: Range, first_line: int) -> Range:
    lines = [each.lineno - 1 + first_line for each in getattr(node, "decorator_list", ())]
    return Range(min([place.line, *lines]), place.column, place.end_line, place.end_column)
