"""The annotations that a program could have: what the compiler infers where nothing is written.

Owns `inferred_annotations`. Invariant: only types that have a written form and that all objects of a definition share;
a fix stands only where writing the annotation leaves the program what it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ts_lsp.ide.cursor import children
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.records import dataclass
from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import annotate_first_binding, annotate_parameter, annotate_return
from ts_lsp.rules.model import Fix
from ts_lsp.semantic.facts import DefinitionFacts
from ts_lsp.syntax.typecomments import signature_comment
from ts_lsp.text import Position, Range, range_of
from ts_lsp.types.model import Type, UnknownType
from ts_lsp.types.relations import contains_unknown
from ts_lsp.values.model import Unit

FunctionNode = ast.FunctionDef


@dataclass(frozen=True, eq=False, slots=True)
class Inferred:
    """A type that is not written. `place` is where the annotation would stand in the file; `kind` is that of the hint.

    `name` is the parameter or variable; empty for what a function returns.
    """

    kind: str
    place: Position
    name: str
    type: Type
    node: ast.AST
    fix: Fix | None


def functions_in(snapshot: Snapshot, stretch: Range) -> Iterator[tuple[Unit, FunctionNode]]:
    """The functions with facts that touch a stretch of the file."""
    for unit in snapshot.units:
        lines = range(unit.first_line, unit.first_line + unit.chunk.line_count + 1)
        if stretch.end_line < lines.start or stretch.line >= lines.stop:
            continue
        pending: list[ast.AST] = [unit.chunk.tree]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.FunctionDef) and snapshot.facts_at(node):
                first = unit.first_line + node.lineno - 1
                last = unit.first_line + (node.end_lineno or node.lineno) - 1
                if first <= stretch.end_line and last >= stretch.line:
                    yield unit, node
            pending.extend(each for each in children(node) if isinstance(each, (ast.FunctionDef, ast.ClassDef)))


def inferred_annotations(snapshot: Snapshot, stretch: Range) -> Iterator[Inferred]:
    """What could be annotated in the functions that touch a stretch of the file."""
    for unit, node in functions_in(snapshot, stretch):
        facts = snapshot.facts_at(node)
        context = FixContext(unit, snapshot.text, snapshot.source)
        if signature_comment(node, unit.chunk) is None:
            yield from _parameters(unit, node, facts, context)
            yield from _returned(unit, node, facts, context)
        yield from _variables(unit, node, facts, context)


def _parameters(
    unit: Unit, node: FunctionNode, facts: tuple[DefinitionFacts, ...], context: FixContext
) -> Iterator[Inferred]:
    arguments = [*node.args.args, *node.args.kwonlyargs]
    for each in arguments[1:] if facts[0].kind == "method" else arguments:
        type_ = shared_type(facts, each) if each.annotation is None else None
        if type_ is not None:
            place = range_of(each, unit.chunk.lines).moved(unit.first_line).end
            yield Inferred("parameter-types", place, each.arg, type_, each, annotate_parameter(context, each, type_))


def _returned(
    unit: Unit, node: FunctionNode, facts: tuple[DefinitionFacts, ...], context: FixContext
) -> Iterator[Inferred]:
    returned = {each.schema.returns[0].type for each in facts if each.schema is not None and each.schema.returns}
    if node.returns is not None or len(returned) != 1 or any(each.verdict == "error" for each in facts):
        return
    type_ = returned.pop()
    fix = annotate_return(context, node, type_) if not contains_unknown(type_) else None
    edit = next((each for each in fix.edits if "->" in each.text), None) if fix is not None else None
    if edit is not None:
        yield Inferred("return-types", edit.range.start, "", type_, node, fix)


def _variables(
    unit: Unit, node: FunctionNode, facts: tuple[DefinitionFacts, ...], context: FixContext
) -> Iterator[Inferred]:
    seen = {each.arg for each in (*node.args.args, *node.args.kwonlyargs)}
    for binding in facts[0].bindings:
        target = binding.node
        if binding.name in seen or not isinstance(target, ast.Name):
            continue
        seen.add(binding.name)
        type_ = shared_type(facts, target) if not binding.declared else None
        if type_ is None:
            continue
        statement = next((each for each in node.body if _assigns(each, target)), None)
        fix = annotate_first_binding(context, node, binding.name, type_) if statement is not None else None
        place = range_of(target, unit.chunk.lines).moved(unit.first_line).end
        yield Inferred("variable-types", place, binding.name, type_, target, fix)


def _assigns(statement: ast.stmt, target: ast.Name) -> bool:
    return isinstance(statement, ast.Assign) and len(statement.targets) == 1 and statement.targets[0] is target


def shared_type(facts: tuple[DefinitionFacts, ...], node: ast.AST) -> Type | None:
    """The type of a node, where the definition has the same one for all its objects and it is known."""
    found = {each.type for fact in facts for each in fact.typed if each.node is node}
    known = found.pop() if len(found) == 1 else None
    return None if known is None or isinstance(known, UnknownType) or contains_unknown(known) else known
