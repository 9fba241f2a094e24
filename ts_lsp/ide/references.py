"""Where a symbol occurs in the program.

Owns `occurrences_of`, references and highlights. Invariant: only what certainly denotes the symbol is told; a text that
does not spell the name is not looked into.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ts_lsp.ide.names import Occurrence, chunk_names
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.ide.symbol_at import Resolver, Symbol, in_file, symbol_at
from ts_lsp.records import dataclass
from ts_lsp.semantic.analysis import Analysis
from ts_lsp.text import Position, Range
from ts_lsp.values.bindings import ImportedModule, ImportedName
from ts_lsp.values.model import Unit

_KINDS = ("name", "attribute", "keyword", "imported", "registered")


@dataclass(frozen=True, slots=True)
class Reference:
    """One place where a symbol is named, in the file at `path`."""

    path: str
    range: Range
    is_write: bool


def program_paths(analysis: Analysis, path: str) -> list[str]:
    """The files of the program that the analysis knows, the one at `path` first."""
    return list(dict.fromkeys([path, *(each.path for each in analysis.workspace.given_modules())]))


def spelled(analysis: Analysis, paths: Iterable[str], name: str) -> Iterator[Unit]:
    """The units of files whose text holds a name."""
    for path in paths:
        for unit in analysis.workspace.units(path):
            if name in unit.chunk.text:
                yield unit


def occurrences_of(resolver: Resolver, symbol: Symbol, paths: Iterable[str]) -> Iterator[tuple[Unit, Occurrence]]:
    """The places in files where a symbol stands under its own name."""
    if symbol.scope is not None and symbol.unit is not None:
        for each in chunk_names(symbol.unit.chunk).of(symbol.name, "name"):
            if each.scope is symbol.scope:
                yield symbol.unit, each
        if symbol.kind != "parameter":
            return
    kinds = ("keyword",) if symbol.scope is not None else _KINDS
    for unit in spelled(resolver.analysis, paths, symbol.name):
        for each in chunk_names(unit.chunk).of(symbol.name, *kinds):
            found = resolver.symbol(unit, each)
            if found is not None and found.key == symbol.key:
                yield unit, each


def references(snapshot: Snapshot, position: Position, with_definitions: bool = True) -> tuple[Reference, ...]:
    """Every place in the program that names what stands at a place, in order of the files and places."""
    resolver = Resolver(snapshot.analysis)
    symbol = symbol_at(snapshot, position, resolver)
    if symbol is None:
        return ()
    found = _references(resolver, symbol, program_paths(snapshot.analysis, snapshot.path))
    definitions = {(spot.path, spot.range) for spot in symbol.spots}
    return tuple(each for each in found if with_definitions or (each.path, each.range) not in definitions)


def highlights(snapshot: Snapshot, position: Position) -> tuple[Reference, ...]:
    """The places in the file that name what stands at a place."""
    resolver = Resolver(snapshot.analysis)
    symbol = symbol_at(snapshot, position, resolver)
    return _references(resolver, symbol, [snapshot.path]) if symbol is not None else ()


def _references(resolver: Resolver, symbol: Symbol, paths: Iterable[str]) -> tuple[Reference, ...]:
    paths = list(paths)
    found = [_reference(unit, each) for unit, each in occurrences_of(resolver, symbol, paths)]
    found += [_reference(unit, each) for unit, each in _under_other_names(resolver, symbol, paths)]
    order = {path: index for index, path in enumerate(paths)}
    kept = dict.fromkeys(each for each in found if each.path in order)
    return tuple(sorted(kept, key=lambda each: (order[each.path], each.range)))


def _reference(unit: Unit, occurrence: Occurrence) -> Reference:
    is_write = occurrence.is_write and occurrence.kind != "imported"
    return Reference(unit.path, in_file(unit, occurrence), is_write)


def _under_other_names(resolver: Resolver, symbol: Symbol, paths: Iterable[str]) -> Iterator[tuple[Unit, Occurrence]]:
    """Where files that import something `as` another name use it."""
    if symbol.scope is not None or symbol.owner is not None:
        return
    for path in paths:
        scope = resolver.workspace.scope(path)
        for name in scope.table.bindings if scope is not None else ():
            if name == symbol.name or not _imports(resolver, path, name):
                continue
            found = resolver.of_module(path, name)
            if found is None or found.key != symbol.key:
                continue
            for unit in spelled(resolver.analysis, [path], name):
                yield from ((unit, each) for each in chunk_names(unit.chunk).of(name, "name") if each.scope is None)


def _imports(resolver: Resolver, path: str, name: str) -> bool:
    scope = resolver.workspace.scope(path)
    bindings = scope.bindings(name) if scope is not None else ()
    return bool(bindings) and isinstance(bindings[-1].source, (ImportedName, ImportedModule))
