"""How compiled code can be coloured: parameters, refined variables, what torch and Python bring, code that is dropped.

Owns `file_tokens`. Invariant: tokens are in order, each on one line, and none is outside of compiled definitions. They
are read off the facts and kept with them: after an edit only what compiled again is coloured again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence

from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.records import dataclass, field
from ts_lsp.semantic.facts import DefinitionFacts
from ts_lsp.syntax.tree import Chunk
from ts_lsp.syntax.walking import walk
from ts_lsp.text import Range
from ts_lsp.types.model import ClassType, EnumType, InterfaceType, NamedTupleType, OptionalType, Type
from ts_lsp.values.model import BuiltinValue, ClassValue, FunctionValue, ModuleValue, TorchValue, Unit, Value
from ts_lsp.values.workspace import Workspace

_OF_PROGRAMS = (ClassType, EnumType, InterfaceType, NamedTupleType)
_BUILT_IN = ("defaultLibrary",)


@dataclass(frozen=True, order=True, slots=True)
class Token:
    """A stretch of one line with a type and modifiers by name. The line counts from where the holder says."""

    line: int
    column: int
    end_column: int
    type: str
    modifiers: tuple[str, ...]

    def moved(self, lines: int) -> Token:
        return Token(self.line + lines, self.column, self.end_column, self.type, self.modifiers)


@dataclass(frozen=True, eq=False, slots=True)
class UnitTokens:
    """The tokens of a chunk, in order; lines count from its first. They hold as long as the facts are those."""

    unit: Unit
    chunk: Chunk
    facts: tuple[DefinitionFacts, ...]
    tokens: tuple[Token, ...]

    def hold_for(self, unit: Unit, facts: Sequence[DefinitionFacts]) -> bool:
        is_same = unit is self.unit and unit.chunk is self.chunk and len(facts) == len(self.facts)
        return is_same and all(one is other for one, other in zip(facts, self.facts, strict=True))


FileTokens = Mapping[Unit, UnitTokens]


def file_tokens(snapshot: Snapshot, before: FileTokens | None = None) -> FileTokens:
    """The tokens of a file by its chunks, in order. What `before` has of it and still holds is taken over."""
    known = before or {}
    by_unit: dict[Unit, list[DefinitionFacts]] = {}
    for facts in snapshot.facts.definitions:
        if isinstance(facts.node, ast.FunctionDef):
            by_unit.setdefault(facts.unit, []).append(facts)
    found: dict[Unit, UnitTokens] = {}
    for unit in snapshot.units:
        facts_here = by_unit.get(unit)
        if facts_here is not None:
            kept = known.get(unit)
            if kept is None or not kept.hold_for(unit, facts_here):
                kept = UnitTokens(unit, unit.chunk, tuple(facts_here), _tokens(unit, facts_here, snapshot.workspace))
            found[unit] = kept
    return found


def semantic_tokens(snapshot: Snapshot, stretch: Range, before: FileTokens | None = None) -> list[Token]:
    """The tokens in a stretch of the file, at lines of the file."""
    return [
        moved
        for each in file_tokens(snapshot, before).values()
        if each.unit.first_line <= stretch.end_line and stretch.line <= each.unit.first_line + each.chunk.line_count
        for token in each.tokens
        if stretch.line <= (moved := token.moved(each.unit.first_line)).line <= stretch.end_line
    ]


def _tokens(unit: Unit, every: Iterable[DefinitionFacts], workspace: Workspace) -> tuple[Token, ...]:
    by_node: dict[ast.FunctionDef, list[DefinitionFacts]] = {}
    for facts in every:
        assert isinstance(facts.node, ast.FunctionDef)
        by_node.setdefault(facts.node, []).append(facts)
    painted: dict[tuple[int, int], Token] = {}
    for node, variants in by_node.items():
        painter = _Painter(unit, node, workspace, painted)
        for facts in variants:
            painter.paint(facts)
        painter.paint_dropped(variants)
    return tuple(painted[place] for place in sorted(painted))


@dataclass(eq=False, slots=True)
class _Painter:
    """Colours one function. `painted` is by line and column: the first token at a place stays."""

    unit: Unit
    node: ast.FunctionDef
    workspace: Workspace
    painted: dict[tuple[int, int], Token]
    globals: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    parameters: frozenset[str] = frozenset()

    def paint(self, facts: DefinitionFacts) -> None:
        arguments = [*self.node.args.args, *self.node.args.kwonlyargs]
        self.parameters = frozenset(each.arg for each in arguments)
        for each in arguments:
            self._add(each.lineno, each.col_offset, each.arg, "parameter", ("scripted", "definition"))
        declared = {binding.name: binding.type for binding in facts.bindings}
        refined = {refinement.name for refinement in facts.refinements}
        types = {typed.node: typed.type for typed in facts.typed if typed.role == "self"}
        for typed in facts.typed:
            node = typed.node
            if isinstance(node, ast.Name):
                local = self._local(node.id, declared)
                if local and node.id in refined and types.get(node, declared.get(node.id)) != declared.get(node.id):
                    self._add(node.lineno, node.col_offset, node.id, local, ("scripted", "refined"))
                else:
                    self._name(node, local)
            elif isinstance(node, ast.Attribute):
                self._attribute(node, types, declared)

    def _local(self, name: str, declared: Mapping[str, Type]) -> str:
        return "parameter" if name in self.parameters else "variable" if name in declared else ""

    def _name(self, node: ast.Name, local: str) -> None:
        kind, modifiers = (local, ()) if local else self._global(node.id)
        if kind:
            self._add(node.lineno, node.col_offset, node.id, kind, ("scripted", *modifiers))

    def _attribute(self, node: ast.Attribute, types: Mapping[ast.AST, Type], declared: Mapping[str, Type]) -> None:
        """An attribute, and the modules before it, which have no types."""
        modifiers: tuple[str, ...] = ()
        kind = "property" if node in types else "method"
        owner = types.get(node.value)
        if owner is not None:
            is_own = isinstance(owner.element if isinstance(owner, OptionalType) else owner, _OF_PROGRAMS)
            modifiers = () if is_own else _BUILT_IN
        root = node.value
        while isinstance(root, ast.Attribute):
            root = root.value
        if owner is None and isinstance(root, ast.Name) and not self._local(root.id, declared):
            root_kind, modifiers = self._global(root.id)
            kind = "function" if root_kind == "namespace" and kind == "method" else kind
            inner = node.value
            while isinstance(inner, ast.Attribute) and root_kind == "namespace":
                self._add_end(inner, "namespace", ("scripted", *modifiers))
                inner = inner.value
            self._name(root, "")
        self._add_end(node, kind, ("scripted", *modifiers))

    def _global(self, name: str) -> tuple[str, tuple[str, ...]]:
        """How a name is coloured that the function does not bind."""
        if name not in self.globals:
            scope = self.workspace.scope(self.unit.path)
            value = scope.lookup(name) if scope is not None else None
            self.globals[name] = self._kind_of(value)
        return self.globals[name]

    def _kind_of(self, value: Value | None) -> tuple[str, tuple[str, ...]]:
        if isinstance(value, FunctionValue):
            return "function", ()
        if isinstance(value, ClassValue):
            return "class", ()
        if isinstance(value, ModuleValue):
            return "namespace", () if self.workspace.module_scope(value.name) is not None else _BUILT_IN
        return ("function", _BUILT_IN) if isinstance(value, (TorchValue, BuiltinValue)) else ("variable", ())

    def paint_dropped(self, variants: Sequence[DefinitionFacts]) -> None:
        """What no object of the definition has compiled."""
        dropped = {each.statements for each in variants[0].dropped}
        for facts in variants[1:]:
            dropped &= {each.statements for each in facts.dropped}
        for statement in (each for statements in dropped for each in statements):
            for node in walk(statement):
                if isinstance(node, ast.Name):
                    kind = "parameter" if node.id in self.parameters else "variable"
                    self._add(node.lineno, node.col_offset, node.id, kind, ("scripted", "dropped"))
                elif isinstance(node, ast.Attribute):
                    self._add_end(node, "property", ("scripted", "dropped"))

    def _add_end(self, node: ast.Attribute, kind: str, modifiers: tuple[str, ...]) -> None:
        """A token at the end of an expression."""
        line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
        self._add(line, end - len(node.attr.encode()), node.attr, kind, modifiers)

    def _add(self, line: int, byte_column: int, text: str, kind: str, modifiers: tuple[str, ...]) -> None:
        column = self.unit.chunk.lines.column(line - 1, byte_column)
        place = line - 1, column
        if place not in self.painted:
            self.painted[place] = Token(line - 1, column, column + len(text), kind, modifiers)
