"""Module objects that a file's own functions make: what a class is like that nothing hands to the compiler.

Owns `MadeObjects`. Invariant: only what a function makes without arguments counts, and only where nothing was left to
decide; the steps for all functions together are bounded.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from ts_lsp.records import dataclass
from ts_lsp.values.calls import is_generator
from ts_lsp.values.model import ClassValue, FunctionValue, ModuleObject
from ts_lsp.values.workspace import Workspace

_MOST_STEPS = 120_000
_MOST_OBJECTS = 6


@dataclass
class MadeObjects:
    """Calls functions until their steps are used up."""

    workspace: Workspace
    steps_left: int = 1_500_000

    def of_classes(self, functions: Iterable[FunctionValue], wanted: Collection[ast.AST]) -> list[ModuleObject]:
        """An object of each of the wanted classes that the functions make, on its own or as a part."""
        missing = set(wanted)
        found: list[ModuleObject] = []
        makers = 0
        for function in filter(_needs_nothing, functions):
            if not missing or makers >= _MOST_OBJECTS or self.steps_left <= 0:
                break
            made, steps = self.workspace.made_by_calling(function, min(_MOST_STEPS, self.steps_left))
            self.steps_left -= steps
            makers += made is not None
            for each in _parts(made) if made is not None else ():
                node = each.of.node if isinstance(each.of, ClassValue) else None
                if node in missing:
                    missing.discard(node)
                    found.append(each)
        return found


def _needs_nothing(function: FunctionValue) -> bool:
    """Whether a plain function can be called without arguments."""
    node = function.node
    if not isinstance(node, ast.FunctionDef) or function.owner is not None or is_generator(node):
        return False
    positional = len(node.args.posonlyargs) + len(node.args.args)
    return positional == len(node.args.defaults) and None not in node.args.kw_defaults


def _parts(root: ModuleObject) -> Iterator[ModuleObject]:
    """An object and the modules below it, each once."""
    seen: set[int] = set()
    pending = [root]
    while pending:
        current = pending.pop()
        if id(current) not in seen:
            seen.add(id(current))
            yield current
            pending.extend(each for each in current.modules.values() if isinstance(each, ModuleObject))
