"""What is handed to `torch.jit.script` and is no plain function: how the compiler refuses it.

Owns the findings that stand at an entry point rather than in a definition's text.
Invariant: where the source does not show what the target is, there is nothing to say.
"""

from __future__ import annotations

import ast

from ts_lsp.semantic.facts import DefinitionFacts, Finding
from ts_lsp.text import Range, range_of
from ts_lsp.values.model import ClassValue, EntryPoint, FunctionValue, PartialValue, Unit


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
        return _refused("overloaded-entry-point", target.qualname, target.unit, target.node, place)
    if isinstance(target, ClassValue) and target.kind == "module" and entry.unit is not None:
        return _module_class(entry, target, entry.unit)
    has_source = not isinstance(target, PartialValue) or target.kind not in ("lru_cache", "generated")
    if has_source or entry.node is None or entry.unit is None:
        return None
    call = entry.node
    shown = call.args[0] if isinstance(call, ast.Call) and call.args else call
    name = ast.unparse(shown) if isinstance(shown, (ast.Name, ast.Attribute, ast.Subscript)) else ""
    place = range_of(call, entry.unit.chunk.lines)
    return _refused("source-unavailable", name, entry.unit, call, place)


def _module_class(entry: EntryPoint, target: ClassValue, unit: Unit) -> DefinitionFacts | None:
    """A module's class in the place of an instance, shown where it is named."""
    call = entry.node
    shown = call.args[0] if isinstance(call, ast.Call) and call.args else target.node
    if shown is None:
        return None
    if shown is target.node:
        lines = target.unit.chunk.lines
        start = range_of(shown, lines)
        column = lines.line(start.line).find(target.name, start.column)
        place = Range(start.line, column, start.line, column + len(target.name))
        return _refused("module-class", target.name, target.unit, shown, place)
    return _refused("module-class", target.name, unit, shown, range_of(shown, unit.chunk.lines))


def _refused(code: str, name: str, unit: Unit, node: ast.AST, place: Range) -> DefinitionFacts:
    finding = Finding(code, place, name, {"name": name} if name else {}, (), node)
    return DefinitionFacts(name, "function", unit, node, "error", finding, None, (finding,), first_error_unit=unit)
