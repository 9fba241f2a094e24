"""How compiled code can be coloured: parameters, refined variables, builtins of torch, code that is dropped.

Owns `semantic_tokens`. Invariant: tokens are in order, each on one line, and none is outside of compiled definitions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ts_lsp.ide.inferred import functions_in
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.records import dataclass
from ts_lsp.text import Range, range_of
from ts_lsp.values.model import Unit


@dataclass(frozen=True, order=True, slots=True)
class Token:
    """A stretch of one line of the file with a type and modifiers by name."""

    line: int
    column: int
    end_column: int
    type: str
    modifiers: tuple[str, ...]


def semantic_tokens(snapshot: Snapshot, stretch: Range) -> list[Token]:
    """The tokens in a stretch of the file."""
    found = (each for unit, node in functions_in(snapshot, stretch) for each in _tokens(snapshot, unit, node))
    inside = {each for each in found if stretch.line <= each.line <= stretch.end_line}
    return sorted(inside)


def _tokens(snapshot: Snapshot, unit: Unit, node: ast.FunctionDef) -> Iterator[Token]:
    facts = snapshot.facts_at(node)
    dropped = {
        inner
        for each in facts
        for branch in each.dropped
        for statement in branch.statements
        for inner in ast.walk(statement)
    }
    parameters = {each.arg for each in (*node.args.args, *node.args.kwonlyargs)}
    declared = {binding.name: binding.type for each in facts for binding in each.bindings}
    types = {typed.node: typed.type for each in facts for typed in each.typed if typed.role == "self"}
    names = {refinement.name for each in facts for refinement in each.refinements}
    for inner in ast.walk(node):
        modifiers: tuple[str, ...] = ("scripted", *(("dropped",) if inner in dropped else ()))
        if isinstance(inner, ast.arg):
            yield _token(unit, inner, len(inner.arg), "parameter", (*modifiers, "definition"))
        elif isinstance(inner, ast.Name) and (inner.id in parameters or inner.id in declared):
            is_refined = inner.id in names and inner in types and types[inner] != declared.get(inner.id)
            kind = "parameter" if inner.id in parameters else "variable"
            yield _token(unit, inner, len(inner.id), kind, (*modifiers, "refined") if is_refined else modifiers)
        elif isinstance(inner, ast.Attribute) and inner.end_lineno == inner.value.end_lineno:
            place = range_of(inner, unit.chunk.lines).moved(unit.first_line)
            kind = "property" if inner in types else "method"
            yield Token(place.end_line, place.end_column - len(inner.attr), place.end_column, kind, modifiers)


def _token(unit: Unit, node: ast.arg | ast.Name, length: int, kind: str, modifiers: tuple[str, ...]) -> Token:
    place = range_of(node, unit.chunk.lines).moved(unit.first_line)
    return Token(place.line, place.column, place.column + length, kind, modifiers)
