"""What a fix may look at: the text and tree of the chunk that holds a finding, and of its whole file.

Owns `FixContext`. Invariant: ranges that come in count from the chunk's first line, edits that go out from the file's.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator, Mapping

from ts_lsp.records import dataclass
from ts_lsp.rules.model import Edit
from ts_lsp.syntax.parser import parse_source
from ts_lsp.syntax.tree import Chunk, PlacedChunk, SourceFile
from ts_lsp.syntax.walking import children, walk
from ts_lsp.text import Lines, Range, range_of
from ts_lsp.values.model import Unit

_MANGLING = re.compile(r"___torch_mangle_\d+\.")
FunctionDefinition = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class FixContext:
    """One finding's surroundings. `text` is the whole file's text, `source` its chunks where they are known."""

    unit: Unit
    text: str
    source: SourceFile | None = None

    @property
    def _file(self) -> SourceFile:
        return self.source or _parsed(self.text)

    @property
    def lines(self) -> Lines:
        """The chunk's lines."""
        return self.unit.chunk.lines

    def range_of(self, node: ast.AST) -> Range:
        """The node's own range in the chunk."""
        assert isinstance(node, (ast.expr, ast.stmt, ast.arg, ast.keyword, ast.alias, ast.excepthandler))
        return range_of(node, self.lines)

    def text_of(self, place: ast.AST | Range) -> str:
        """The exact source of a node or range of the chunk."""
        return self.lines.slice(place if isinstance(place, Range) else self.range_of(place))

    def parent(self, node: ast.AST) -> ast.AST | None:
        return _parents(self.unit.chunk).get(node)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The node itself, then what holds it, outwards."""
        parents = _parents(self.unit.chunk)
        current: ast.AST | None = node
        while current is not None:
            yield current
            current = parents.get(current)

    def statement_of(self, node: ast.AST) -> ast.stmt | None:
        """The innermost statement that holds the node."""
        return next((each for each in self.ancestors(node) if isinstance(each, ast.stmt)), None)

    def function_of(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The innermost function that holds the node (the node itself, where it is one)."""
        return next((each for each in self.ancestors(node) if isinstance(each, FunctionDefinition)), None)

    def replace(self, place: ast.AST | Range, text: str) -> Edit:
        """Put `text` where the node or range of the chunk stands."""
        stretch = place if isinstance(place, Range) else self.range_of(place)
        return Edit(self.unit.path, stretch.moved(self.unit.first_line), self._with_own_line_ends(text))

    def _with_own_line_ends(self, text: str) -> str:
        """The text with line ends as this file has them."""
        end = self.text.find("\n") if "\n" in text else -1
        if end < 1 or self.text[end - 1] != "\r":
            return text
        return text.replace("\r\n", "\n").replace("\n", "\r\n")

    def insert(self, line: int, column: int, text: str) -> Edit:
        """Put `text` before that place of the chunk."""
        return self.replace(Range(line, column, line, column), text)

    def insert_after(self, node: ast.AST, text: str) -> Edit:
        stretch = self.range_of(node)
        return self.insert(stretch.end_line, stretch.end_column, text)

    def insert_statement_before(self, statement: ast.stmt, text: str) -> Edit:
        """A statement on a line of its own above `statement`, indented like it."""
        line = statement.lineno - 1
        return self.insert(line, 0, f"{self.indentation(line)}{text}\n")

    def indentation(self, line: int) -> str:
        """The blanks that the chunk's line begins with."""
        text = self.lines.line(line)
        return text[: len(text) - len(text.lstrip())]

    def starts_its_line(self, statement: ast.stmt) -> bool:
        """Whether nothing but blanks stands before the statement, so that a line can go above it."""
        stretch = self.range_of(statement)
        return not self.lines.line(stretch.line)[: stretch.column].strip()

    def ends_its_line(self, statement: ast.stmt) -> bool:
        """Whether nothing stands behind the statement, so that a line can go below it."""
        stretch = self.range_of(statement)
        return not self.lines.line(stretch.end_line)[stretch.end_column :].strip()

    def spell(self, module: str, name: str) -> tuple[str, tuple[Edit, ...]]:
        """How `module.name` is written in this file, and the import that has to be added for it, if any."""
        for bound, origin in _imports(self._file).items():
            if origin == f"{module}.{name}":
                return bound, ()
        for bound, origin in _imports(self._file).items():
            if origin == module:
                return f"{bound}.{name}", ()
        return name, (self._extended_import(module, name) or self.insert_at_top(f"from {module} import {name}"),)

    def _extended_import(self, module: str, name: str) -> Edit | None:
        """The name added to what the file imports from that module already."""
        for statement, placed in _top_level(self._file):
            if isinstance(statement, ast.ImportFrom) and statement.module == module and not statement.level:
                last = range_of(statement.names[-1], placed.chunk.lines).moved(placed.first_line)
                place = Range(last.end_line, last.end_column, last.end_line, last.end_column)
                return None if statement.names[-1].name == "*" else Edit(self.unit.path, place, f", {name}")
        return None

    def spell_class(self, qualname: str) -> str | None:
        """How a class of the program is written in this file; None where no name is sure to mean it here.

        An annotation is evaluated where it stands: what the file itself defines must stand above.
        """
        module, _, name = _MANGLING.sub("", qualname.removeprefix("__torch__.")).rpartition(".")
        for bound, origin in _imports(self._file).items():
            is_passed_on = bound == name and origin.rpartition(".")[2] == name
            if origin == f"{module}.{name}" or (is_passed_on and origin.split(".")[0] in ("", module.split(".")[0])):
                return bound
        defined = [placed.first_line for each, placed in _top_level(self._file) if _defines(each, name)]
        is_only_one = len(defined) == 1 and len(re.findall(rf"\bclass\s+{name}\b", self.text)) <= 1
        return name if is_only_one and module == self.unit.module and defined[0] < self.unit.first_line else None

    def spell_generic(self, name: str) -> tuple[str, tuple[Edit, ...]]:
        """How a generic of `typing` is written: as the file already does, else builtin where there is such a type."""
        spelled, edits = self.spell("typing", name)
        if edits and name in ("List", "Dict", "Tuple"):
            return name.lower(), ()
        return spelled, edits

    def known_names(self, node: ast.AST | None) -> set[str]:
        """The names that code at the node may use: those of the function around it and of the module's top level."""
        names = {each.id for each in self._walk_function(node) if isinstance(each, ast.Name) and _stores(each)}
        names |= {each.arg for each in self._walk_function(node) if isinstance(each, ast.arg)}
        defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        return (
            names | self.imported_names | {each.name for each, _ in _top_level(self._file) if isinstance(each, defined)}
        )

    def binds(self, name: str) -> bool:
        """Whether the file's top level binds a name."""
        return name in _imports(self._file) or any(_defines(each, name) for each, _ in _top_level(self._file))

    @property
    def imported_names(self) -> set[str]:
        """The names that the file's top-level imports bind."""
        return set(_imports(self._file))

    def class_names(self) -> set[str]:
        """The classes of the file's top level."""
        return {each.name for each, _ in _top_level(self._file) if isinstance(each, ast.ClassDef)}

    def _walk_function(self, node: ast.AST | None) -> Iterator[ast.AST]:
        function = self.function_of(node) if node is not None else None
        return ast.walk(function) if function is not None else iter(())

    def insert_at_top(self, import_statement: str) -> Edit:
        """A line among the file's first imports."""
        text = f"{import_statement}\n"
        line = 0
        for statement, placed in _top_level(self._file):
            is_docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            is_future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
            if isinstance(statement, (ast.Import, ast.ImportFrom)) and not is_future:
                line = placed.first_line + statement.lineno - 1
                break
            if not (is_docstring or is_future):
                break
            line = placed.first_line + (statement.end_lineno or statement.lineno)
        return Edit(self.unit.path, Range(line, 0, line, 0), self._with_own_line_ends(text))


@functools.lru_cache(maxsize=2)
def _parents(chunk: Chunk) -> Mapping[ast.AST, ast.AST]:
    """What holds each node of a chunk's tree."""
    return {child: parent for parent in walk(chunk.tree) for child in children(parent)}


@functools.lru_cache(maxsize=4)
def _parsed(text: str) -> SourceFile:
    return parse_source(text)


@functools.lru_cache(maxsize=4)
def _top_level(file: SourceFile) -> tuple[tuple[ast.stmt, PlacedChunk], ...]:
    """The statements of a file, with what their places count from; none where a part of it does not parse."""
    if any(placed.chunk.problems for placed in file.chunks):
        return ()
    return tuple((statement, placed) for placed in file.chunks for statement in placed.chunk.tree.body)


@functools.lru_cache(maxsize=4)
def _imports(file: SourceFile) -> Mapping[str, str]:
    """The dotted origin of each name that a top-level import binds."""
    names: dict[str, str] = {}
    for statement, _ in _top_level(file):
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                root = alias.name.split(".")[0]
                names[alias.asname or root] = alias.name if alias.asname else root
        elif isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                names[alias.asname or alias.name] = f"{'.' * statement.level}{statement.module or ''}.{alias.name}"
    return names


def _defines(statement: ast.stmt, name: str) -> bool:
    if isinstance(statement, ast.Assign):
        return any(isinstance(each, ast.Name) and each.id == name for each in statement.targets)
    return isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and statement.name == name


def _stores(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)
