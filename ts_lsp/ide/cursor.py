"""What stands at a place: the nodes around it from the inside out, and the definition that holds it.

Owns `Cursor` and `cursor_at`. Invariant: linear in the depth and breadth of one chunk's tree, never in the file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.records import dataclass
from ts_lsp.semantic.facts import DefinitionFacts, TypedNode
from ts_lsp.text import Position, range_of
from ts_lsp.types.model import Type
from ts_lsp.values.model import Unit

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, eq=False)
class Cursor:
    """A place in a file. `nodes` are those around it, the innermost first, the chunk's module last."""

    snapshot: Snapshot
    unit: Unit
    position: Position
    """In the file."""
    nodes: tuple[ast.AST, ...]

    @property
    def inside(self) -> Position:
        """The place as the unit counts lines."""
        return Position(self.position.line - self.unit.first_line, self.position.column)

    @property
    def node(self) -> ast.AST:
        return self.nodes[0]

    def facts(self) -> tuple[DefinitionFacts, ...]:
        """The facts of the innermost definition around that has any."""
        for node in self.nodes:
            if isinstance(node, DEFINITIONS):
                found = self.snapshot.facts_at(node)
                if found:
                    return found
        return ()

    def function_facts(self) -> tuple[DefinitionFacts, ...]:
        """The facts of the innermost function around, one for each object that it compiles for."""
        return tuple(each for each in self.facts() if each.kind in ("function", "method"))

    def types(self, node: ast.AST) -> tuple[Type, ...]:
        """The types of a node, each once: several where its function compiles for several objects."""
        found = (typed_node(facts, node) for facts in self.function_facts())
        return tuple(dict.fromkeys(each.type for each in found if each is not None))


def typed_node(facts: DefinitionFacts, node: ast.AST) -> TypedNode | None:
    """The type of the node's own value, or of the call it is the callee of."""
    by_role = {each.role: each for each in reversed(facts.typed) if each.node is node}
    return by_role.get("self") or by_role.get("callee") or next(iter(by_role.values()), None)


def cursor_at(snapshot: Snapshot, position: Position) -> Cursor | None:
    """What stands at a place of the file; None where the file has no chunk."""
    unit = snapshot.unit_at(position.line)
    if unit is None:
        return None
    inside = Position(position.line - unit.first_line, position.column)
    nodes: list[ast.AST] = [unit.chunk.tree]
    while (child := _child_at(nodes[-1], unit, inside)) is not None:
        nodes.append(child)
    return Cursor(snapshot, unit, position, tuple(reversed(nodes)))


def _child_at(node: ast.AST, unit: Unit, inside: Position) -> ast.AST | None:
    """The child that holds a place; of two that touch there the second, unless only the first is a name's end."""
    touching = [each for each in children(node) if _touches(each, unit, inside)]
    return touching[-1] if touching else None


def _touches(node: ast.AST, unit: Unit, inside: Position) -> bool:
    first = _first_line(node)
    if first - 1 > inside.line or (getattr(node, "end_lineno", None) or first) - 1 < inside.line:
        return False
    place = range_of(node, unit.chunk.lines)
    start = Position(first - 1, 0) if first - 1 < place.line else place.start
    return start <= inside <= place.end


def _first_line(node: ast.AST) -> int:
    """The 1-based line of a node, decorators included."""
    line: int = node.lineno  # type: ignore[attr-defined]
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([line, *(each.lineno for each in decorators)])


def children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes with positions below a node, those without (`arguments`, `comprehension`, ...) passed through."""
    for child in ast.iter_child_nodes(node):
        if hasattr(child, "lineno"):
            yield child
        else:
            yield from children(child)
