"""Every name that a chunk's text holds, and the scope it belongs to: Python's rules, read off the tree.

Owns `ChunkNames`. Invariant: worked out once for a chunk, at a cost linear in it; ranges count from the chunk's first
line and cover exactly the name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Union

from ts_lsp.records import dataclass, field
from ts_lsp.syntax.tree import Chunk
from ts_lsp.syntax.walking import children, walk
from ts_lsp.text import Lines, Position, Range, range_of
from ts_lsp.weakcache import cached_weakly

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_DEFINES = re.compile(r"(?:(?:async\s+)?def|class)\s+")
_WORD = re.compile(r"[^\W\d]\w*")
_BY_TEXT = frozenset({"getattr", "setattr", "hasattr", "delattr"})
REGISTERS = frozenset({"register_buffer", "register_parameter", "add_module", "register_module"})
_LISTS_OF_NAMES = frozenset({"__constants__", "__slots__", "__annotations__", "__all__"})
_TYPE_COMMENT = re.compile(r"#\s*type:(?!\s*ignore)")
AnyFunction = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]
_Comprehension = Union[ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp]


@dataclass(eq=False)
class NameScope:
    """A stretch of code with names of its own: a module (in it nothing is kept), function, class or comprehension."""

    node: ast.AST
    parent: NameScope | None
    bound: set[str] = field(default_factory=set)
    outer: dict[str, str] = field(default_factory=dict)
    """Names declared `global` or `nonlocal`."""

    def owner_of(self, name: str) -> NameScope | None:
        """The scope that a name used here belongs to; None for the module's and what is built in."""
        scope: NameScope | None = self
        while scope is not None and scope.parent is not None:
            declared = scope.outer.get(name)
            if declared == "global":
                return None
            is_seen = scope is self or not isinstance(scope.node, ast.ClassDef)
            if is_seen and name in scope.bound and declared is None:
                return scope
            scope = scope.parent
        return None


@dataclass(frozen=True, eq=False)
class Occurrence:
    """A name in the text.

    `kind`: `name`, `attribute`, `keyword` of a call, `imported` (the name that it has in the other module),
    `registered` (an attribute that `register_buffer` or the like makes), `text` (a string that names something).
    `scope` is where a `name` belongs, None for the module; `inside` where it stands. `node` is the tree node around.
    """

    name: str
    kind: str
    range: Range
    is_write: bool
    node: ast.AST
    inside: NameScope
    scope: NameScope | None = None
    around: ast.AST | None = None
    """Of a keyword its call, of what is imported the statement."""


@dataclass(frozen=True, eq=False)
class ChunkNames:
    """The occurrences of names in a chunk, by the name and by the line, in order."""

    by_name: dict[str, list[Occurrence]]
    by_line: dict[int, list[Occurrence]]
    unplaced: frozenset[str]
    """Names that occur where no place is known, such as inside of f-strings under older Pythons."""

    def at(self, place: Position) -> Occurrence | None:
        """What stands at a place; of two that touch there the one that begins there."""
        found = [each for each in self.by_line.get(place.line, ()) if each.range.touches(place)]
        return found[-1] if found else None

    def of(self, name: str, *kinds: str) -> Iterator[Occurrence]:
        return (each for each in self.by_name.get(name, ()) if each.kind in kinds)


@cached_weakly
def chunk_names(chunk: Chunk) -> ChunkNames:
    """The names of a chunk."""
    collector = _Collector(chunk.lines)
    collector.collect(chunk.tree)
    if "type:" in chunk.text:
        for comment in chunk.comments:
            match = _TYPE_COMMENT.match(comment.text)
            if match is not None:
                collector.words(comment.range, match.end(), chunk.tree, collector.module)
    by_name: dict[str, list[Occurrence]] = {}
    by_line: dict[int, list[Occurrence]] = {}
    for each in sorted(collector.resolved(), key=lambda each: (each.range.line, each.range.column)):
        by_name.setdefault(each.name, []).append(each)
        by_line.setdefault(each.range.line, []).append(each)
    return ChunkNames(by_name, by_line, frozenset(collector.unplaced))


class _Collector:
    """Walks a tree without recursion: what is bound in a scope counts for all of it, so the order does not matter."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.module = NameScope(ast.Module([], []), None)
        self.found: list[Occurrence] = []
        self.unplaced: set[str] = set()
        self.pending: list[tuple[ast.AST, NameScope, bool]] = []

    def resolved(self) -> Iterator[Occurrence]:
        for each in self.found:
            if each.kind != "name":
                yield each
                continue
            scope = each.inside.owner_of(each.name)
            yield Occurrence(
                each.name, each.kind, each.range, each.is_write, each.node, each.inside, scope, each.around
            )

    def collect(self, tree: ast.Module) -> None:
        self.later(tree.body, self.module)
        while self.pending:
            node, scope, is_type = self.pending.pop()
            self._visit(node, scope, is_type)

    def later(self, nodes: Iterable[ast.AST | None], scope: NameScope, is_type: bool = False) -> None:
        self.pending.extend((node, scope, is_type) for node in nodes if node is not None)

    def _visit(self, node: ast.AST, scope: NameScope, is_type: bool) -> None:
        if isinstance(node, _FUNCTIONS):
            self._function(node, scope)
        elif isinstance(node, ast.ClassDef):
            self._bind_definition(node, scope)
            self.later([*node.decorator_list, *node.bases, *node.keywords], scope)
            self.later(node.body, NameScope(node, scope))
        elif isinstance(node, COMPREHENSIONS):
            self._comprehension(node, scope)
        elif isinstance(node, ast.AnnAssign):
            self.later([node.target, node.value], scope)
            self.later([node.annotation], scope, True)
        else:
            self._leaf(node, scope, is_type)
            self.later(children(node), scope, is_type and not isinstance(node, ast.Call))

    def _leaf(self, node: ast.AST, scope: NameScope, is_type: bool) -> None:
        """What a node that opens no scope says itself."""
        if isinstance(node, ast.Name):
            is_write = not isinstance(node.ctx, ast.Load)
            if is_write:
                scope.bound.add(node.id)
            self._add(node.id, "name", range_of(node, self.lines), is_write, node, scope)
        elif isinstance(node, ast.Attribute):
            self._add(
                node.attr,
                "attribute",
                attribute_name(node, self.lines),
                not isinstance(node.ctx, ast.Load),
                node,
                scope,
            )
        elif isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg is not None:
                    self._at_start(keyword, keyword.arg, "keyword", scope, node)
            self._names_as_text(node, scope)
        elif isinstance(node, ast.Assign):
            if any(isinstance(each, ast.Name) and each.id in _LISTS_OF_NAMES for each in node.targets):
                self._texts(walk(node.value), "text", node, scope)
        elif isinstance(node, ast.NamedExpr):
            self._walrus(node, scope)
        elif isinstance(node, ast.Constant) and is_type and isinstance(node.value, str):
            place = range_of(node, self.lines)
            if place.line == place.end_line:
                self.words(place, 0, node, scope)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self._import(node, scope)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            for name in node.names:
                scope.outer[name] = "global" if isinstance(node, ast.Global) else "nonlocal"
                self._bind_behind(node, name, scope, r".*?\b", binds=False)
        elif isinstance(node, ast.ExceptHandler) and node.name is not None:
            self._bind_behind(node, node.name, scope, r"except.*?\bas\s+")
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name is not None:
            self._bind_behind(node, node.name, scope, r".*\b")
        elif isinstance(node, ast.MatchMapping) and node.rest is not None:
            self._bind_behind(node, node.rest, scope, r".*\*\*\s*")

    def _add(
        self,
        name: str,
        kind: str,
        place: Range,
        is_write: bool,
        node: ast.AST,
        inside: NameScope,
        around: ast.AST | None = None,
    ) -> None:
        """Notes a name, where the text does spell it so at that place."""
        if self.lines.line(place.line)[place.column : place.end_column] == name:
            self.found.append(Occurrence(name, kind, place, is_write, node, inside, None, around))
        else:
            self.unplaced.add(name)

    def _at_start(
        self, node: ast.AST, name: str, kind: str, scope: NameScope, around: ast.AST | None = None, binds: bool = False
    ) -> None:
        if binds:
            scope.bound.add(name)
        start = range_of(node, self.lines).start
        place = Range(start.line, start.column, start.line, start.column + len(name))
        self._add(name, kind, place, binds, node, scope, around)

    def _bind_behind(self, node: ast.AST, name: str, scope: NameScope, before: str, binds: bool = True) -> None:
        """Binds a name that the tree has no place for, spelled behind what `before` matches."""
        if binds:
            scope.bound.add(name)
        place = range_of(node, self.lines)
        start = self.lines.offset(place.line, place.column)
        end = self.lines.offset(place.end_line, place.end_column)
        pattern = re.compile(rf"{before}({re.escape(name)})(?!\w)", re.DOTALL)
        match = pattern.match(self.lines.text, start, end)
        if match is not None:
            line, column = self.lines.position(match.start(1))
            self._add(name, "name", Range(line, column, line, column + len(name)), binds, node, scope)

    def _bind_definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, scope: NameScope) -> None:
        scope.bound.add(node.name)
        place = defined_name(node, self.lines)
        if place is not None:
            self._add(node.name, "name", place, True, node, scope)

    def _function(self, node: AnyFunction, scope: NameScope) -> None:
        inside = NameScope(node, scope)
        signature = node.args
        self.later([*signature.defaults, *signature.kw_defaults], scope)
        for each in parameters(node):
            self._at_start(each, each.arg, "name", inside, binds=True)
            self.later([each.annotation], scope, True)
        if isinstance(node, ast.Lambda):
            self.later([node.body], inside)
            return
        self._bind_definition(node, scope)
        self.later(node.decorator_list, scope)
        self.later([node.returns], scope, True)
        self.later(node.body, inside)

    def _comprehension(self, node: _Comprehension, scope: NameScope) -> None:
        inside = NameScope(node, scope)
        self.later([node.generators[0].iter], scope)
        for index, each in enumerate(node.generators):
            self.later([each.target, *each.ifs, each.iter if index else None], inside)
        self.later([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt], inside)

    def _walrus(self, node: ast.NamedExpr, scope: NameScope) -> None:
        """Its name belongs to the function around a comprehension."""
        outer = scope
        while isinstance(outer.node, COMPREHENSIONS) and outer.parent is not None:
            outer.outer.setdefault(node.target.id, "nonlocal")
            outer = outer.parent
        outer.bound.add(node.target.id)

    def _import(self, node: ast.Import | ast.ImportFrom, scope: NameScope) -> None:
        for each in node.names:
            bound = each.asname or each.name.split(".")[0]
            if each.asname is None:
                self._at_start(each, bound, "name", scope, node, binds=True)
                continue
            scope.bound.add(bound)
            end = range_of(each, self.lines).end
            place = Range(end.line, end.column - len(bound), end.line, end.column)
            self._add(bound, "name", place, True, each, scope, node)
            if isinstance(node, ast.ImportFrom):
                self._at_start(each, each.name, "imported", scope, node)

    def _names_as_text(self, node: ast.Call, scope: NameScope) -> None:
        """What a call names by a string."""
        called = node.func
        if isinstance(called, ast.Name) and called.id in _BY_TEXT:
            self._texts(node.args[1:2], "text", node, scope)
        elif isinstance(called, ast.Attribute) and called.attr in REGISTERS:
            self._texts(node.args[:1], "registered", called, scope)

    def _texts(self, nodes: Iterable[ast.AST], kind: str, around: ast.AST, scope: NameScope) -> None:
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
                place = range_of(node, self.lines)
                column = self.lines.line(place.line).find(node.value, place.column)
                name = Range(place.line, column, place.line, column + len(node.value))
                self._add(node.value, kind, name, kind == "registered", around, scope)

    def words(self, place: Range, skipped: int, node: ast.AST, scope: NameScope) -> None:
        """The names in a type that is written as text."""
        line = self.lines.line(place.line)
        for match in _WORD.finditer(line, place.column + skipped, place.end_column):
            if line[match.start() - 1 : match.start()] != ".":
                word = Range(place.line, match.start(), place.line, match.end())
                self._add(match.group(), "name", word, False, node, scope)


def defined_name(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, lines: Lines) -> Range | None:
    """Where the name of a definition stands in its chunk; None where the text spells it otherwise."""
    match = _DEFINES.match(lines.text, lines.offset(node.lineno - 1, lines.column(node.lineno - 1, node.col_offset)))
    if match is None or not lines.text.startswith(node.name, match.end()):
        return None
    line, column = lines.position(match.end())
    return Range(line, column, line, column + len(node.name))


def attribute_name(node: ast.Attribute, lines: Lines) -> Range:
    """Where the name of an attribute stands in its chunk."""
    place = range_of(node, lines)
    return Range(place.end_line, place.end_column - len(node.attr), place.end_line, place.end_column)


def parameters(node: AnyFunction) -> list[ast.arg]:
    """All parameters of a function, in the order of the text."""
    signature = node.args
    starred = [signature.vararg] if signature.vararg else []
    keywords = [signature.kwarg] if signature.kwarg else []
    return [*signature.posonlyargs, *signature.args, *starred, *signature.kwonlyargs, *keywords]
