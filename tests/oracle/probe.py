"""Reading the type of an expression off the compiler: it names the type when it is asked for an unknown attribute.

Owns the rewriting of a program for that (`probed`) and the reading of the answer (`revealed`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

PROBE = "__ts_lsp_probe__"

_NOISE = re.compile(r" \(inferred\)| \(of Python compilation unit at: \w+\)|\b(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])")
_ANSWERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(rf"'(.+)' object has no attribute or method '{PROBE}'"), lambda match: match[1]),
    (re.compile(rf"Module '(.+)' has no attribute '{PROBE}'"), lambda match: match[1]),
    (re.compile(r"Tried to lookup unknown attribute on class (.+?):?$"), lambda match: f"<class {match[1]}>"),
    (re.compile(rf"'?Enum<(.+)>' has no attribute '{PROBE}'"), lambda match: f"<class {match[1]}>"),
    (re.compile(r"attribute lookup is not defined on (.+?):?$"), lambda match: f"<{match[1]}>"),
    (re.compile(rf"object has no attribute {PROBE}"), lambda match: "<module>"),
)


class ProbeError(Exception):
    """The carets do not underline one expression."""


def type_name(text: str) -> str:
    """A type as cases write it: classes by their own name, without modules, mangling and compilation units."""
    return re.sub(r"\bScalar\b", "number", _NOISE.sub("", text)).strip()


def revealed(message: str) -> str | None:
    """The type (or, in angle brackets, the kind of value) that the compiler's answer to a probe names."""
    for pattern, read in _ANSWERS:
        if match := pattern.match(message):
            return type_name(read(match))
    return None


def probed(text: str, line: int, columns: tuple[int, int]) -> str:
    """The program with the expression that stands there probed; a name that is bound there, right after that."""
    lines = text.split("\n")
    tree = ast.parse(text)
    node = _node_at(tree, lines, line, columns)
    if isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), ast.Store):
        end_line = (node.end_lineno or node.lineno) - 1
        lines[end_line] = _spliced(lines[end_line], node.end_col_offset or 0, f").{PROBE}")
        lines[line] = _spliced(lines[line], node.col_offset, "(")
        return "\n".join(lines)
    name = node.arg if isinstance(node, ast.arg) else ast.unparse(node)
    statement, before = _after_binding(tree, node)
    if before:
        indent = " " * statement.col_offset
        at = min([statement.lineno, *(item.lineno for item in getattr(statement, "decorator_list", ()))])
        lines.insert(at - 1, f"{indent}({name}).{PROBE}")
    else:
        end_line = (statement.end_lineno or statement.lineno) - 1
        lines[end_line] = _spliced(lines[end_line], statement.end_col_offset or 0, f"; ({name}).{PROBE}")
    return "\n".join(lines)


def _node_at(tree: ast.Module, lines: list[str], line: int, columns: tuple[int, int]) -> ast.expr | ast.arg:
    """Several carets underline a whole expression; one alone, the innermost expression that begins there."""
    start, end = columns
    candidates = [
        (node.end_lineno or node.lineno, _column(lines, node.end_lineno or node.lineno, node.end_col_offset or 0), node)
        for node in ast.walk(tree)
        if isinstance(node, (ast.expr, ast.arg))
        and node.lineno == line + 1
        and _column(lines, node.lineno, node.col_offset) == start
    ]
    if end - start > 1:
        candidates = [item for item in candidates if item[0] == line + 1 and _end(item[2], lines) == end]
    if not candidates:
        raise ProbeError(f"no expression stands exactly at columns {start + 1}-{end}")
    return min(candidates, key=lambda item: item[:2])[2]


def _end(node: ast.expr | ast.arg, lines: list[str]) -> int:
    """Where carets under the node end: for a parameter, at the end of its name."""
    if isinstance(node, ast.arg):
        return _column(lines, node.lineno, node.col_offset) + len(node.arg)
    return _column(lines, node.end_lineno or node.lineno, node.end_col_offset or 0)


def _after_binding(tree: ast.Module, node: ast.AST) -> tuple[ast.stmt, bool]:
    """The statement before (True) or behind (False) which a name bound at `node` can be read."""
    inside = [item for item in _statements(tree) if any(child is node for child in ast.walk(item))]
    binder = inside[-1]
    body = getattr(binder, "body", None)
    return (body[0], True) if body else (binder, False)


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.stmt):
            yield child
        yield from _statements(child)


def _column(lines: list[str], line: int, offset: int) -> int:
    return len(lines[line - 1].encode()[:offset].decode(errors="replace"))


def _spliced(line: str, offset: int, text: str) -> str:
    raw = line.encode()
    return (raw[:offset] + text.encode() + raw[offset:]).decode()
