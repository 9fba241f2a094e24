"""A chunk after an edit inside the bodies of its functions, grown on the tree from before.

Owns `graft`. Invariant: in the result every node whose text and place did not change is the very node of the old tree;
only functions whose bodies changed, or that moved, are new, and the classes around them.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from typing import Union

from ts_lsp.records import dataclass, field
from ts_lsp.syntax.source import first_line_of
from ts_lsp.syntax.tree import Chunk, SyntaxProblem
from ts_lsp.text import Range

FunctionNode = Union[ast.FunctionDef, ast.AsyncFunctionDef]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Graft:
    """The chunk, and by old and new node the functions that changed or moved and the classes around them."""

    chunk: Chunk
    functions: tuple[tuple[FunctionNode, FunctionNode], ...]
    classes: tuple[tuple[ast.ClassDef, ast.ClassDef], ...]


class _Unlike(Exception):
    """The two trees differ in more than the bodies of functions."""


@dataclass(slots=True)
class _Grafting:
    old: Chunk
    new: Chunk
    functions: list[tuple[FunctionNode, FunctionNode]] = field(default_factory=list)
    classes: list[tuple[ast.ClassDef, ast.ClassDef]] = field(default_factory=list)

    def block(self, old: Sequence[ast.stmt], new: Sequence[ast.stmt]) -> list[ast.stmt]:
        if len(old) != len(new):
            raise _Unlike
        return [self.statement(*pair) for pair in zip(old, new, strict=True)]

    def statement(self, old: ast.stmt, new: ast.stmt) -> ast.stmt:
        if isinstance(old, _FUNCTIONS) and isinstance(new, _FUNCTIONS):
            return self.function(old, new)
        if isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef):
            return self.class_(old, new)
        is_same = old.lineno == new.lineno and self.old.lines.slice(_whole(old)) == self.new.lines.slice(_whole(new))
        if type(old) is not type(new) or not is_same or old.col_offset != new.col_offset:
            raise _Unlike
        return old

    def function(self, old: FunctionNode, new: FunctionNode) -> FunctionNode:
        if type(old) is not type(new) or self.header(old, self.old) != self.header(new, self.new):
            raise _Unlike
        has_moved = (old.lineno, old.col_offset) != (new.lineno, new.col_offset)
        if not has_moved:
            if self.text(old, self.old) == self.text(new, self.new):
                return old
            grown = copy.copy(old)
            grown.body, grown.end_lineno, grown.end_col_offset = new.body, new.end_lineno, new.end_col_offset
            new = grown
        self.functions.append((old, new))
        return new

    def class_(self, old: ast.ClassDef, new: ast.ClassDef) -> ast.ClassDef:
        if old.lineno != new.lineno or self.header(old, self.old) != self.header(new, self.new):
            raise _Unlike
        body = self.block(old.body, new.body)
        if all(one is other for one, other in zip(body, old.body, strict=True)):
            return old
        grown = copy.copy(old)
        grown.body, grown.end_lineno, grown.end_col_offset = body, new.end_lineno, new.end_col_offset
        self.classes.append((old, grown))
        return grown

    @staticmethod
    def header(node: FunctionNode | ast.ClassDef, chunk: Chunk) -> str:
        """From the first decorator to the first statement, comments between them included."""
        first = node.body[0]
        line = min([first.lineno, *(each.lineno for each in getattr(first, "decorator_list", ()))]) - 1
        column = first.col_offset if line == first.lineno - 1 else 0
        start = chunk.lines.offset(first_line_of(node), 0)
        return chunk.text[start : chunk.lines.offset(line, chunk.lines.column(line, column))]

    @staticmethod
    def text(node: FunctionNode, chunk: Chunk) -> tuple[str, int, tuple[SyntaxProblem, ...]]:
        """The text of a function with what cannot be read at its end or inside, which may have been its own."""
        first, end = first_line_of(node), node.end_lineno or node.lineno
        text = chunk.text[chunk.lines.offset(first, 0) : chunk.lines.offset(end, 0)]
        return text, end, tuple(each for each in chunk.problems if first <= each.range.line <= end)


def _whole(node: ast.stmt) -> Range:
    return Range(node.lineno - 1, 0, node.end_lineno or node.lineno, 0)


def graft(old: Chunk, new: Chunk) -> Graft | None:
    """`new` on the tree of `old`; None where more differs than the bodies of functions."""
    grafting = _Grafting(old, new)
    try:
        body = grafting.block(old.tree.body, new.tree.body)
    except _Unlike:
        return None
    chunk = Chunk(new.text, ast.Module(body, new.tree.type_ignores), new.problems)
    return Graft(chunk, tuple(grafting.functions), tuple(grafting.classes))
