"""Where things are defined: what a name denotes, the class of a value, and what implements a class or method.

Owns the answers. Invariant: a place in the program's text, or none; what torch defines is not told here.
"""

from __future__ import annotations

import ast

from ts_lsp.ide.cursor import DEFINITIONS, cursor_at
from ts_lsp.ide.names import defined_name
from ts_lsp.ide.references import program_paths
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.ide.symbol_at import (
    Resolver,
    Spot,
    Symbol,
    class_behind,
    is_scripted,
    occurrence_at,
    program_classes,
    symbol_at,
)
from ts_lsp.text import Position, Range, range_of
from ts_lsp.types.model import DictType, ListType, TupleType, Type, UnionType
from ts_lsp.values.model import ClassValue, FunctionValue, InstanceValue, Unit


def definition(snapshot: Snapshot, position: Position) -> tuple[Spot, ...]:
    """Where what stands at a place is defined: a local where it is bound first, which is what gives it its type."""
    symbol = symbol_at(snapshot, position)
    if symbol is None or not symbol.spots:
        return ()
    is_last = symbol.kind in ("function", "class", "variable")
    return (symbol.spots[-1 if is_last else 0],)


def type_definition(snapshot: Snapshot, position: Position) -> tuple[Spot, ...]:
    """The classes of the program that the type of what stands at a place mentions."""
    cursor = cursor_at(snapshot, position)
    if cursor is None or not is_scripted(snapshot, position):
        return ()
    resolver = Resolver(snapshot.analysis)
    found = [value for type_ in cursor.types(cursor.node) for value in _classes_in(resolver, type_)]
    named = occurrence_at(snapshot, position)
    if not found and named is not None and isinstance(named[1].node, (ast.Name, ast.Attribute)):
        value = resolver.value(named[0], named[1].node, named[1].inside)
        owner = class_behind(value) if isinstance(value, InstanceValue) else None
        found = [owner] if owner is not None else []
    return tuple(dict.fromkeys(spot for each in found if (spot := class_spot(each)) is not None))


def _classes_in(resolver: Resolver, type_: Type) -> list[ClassValue]:
    own = resolver.class_of_type(type_)
    if own is not None:
        return [own]
    inner: tuple[Type, ...] = ()
    if isinstance(type_, ListType):
        inner = (type_.element,)
    elif isinstance(type_, DictType):
        inner = (type_.key, type_.value)
    elif isinstance(type_, TupleType):
        inner = type_.elements
    elif isinstance(type_, UnionType):
        inner = type_.members
    return [value for each in inner for value in _classes_in(resolver, each)]


def implementation(snapshot: Snapshot, position: Position) -> tuple[Spot, ...]:
    """What implements an interface or its method, derives from a class, or overrides a method; else the definition."""
    resolver = Resolver(snapshot.analysis)
    symbol = symbol_at(snapshot, position, resolver)
    if symbol is None:
        return ()
    if symbol.kind == "class":
        base = _class_of(resolver, symbol)
        return tuple(spot for each in _below(snapshot, base) if (spot := class_spot(each)) is not None)
    if symbol.kind == "method":
        found = [spot for each in _below(snapshot, symbol.owner) for spot in resolver.member_spots(each, symbol.name)]
        own = symbol.spots if symbol.owner is None or symbol.owner.kind != "interface" else ()
        return tuple(dict.fromkeys([*own, *found]))
    return definition(snapshot, position)


def _class_of(resolver: Resolver, symbol: Symbol) -> ClassValue | None:
    nodes = {spot.full for spot in symbol.spots}
    unit = symbol.unit
    for each in resolver.workspace.definitions(unit.path).classes if unit is not None else ():
        if each.node is not None and each.name == symbol.name and _place(each.unit, each.node) in nodes:
            return each
    return None


def _below(snapshot: Snapshot, base: ClassValue | None) -> list[ClassValue]:
    """The classes of the program that derive from a class, or have every method of an interface."""
    if base is None:
        return []
    paths = program_paths(snapshot.analysis, snapshot.path)
    classes = [each for path in paths for each in snapshot.workspace.definitions(path).classes if each is not base]
    if base.kind == "interface":
        wanted = {name for name, each in base.members.items() if isinstance(each, FunctionValue)}
        return [each for each in classes if each.kind != "interface" and wanted <= _method_names(each)]
    return [each for each in classes if any(above is base for above in program_classes(each))]


def _method_names(value: ClassValue) -> set[str]:
    every = (item for each in program_classes(value) for item in each.members.items())
    return {name for name, member in every if isinstance(member, FunctionValue)}


def class_spot(value: ClassValue) -> Spot | None:
    """Where a class is defined."""
    return definition_spot(value.unit, value.node) if value.node is not None else None


def definition_spot(unit: Unit, node: ast.AST) -> Spot | None:
    """Where the name of a function or class stands that `node` defines."""
    name = defined_name(node, unit.chunk.lines) if isinstance(node, DEFINITIONS) else None
    return Spot(unit.path, name.moved(unit.first_line), _place(unit, node)) if name is not None else None


def _place(unit: Unit, node: ast.AST) -> Range:
    return range_of(node, unit.chunk.lines).moved(unit.first_line)
