"""The outline of what compiles: the scripted functions, classes and modules of a file, and those of the whole program.

Owns `document_symbols` and `workspace_symbols`. Invariant: plain Python is left out; it is other servers' to show.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ts_lsp.ide.cursor import DEFINITIONS
from ts_lsp.ide.definition import definition_spot
from ts_lsp.ide.names import chunk_names
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.ide.symbol_at import Spot, full_range, in_file, self_class
from ts_lsp.records import dataclass
from ts_lsp.semantic.facts import DefinitionFacts
from ts_lsp.text import Range
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
    found: dict[Range, tuple[Outlined, DefinitionFacts]] = {}
    for facts in definitions:
        spot = definition_spot(facts.unit, facts.node) if isinstance(facts.node, DEFINITIONS) else None
        if spot is not None and isinstance(facts.node, DEFINITIONS):
            known = found.get(spot.full)
            if known is None or known[1].verdict != "ok":
                found[spot.full] = Outlined(facts.node.name, facts.kind, _detail(facts), spot), facts
    entries = sorted(found.values(), key=lambda each: (each[0].spot.full.start, _backwards(each[0].spot.full)))
    return tuple(_nested(entries))


def _backwards(place: Range) -> tuple[int, int]:
    return -place.end_line, -place.end_column


def _nested(entries: list[tuple[Outlined, DefinitionFacts]]) -> Iterator[Outlined]:
    index = 0
    while index < len(entries):
        own, facts = entries[index]
        end = index + 1
        while end < len(entries) and entries[end][0].spot.full.end <= own.spot.full.end:
            end += 1
        children = [*_attributes(facts, own.spot.path), *_nested(entries[index + 1 : end])]
        children.sort(key=lambda each: each.spot.range)
        yield Outlined(own.name, own.kind, own.detail, own.spot, tuple(children))
        index = end


def _attributes(facts: DefinitionFacts, path: str) -> Iterator[Outlined]:
    """The attributes of a class that its own text defines."""
    types = {each.name: each.type for each in facts.attributes if each.kind != "dropped"}
    names = chunk_names(facts.unit.chunk) if types else None
    for name, type_ in types.items():
        for each in names.of(name, "name", "attribute", "registered") if names is not None else ():
            owner = each.scope.node if each.scope is not None else None
            if isinstance(each.node, ast.Attribute):
                owner = self_class(each.node.value, each.inside)
            if each.is_write and owner is facts.node:
                place = in_file(facts.unit, each)
                detail = annotation_form(type_) if type_ is not None else ""
                yield Outlined(name, "attribute", detail, Spot(path, place, full_range(facts.unit, each)))
                break


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
