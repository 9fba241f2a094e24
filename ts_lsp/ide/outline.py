"""The outline of what compiles: the scripted functions, classes and modules of a file, and those of the whole program.

Owns `document_symbols` and `workspace_symbols`. Invariant: plain Python is left out; it is other servers' to show.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ts_lsp.ide.cursor import DEFINITIONS
from ts_lsp.ide.definition import definition_spot
from ts_lsp.ide.names import REGISTERS, attribute_name
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.ide.symbol_at import Spot
from ts_lsp.records import dataclass
from ts_lsp.semantic.facts import DefinitionFacts
from ts_lsp.syntax.walking import walk_statements
from ts_lsp.text import Lines, Range, range_of
from ts_lsp.types.display import annotation_form, schema_text


@dataclass(frozen=True, slots=True)
class Outlined:
    """A definition that compiles. `kind`: `function`, `method`, `class`, `module`, `interface` or `attribute`."""

    name: str
    kind: str
    detail: str
    spot: Spot
    children: tuple[Outlined, ...] = ()


def document_symbols(snapshot: Snapshot) -> tuple[Outlined, ...]:
    """The definitions of a file that compile, those inside of others below them."""
    return outline(snapshot.facts.definitions)


def outline(definitions: Iterable[DefinitionFacts]) -> tuple[Outlined, ...]:
    """Definitions of one file as a tree, each once however often it compiles."""
    found: dict[tuple[int, ...], tuple[Outlined, DefinitionFacts]] = {}
    for facts in definitions:
        spot = definition_spot(facts.unit, facts.node) if isinstance(facts.node, DEFINITIONS) else None
        if spot is not None and isinstance(facts.node, DEFINITIONS):
            place = spot.full
            order = place.line, place.column, -place.end_line, -place.end_column
            known = found.get(order)
            if known is None or known[1].verdict != "ok":
                found[order] = Outlined(facts.node.name, facts.kind, _detail(facts), spot), facts
    return tuple(_nested([found[order] for order in sorted(found)]))


def _nested(entries: list[tuple[Outlined, DefinitionFacts]]) -> Iterator[Outlined]:
    index = 0
    while index < len(entries):
        own, facts = entries[index]
        end = index + 1
        while end < len(entries) and entries[end][0].spot.full.end <= own.spot.full.end:
            end += 1
        children = [*_attributes(facts, own.spot.path), *_nested(entries[index + 1 : end])]
        children.sort(key=lambda each: (each.spot.range.line, each.spot.range.column))
        yield Outlined(own.name, own.kind, own.detail, own.spot, tuple(children))
        index = end


def _attributes(facts: DefinitionFacts, path: str) -> Iterator[Outlined]:
    """The attributes of a class that its own text defines."""
    types = {each.name: each.type for each in facts.attributes if each.kind != "dropped"}
    spots: dict[str, Spot] = {}
    for name, place, full in _defined_members(facts.node, facts.unit.chunk.lines) if types else ():
        spots.setdefault(name, Spot(path, place.moved(facts.unit.first_line), full.moved(facts.unit.first_line)))
    for name, type_ in types.items():
        if name in spots:
            yield Outlined(name, "attribute", annotation_form(type_) if type_ is not None else "", spots[name])


def _defined_members(node: ast.AST, lines: Lines) -> Iterator[tuple[str, Range, Range]]:
    """What a class body and its methods give values to: the name, where it stands, and the node around it."""
    for statement in node.body if isinstance(node, ast.ClassDef) else ():
        yield from ((each.id, range_of(each, lines), range_of(each, lines)) for each in _names_in(statement))
        if isinstance(statement, ast.FunctionDef) and statement.args.args:
            for inner in walk_statements(statement):
                for name, member in _attributes_in(inner, statement.args.args[0].arg):
                    full = range_of(member, lines)
                    yield name, attribute_name(member, lines) if isinstance(member, ast.Attribute) else full, full


def _targets(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        inside = (each.elts if isinstance(each, (ast.Tuple, ast.List)) else [each] for each in statement.targets)
        return [each for targets in inside for each in targets]
    return [statement.target] if isinstance(statement, (ast.AnnAssign, ast.AugAssign)) else []


def _names_in(statement: ast.stmt) -> Iterator[ast.Name]:
    return (each for each in _targets(statement) if isinstance(each, ast.Name))


def _attributes_in(statement: ast.stmt, self_name: str) -> Iterator[tuple[str, ast.expr]]:
    """The attributes of an object that a statement gives values to, by assignment or by name."""
    for each in _targets(statement):
        if isinstance(each, ast.Attribute) and _is_named(each.value, self_name):
            yield each.attr, each
    call = statement.value if isinstance(statement, ast.Expr) else None
    called = call.func if isinstance(call, ast.Call) else None
    registers = isinstance(called, ast.Attribute) and called.attr in REGISTERS and _is_named(called.value, self_name)
    name = call.args[0] if isinstance(call, ast.Call) and registers and call.args else None
    if isinstance(name, ast.Constant):
        yield str(name.value), name


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _detail(facts: DefinitionFacts) -> str:
    if facts.schema is None:
        return ""
    text = schema_text(facts.schema)
    return text[text.find("(") :]


def workspace_symbols(files: Iterable[Iterable[DefinitionFacts]], query: str) -> tuple[tuple[Outlined, str], ...]:
    """The definitions of files whose names hold the letters of a query in their order, each with what it stands in."""
    return tuple(
        (each, around)
        for definitions in files
        for each, around in _flat(outline(definitions), "")
        if each.kind != "attribute" and _matches(each.name, query)
    )


def _flat(entries: Iterable[Outlined], around: str) -> Iterator[tuple[Outlined, str]]:
    for each in entries:
        yield each, around
        yield from _flat(each.children, f"{around}.{each.name}" if around else each.name)


def _matches(name: str, query: str) -> bool:
    rest = iter(name.lower())
    return all(letter in rest for letter in query.lower() if not letter.isspace())
