"""Walks through trees, without recursion. Invariant: what `ast` would walk, in a fraction of the time."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")
_CONTEXTS = (ast.Load, ast.Store, ast.Del)


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below a node, in the order of its fields; not whether a name is read or written."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found.extend(each for each in value if isinstance(each, ast.AST))
        elif isinstance(value, ast.AST) and not isinstance(value, _CONTEXTS):
            found.append(value)
    return found


def walk(tree: ast.AST) -> Iterator[ast.AST]:
    """A node and all nodes below it, in no particular order."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending += children(node)


def walk_blocks(tree: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it that holds statements or is one, nested definitions included."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        yield node
        for name in _BLOCKS:
            inner = getattr(node, name, None)
            if isinstance(inner, list):
                pending += inner


def walk_statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """All statements below a node, nested definitions included, without their expressions."""
    return (node for node in walk_blocks(tree) if isinstance(node, ast.stmt))
