"""Renaming: every place that names a symbol gets another name, or it is said why not.

Owns `rename` and `prepare_rename`. Invariant: nothing is changed unless all uses can be seen, and no name then means
something else than before.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterable, Iterator, Mapping
from typing import Union

from ts_lsp.ide.names import COMPREHENSIONS, NameScope, Occurrence, chunk_names
from ts_lsp.ide.references import occurrences_of, program_paths, spelled
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.ide.symbol_at import Resolver, Symbol, in_file, is_scripted, occurrence_at, program_classes
from ts_lsp.records import dataclass
from ts_lsp.semantic.modules import lineage
from ts_lsp.text import Position, Range, TextEdit
from ts_lsp.values.model import ClassValue, FunctionValue, TorchValue, Unit

_OUTSIDE = {
    "torch": "it is not defined in this program",
    "builtin": "it is not defined in this program",
    "module": "a module is renamed by renaming its file",
}
_CALLED_BY_TORCH = frozenset({"forward", "extra_repr", "training"})


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is not renamed, for people."""

    reason: str


@dataclass(frozen=True, slots=True)
class Renamable:
    """The name that would be replaced, and where it stands."""

    name: str
    range: Range


Edits = Mapping[str, tuple[TextEdit, ...]]
"""By path, in order."""


def prepare_rename(snapshot: Snapshot, position: Position) -> Union[Renamable, Refusal, None]:
    """Whether what stands at a place can be renamed; None where there is no name in scripted code."""
    found = occurrence_at(snapshot, position)
    if found is None or not is_scripted(snapshot, position):
        return None
    unit, occurrence = found
    plan = _Plan(snapshot, unit, occurrence)
    reason = plan.obstacle()
    return Refusal(reason) if reason else Renamable(occurrence.name, in_file(unit, occurrence))


def rename(snapshot: Snapshot, position: Position, new_name: str) -> Union[Edits, Refusal, None]:
    """The edits that give what stands at a place another name; None where there is no name in scripted code."""
    found = occurrence_at(snapshot, position)
    if found is None or not is_scripted(snapshot, position):
        return None
    if not new_name.isidentifier() or keyword.iskeyword(new_name):
        return Refusal(f"`{new_name}` is not a name that Python allows")
    plan = _Plan(snapshot, *found)
    reason = plan.obstacle() or plan.conflict(new_name)
    return Refusal(reason) if reason else plan.edits(new_name)


class _Plan:
    """One renaming: the symbol and all places that name it."""

    def __init__(self, snapshot: Snapshot, unit: Unit, occurrence: Occurrence) -> None:
        self.analysis = snapshot.analysis
        self.workspace = snapshot.workspace
        self.resolver = Resolver(snapshot.analysis)
        self.name = occurrence.name
        self.symbol = self.resolver.symbol(unit, occurrence)
        self.paths = program_paths(snapshot.analysis, snapshot.path)
        self.symbols = [self.symbol, *self._overriding(self.symbol)] if self.symbol is not None else []
        self.places: list[tuple[Unit, Occurrence]] = []
        for symbol in self.symbols:
            self.places += occurrences_of(self.resolver, symbol, self.paths) if symbol.spots else ()

    def _overriding(self, symbol: Symbol) -> Iterator[Symbol]:
        """The parameters of that name of the methods that override a method, or that it overrides: callers mean all."""
        function = symbol.scope.node if symbol.kind == "parameter" and symbol.scope is not None else None
        around = symbol.scope.parent.node if symbol.scope is not None and symbol.scope.parent is not None else None
        if (
            not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
            or not isinstance(around, ast.ClassDef)
            or symbol.unit is None
        ):
            return
        own = self.resolver.class_of(symbol.unit, around)
        family = [each for each in program_classes(own) if function.name in each.members] if own is not None else []
        for each in (each for path in self.paths for each in self.workspace.definitions(path).classes):
            value = each.members.get(function.name)
            if family and each is not own and isinstance(value, FunctionValue) and family[-1] in program_classes(each):
                found = self.resolver.parameter(value, symbol.name)
                if found is not None and found.kind == "parameter":
                    yield found

    def obstacle(self) -> str:
        """Why the symbol cannot be renamed to anything; empty if it can."""
        symbol = self.symbol
        if symbol is None:
            return f"what `{self.name}` is cannot be told from the source"
        if symbol.kind in _OUTSIDE:
            return f"`{self.name}`: {_OUTSIDE[symbol.kind]}"
        if symbol.name != self.name or not symbol.spots:
            return f"where `{self.name}` is defined cannot be told from the source"
        if any(self.workspace.is_external(spot.path) for spot in symbol.spots):
            return f"`{self.name}` belongs to a library"
        return self._fixed_name(symbol) or next((why for each in self.symbols if (why := self._hidden_use(each))), "")

    def _fixed_name(self, symbol: Symbol) -> str:
        """Why others rely on the name."""
        owner = symbol.owner
        if owner is None:
            return ""
        if self.name.startswith("__") and self.name.endswith("__"):
            return f"Python itself looks for `{self.name}`"
        return f"torch itself looks for `{self.name}`" if self._is_of_torch(owner, self.name) else ""

    def _is_of_torch(self, owner: ClassValue, name: str) -> bool:
        """Whether a class of torch that `owner` derives from gives the name a meaning."""
        bases = [each.path for each in lineage(owner) if isinstance(each, TorchValue)]
        known = any(name in (self.workspace.torch_members(path) or ()) for path in bases)
        return known or bool(bases and name in _CALLED_BY_TORCH)

    def _hidden_use(self, symbol: Symbol) -> str:
        """The first use that cannot be seen whole."""
        for unit in self._searched(symbol):
            names = chunk_names(unit.chunk)
            if unit.chunk.problems:
                return f"{unit.path} mentions `{self.name}` in a part that does not parse"
            if self.name in names.unplaced:
                return f"{unit.path} uses `{self.name}` at a place that cannot be edited"
            for each in names.by_name.get(self.name, ()):
                if self._is_doubtful(symbol, unit, each):
                    line = in_file(unit, each).line + 1
                    return f"whether line {line} of {unit.path} means this `{self.name}` cannot be told"
        scope = self.workspace.scope(symbol.unit.path) if symbol.unit is not None else None
        if symbol.scope is None and symbol.owner is None and scope is not None and scope.table.writes_names:
            return f"{symbol.spots[0].path} binds names that its text does not show"
        return ""

    def _searched(self, symbol: Symbol) -> Iterable[Unit]:
        """The units that may use the symbol."""
        if symbol.kind == "local" and symbol.unit is not None:
            return (symbol.unit,)
        return spelled(self.analysis, self.paths, self.name)

    def _is_doubtful(self, symbol: Symbol, unit: Unit, each: Occurrence) -> bool:
        if symbol.scope is not None:
            is_possible = symbol.kind == "parameter" and each.kind == "keyword"
        elif symbol.owner is not None:
            is_possible = each.kind in ("attribute", "keyword", "registered", "text")
        else:
            is_possible = each.kind in ("attribute", "imported", "text")
        return is_possible and self.resolver.symbol(unit, each) is None

    def conflict(self, new_name: str) -> str:
        """What stands in the way of one new name; empty if nothing does."""
        symbol = self.symbol
        assert symbol is not None
        if new_name == self.name:
            return ""
        if symbol.owner is not None:
            return self._member_conflict(symbol, new_name)
        for unit, place in self.places:
            if place.kind != "name":
                continue
            for other in chunk_names(unit.chunk).of(new_name, "name"):
                if place.scope is None or _meets(place.scope, other):
                    return f"`{new_name}` is in use already, at line {in_file(unit, other).line + 1} of {unit.path}"
        if symbol.scope is None:
            for path in dict.fromkeys(unit.path for unit, _ in self.places):
                scope = self.workspace.scope(path)
                if scope is not None and scope.bindings(new_name):
                    return f"{path} has another `{new_name}` already"
        return ""

    def _member_conflict(self, symbol: Symbol, new_name: str) -> str:
        for path in self.paths:
            for each in self.workspace.definitions(path).classes:
                family = list(program_classes(each))
                if symbol.owner not in family:
                    continue
                own = any(self.resolver.member_spots(value, new_name) for value in family)
                if own or self._is_of_torch(each, new_name):
                    return f"`{each.name}` has another `{new_name}` already"
        return ""

    def edits(self, new_name: str) -> Edits:
        found: dict[str, dict[Range, None]] = {}
        for unit, each in self.places:
            found.setdefault(unit.path, {})[in_file(unit, each)] = None
        return {path: tuple(TextEdit(place, new_name) for place in sorted(places)) for path, places in found.items()}


def _is_within(scope: NameScope | None, around: NameScope) -> bool:
    return any(each is around for each in _outward(scope))


def _meets(scope: NameScope, other: Occurrence) -> bool:
    """Whether a name in use could be taken for one of a scope.

    The compiler knows the names of a comprehension beside those of its function; two comprehensions do not meet.
    """
    function = scope
    while isinstance(function.node, COMPREHENSIONS) and function.parent is not None:
        function = function.parent
    if other.scope is not None and isinstance(other.scope.node, COMPREHENSIONS) and scope is not function:
        return _is_within(other.scope, scope) or _is_within(scope, other.scope)
    return _is_within(other.inside, function)


def _outward(scope: NameScope | None) -> Iterator[NameScope]:
    while scope is not None:
        yield scope
        scope = scope.parent
