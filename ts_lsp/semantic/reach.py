"""Which definition has which other compiled, and so what an entry point reaches.

Owns `Reach`. Invariant: every time a definition asks for another one that is noted, whether or not it is compiled
already; nodes of the tree stand for definitions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from ts_lsp.records import dataclass, field


@dataclass(eq=False)
class Reach:
    """Edges from definitions (and entry points) to what they need."""

    edges: dict[ast.AST, dict[ast.AST, None]] = field(default_factory=dict)
    open: list[ast.AST] = field(default_factory=list)

    def note(self, node: ast.AST | None) -> None:
        """What compiles at the moment needs `node`."""
        if self.open and node is not None and node is not self.open[-1]:
            self.edges.setdefault(self.open[-1], {})[node] = None

    @contextmanager
    def within(self, node: ast.AST | None) -> Iterator[None]:
        """`node` is needed and compiles now. Without a node, what is inside counts for what is around."""
        self.note(node)
        if node is None:
            yield
            return
        self.open.append(node)
        try:
            yield
        finally:
            self.open.pop()

    def from_root(self, root: ast.AST) -> Iterator[ast.AST]:
        """Everything that `root` needs, itself included, each once."""
        seen = {root}
        pending = [root]
        while pending:
            node = pending.pop()
            yield node
            fresh = [each for each in self.edges.get(node, ()) if each not in seen]
            seen.update(fresh)
            pending.extend(fresh)
