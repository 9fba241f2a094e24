"""What compiles because of what: the call hierarchy along compilation.

Owns `hierarchy_at`, `compiled_because_of` and `compiles`. Invariant: the neighbours of a definition are those that the
compiler goes to or comes from directly; an entry point has nothing above it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from ts_lsp.ide.cursor import DEFINITIONS
from ts_lsp.ide.definition import definition_spot
from ts_lsp.ide.names import chunk_names
from ts_lsp.ide.references import program_paths
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.ide.symbol_at import Resolver, Spot, is_scripted, symbol_at
from ts_lsp.records import dataclass
from ts_lsp.semantic.analysis import node_of
from ts_lsp.semantic.class_definitions import ClassDefinition
from ts_lsp.semantic.functions import Compiled
from ts_lsp.semantic.modules import ModuleDefinition
from ts_lsp.text import Position, Range, range_of
from ts_lsp.values.model import Unit


@dataclass(frozen=True, slots=True)
class Station:
    """Something that compiles. `kind`: `function`, `method`, `class` or `entry` (a call that hands something over)."""

    name: str
    kind: str
    spot: Spot


@dataclass(frozen=True, slots=True)
class Step:
    """A neighbour, and the places where the one above names the one below, in the file of the one above."""

    station: Station
    places: tuple[Range, ...]


def hierarchy_at(snapshot: Snapshot, position: Position) -> tuple[Station, ...]:
    """What compiles and is named at a place, in whatever file it is defined."""
    if not is_scripted(snapshot, position):
        return ()
    symbol = symbol_at(snapshot, position)
    spots = {(spot.path, spot.range) for spot in symbol.spots} if symbol is not None else set()
    found = (_station(unit, node) for unit, node in _compiling(snapshot))
    return tuple(dict.fromkeys(each for each in found if each and (each.spot.path, each.spot.range) in spots))


def compiled_because_of(snapshot: Snapshot, position: Position) -> tuple[Step, ...]:
    """What makes the compiler come to the definition whose name begins at a place."""
    return tuple(
        Step(above, _places(snapshot, unit, node, own) or (above.spot.range,))
        for own, things in _own(snapshot, position)
        for unit, node, above in _neighbours(snapshot, things, snapshot.analysis.program.reach.users)
        if above != own
    )


def compiles(snapshot: Snapshot, position: Position) -> tuple[Step, ...]:
    """What the compiler goes to from the definition whose name begins at a place."""
    steps = []
    for own, things in _own(snapshot, position):
        unit, node = _site(things[0])
        for _, _, below in _neighbours(snapshot, things, snapshot.analysis.program.reach.needs):
            if below != own and below.kind != "entry" and unit is not None and node is not None:
                steps.append(Step(below, _places(snapshot, unit, node, below) or (own.spot.range,)))
    return tuple(steps)


def _things(snapshot: Snapshot) -> Iterator[object]:
    """Everything that compiled."""
    program = snapshot.analysis.program
    yield from program.functions.values()
    yield from program.classes.values()
    yield from program.module_definitions.values()


def _compiling(snapshot: Snapshot) -> Iterator[tuple[Unit, ast.AST]]:
    for thing in _things(snapshot):
        unit, node = _site(thing)
        if unit is not None and node is not None:
            yield unit, node


def _site(thing: object) -> tuple[Unit | None, ast.AST | None]:
    """Where what compiles is defined; nothing for what torch defines."""
    if isinstance(thing, (Compiled, ClassDefinition, ModuleDefinition)) and thing.value is not None:
        return thing.value.unit, node_of(thing)
    return None, None


def _station(unit: Unit, node: ast.AST) -> Station | None:
    spot = definition_spot(unit, node) if isinstance(node, DEFINITIONS) else None
    if spot is None or not isinstance(node, DEFINITIONS):
        return None
    if isinstance(node, ast.ClassDef):
        return Station(node.name, "class", spot)
    named = next(each for each in chunk_names(unit.chunk).of(node.name, "name") if each.node is node)
    return Station(node.name, "method" if isinstance(named.inside.node, ast.ClassDef) else "function", spot)


def _own(snapshot: Snapshot, position: Position) -> list[tuple[Station, list[object]]]:
    """The definition whose name begins at a place, with everything that it compiles to."""
    found: dict[Station, list[object]] = {}
    for thing in _things(snapshot):
        unit, node = _site(thing)
        if unit is not None and node is not None and unit.path == snapshot.path:
            station = _station(unit, node)
            if station is not None and station.spot.range.start == position:
                found.setdefault(station, []).append(thing)
    return list(found.items())


def _neighbours(
    snapshot: Snapshot, things: Iterable[object], edges: Mapping[object, Mapping[object, None]]
) -> list[tuple[Unit, ast.AST, Station]]:
    """What is one edge away, each once; answers that are worked out once are passed through."""
    found: dict[Station, tuple[Unit, ast.AST, Station]] = {}
    pending, seen = list(things), set(things)
    while pending:
        for each in edges.get(pending.pop(), ()):
            if each in seen:
                continue
            seen.add(each)
            if isinstance(each, tuple):
                pending.append(each)
                continue
            unit, node = _site(each)
            station = _station(unit, node) if unit is not None and node is not None else None
            if station is not None and unit is not None and node is not None:
                found.setdefault(station, (unit, node, station))
            elif isinstance(each, ast.AST):
                entry = _entry(snapshot, each)
                found.update({entry[2]: entry} if entry is not None else {})
    return sorted(found.values(), key=lambda each: (each[2].spot.path, each[2].spot.range))


def _entry(snapshot: Snapshot, node: ast.AST) -> tuple[Unit, ast.AST, Station] | None:
    """The place where a program hands something to the compiler."""
    for path in program_paths(snapshot.analysis, snapshot.path):
        for each in snapshot.workspace.definitions(path).entry_points:
            if each.node is node:
                place = range_of(node, each.unit.chunk.lines).moved(each.unit.first_line)
                return each.unit, node, Station(each.through, "entry", Spot(path, place, place))
    return None


def _places(snapshot: Snapshot, unit: Unit, around: ast.AST, named: Station) -> tuple[Range, ...]:
    """Where a definition names another one."""
    resolver = Resolver(snapshot.analysis)
    whole = range_of(around, unit.chunk.lines)
    found = []
    for each in chunk_names(unit.chunk).of(named.name, "name", "attribute"):
        inside = whole.start <= each.range.start and each.range.end <= whole.end
        symbol = resolver.symbol(unit, each) if inside and not each.is_write else None
        spots = symbol.spots if symbol is not None else ()
        if any((spot.path, spot.range) == (named.spot.path, named.spot.range) for spot in spots):
            found.append(each.range.moved(unit.first_line))
    return tuple(found)
