"""What is handed to `torch.jit.script` and is no plain function: how the compiler refuses it.

Owns the findings that stand at an entry point rather than in a definition's text.
Invariant: where the source does not show what the target is, there is nothing to say.
"""

from __future__ import annotations

import ast

from ts_lsp.semantic.facts import DefinitionFacts, Finding
from ts_lsp.text import Range, range_of
from ts_lsp.values.model import EntryPoint, FunctionValue, PartialValue, Unit


def compiled_function(entry: EntryPoint) -> FunctionValue | None:
    """The function whose text compiles: a bound method is one whose `self` is a parameter like any other."""
    target = entry.target
    if isinstance(target, PartialValue) and target.kind == "method" and isinstance(target.of, FunctionValue):
        return None if "classmethod" in target.of.modifiers else target.of
    return target if isinstance(target, FunctionValue) else None


def refused_entry(entry: EntryPoint) -> DefinitionFacts | None:
    """The facts of an entry point that the compiler refuses before it reads any text; None for all others."""
    target = entry.target
    if isinstance(target, FunctionValue) and target.overloads:
        lines = target.unit.chunk.lines
        whole = range_of(target.node, lines)
        name_end = lines.line(whole.line).find(target.name, whole.column) + len(target.name)
        place = Range(whole.line, whole.column, whole.line, max(name_end, whole.column + 1))
        return _refused("overloaded-entry-point", target, target.unit, target.node, place)
    if isinstance(target, PartialValue) and target.kind == "lru_cache" and isinstance(target.of, FunctionValue):
        if entry.node is not None and entry.unit is not None:
            place = range_of(entry.node, entry.unit.chunk.lines)
            return _refused("source-unavailable", target.of, entry.unit, entry.node, place)
    return None


def _refused(code: str, function: FunctionValue, unit: Unit, node: ast.AST, place: Range) -> DefinitionFacts:
    finding = Finding(code, place, function.qualname, {"name": function.name}, (), node)
    return DefinitionFacts(
        function.qualname, "function", unit, node, "error", finding, None, (finding,), first_error_unit=unit
    )
