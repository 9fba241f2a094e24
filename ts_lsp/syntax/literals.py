"""Source text inside string literals: where each character of a string stands in its file.

Owns `placed_tree`. Invariant: the trees it gives have the positions of the text around the literal, so that everything
that reads positions works on them as on any other code.
"""

from __future__ import annotations

import ast
import bisect
import re
from collections.abc import Iterator

from ts_lsp.records import dataclass
from ts_lsp.syntax.quiet import without_warnings

_START = re.compile(r"(?P<prefix>[rRuU]?)(?P<quote>\"\"\"|'''|\"|')")
_BETWEEN = re.compile(r"(?:[\s()]|\\\n|#[^\n]*)+")
_ESCAPE = re.compile(r"\\(?:\r\n|N\{[^}]*\}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Piece:
    """One character of a string and the stretch of the source that stands for it."""

    text: str
    start: int
    end: int


def placed_tree(literal: ast.Constant, source: str) -> ast.Module | None:
    """The tree of the Python text that a string literal holds, its positions those in `source`.

    `literal` is a node of the tree of `source`. None where the text does not parse, or its place cannot be told.
    """
    pieces = _pieces(literal, source)
    if pieces is None:
        return None
    text, kept = _dedented("".join(piece.text for piece in pieces))
    try:
        with without_warnings():
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    _move(tree, text, [pieces[index] for index in kept], source)
    return tree


def _dedented(text: str) -> tuple[str, list[int]]:
    """The text without its common indentation, and the index that each character had before."""
    lines = text.splitlines(keepends=True)
    margin = min((_indent(line) for line in lines if line.strip()), default=0)
    plain: list[str] = []
    kept: list[int] = []
    start = 0
    for line in lines:
        skipped = min(margin, _indent(line))
        plain.append(line[skipped:])
        kept.extend(range(start + skipped, start + len(line)))
        start += len(line)
    return "".join(plain), kept


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _pieces(literal: ast.Constant, source: str) -> list[_Piece] | None:
    """The characters of a literal's value; None where reading the source does not give that very value."""
    start = _offset(source, literal.lineno, literal.col_offset)
    end = _offset(source, literal.end_lineno or literal.lineno, literal.end_col_offset or 0)
    pieces = list(_scanned(source, start, end))
    return pieces if "".join(piece.text for piece in pieces) == literal.value else None


def _offset(source: str, line: int, column: int) -> int:
    lines = re.split(r"(?<=\n)", source)
    before = lines[: line - 1]
    return sum(map(len, before)) + len(lines[line - 1].encode()[:column].decode(errors="ignore"))


def _scanned(source: str, start: int, end: int) -> Iterator[_Piece]:
    at = start
    while at < end:
        between = _BETWEEN.match(source, at, end)
        at = between.end() if between else at
        opened = _START.match(source, at, end)
        if opened is None:
            return
        is_raw, quote, at = opened["prefix"] in "rR" and opened["prefix"] != "", opened["quote"], opened.end()
        while at < end and not source.startswith(quote, at):
            escape = _ESCAPE.match(source, at, end) if not is_raw else None
            if escape is not None:
                text = _unescaped(escape.group())
                if text:
                    yield _Piece(text, at, escape.end())
                at = escape.end()
            else:
                stop = at + (2 if is_raw and source[at] == "\\" else 1)
                for index in range(at, stop):
                    yield _Piece(source[index], index, index + 1)
                at = stop
        at += len(quote)


def _unescaped(escape: str) -> str:
    try:
        with without_warnings():
            return str(ast.literal_eval(f"'''{escape}'''"))
    except (SyntaxError, ValueError):
        return escape


def _move(tree: ast.Module, text: str, pieces: list[_Piece], source: str) -> None:
    """Gives the nodes of a tree of `text` the positions that their characters have in `source`."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    lines = text.split("\n")
    marks = _Marks(source)

    def index(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode(errors="ignore"))

    for node in ast.walk(tree):
        if not isinstance(node, (ast.stmt, ast.expr, ast.arg, ast.keyword, ast.ExceptHandler, ast.alias)):
            continue
        first = index(node.lineno, node.col_offset)
        last = index(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset) - 1
        node.lineno, node.col_offset = marks.position(pieces[min(first, len(pieces) - 1)].start)
        node.end_lineno, node.end_col_offset = marks.position(pieces[min(max(last, 0), len(pieces) - 1)].end)


class _Marks:
    """From offsets of a text to lines that count from 1 and columns in bytes."""

    def __init__(self, source: str) -> None:
        self._lines = source.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def position(self, offset: int) -> tuple[int, int]:
        line = min(bisect.bisect_right(self._starts, offset), len(self._lines)) - 1
        return line + 1, len(self._lines[line][: offset - self._starts[line]].encode())
