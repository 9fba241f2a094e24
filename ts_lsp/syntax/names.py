"""Where the names in a tree stand: those that are no expressions of their own have no positions in `ast`.

Owns `name_range`. Invariant: a range holds exactly the name, and stays on one line.
"""

from __future__ import annotations

import ast
import re

from ts_lsp.text import Lines, Range, range_of

_DEFINITION = re.compile(r"(?:async\s+def|def|class)\s+")


def name_range(node: ast.AST, lines: Lines) -> Range | None:
    """The place of the name in a name, attribute, definition, parameter, keyword or import; None where there is none.

    `import a.b` is the name `a.b`; an import with `as` is the name after it.
    """
    if isinstance(node, ast.Name):
        return range_of(node, lines)
    if isinstance(node, ast.arg):
        return _sized(range_of(node, lines), node.arg)
    if isinstance(node, ast.keyword):
        return _sized(range_of(node, lines), node.arg) if node.arg is not None else None
    if isinstance(node, (ast.Attribute, ast.alias)):
        return _at_end(node, lines)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return _after_keyword(node, lines)
    return None


def _sized(whole: Range, name: str) -> Range:
    return Range(whole.line, whole.column, whole.line, whole.column + len(name))


def _at_end(node: ast.Attribute | ast.alias, lines: Lines) -> Range:
    name = node.attr if isinstance(node, ast.Attribute) else node.asname or node.name
    whole = range_of(node, lines)
    return Range(whole.end_line, whole.end_column - len(name), whole.end_line, whole.end_column)


def _after_keyword(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, lines: Lines) -> Range | None:
    start = range_of(node, lines)
    match = _DEFINITION.match(lines.line(start.line), start.column)
    if match is None or not lines.line(start.line).startswith(node.name, match.end()):
        return None
    return Range(start.line, match.end(), start.line, match.end() + len(node.name))
