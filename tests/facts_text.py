"""Facts of files as plain text, so that two ways of getting at them can be compared.

Owns `facts_text`. Invariant: positions are those of the file; what is the same for people is the same text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from ts_lsp.semantic.analysis import FileFacts
from ts_lsp.semantic.facts import DefinitionFacts, Finding
from ts_lsp.text import Range, range_of
from ts_lsp.types.model import Type
from ts_lsp.values.model import Unit

_MANGLED = re.compile(r"\.___torch_mangle_\d+")


def facts_text(facts: FileFacts) -> list[str]:
    """Everything that is known of a file, a line for each fact."""
    lines = [line for each in facts.definitions for line in _definition(each)]
    for entry in facts.entries:
        lines.append(f"entry {entry.entry.line}:{entry.entry.column} {entry.entry.kind} {entry.verdict}")
        lines.append(f"  of {entry.facts.qualname if entry.facts is not None else None}")
    lines += [f"unreached {each.value.qualname} {each.kind} {each.why}" for each in facts.unreached]
    for node, entries in facts.reached.items():
        lines.append(f"reached {getattr(node, 'name', '')} {sorted((each.unit.path, each.line) for each in entries)}")
    # How many types of one class compiled before is the history of a process, and no fact of a program.
    return sorted(_MANGLED.sub("", line) for line in lines)


def _definition(facts: DefinitionFacts) -> Iterator[str]:
    name = f"{facts.kind} {facts.qualname} {_node(facts.unit, facts.node)}"
    yield f"{name} {facts.verdict} {facts.schema} {facts.unknown_reason!r}"
    if facts.first_error is not None:
        yield f"{name} first {_finding(facts.first_error_unit or facts.unit, facts.first_error)}"
    for finding in facts.findings:
        yield f"{name} finding {_finding(facts.unit, finding)}"
    for each in facts.typed:
        yield f"{name} type {_node(facts.unit, each.node)} {each.type} {each.role}"
    for binding in facts.bindings:
        yield f"{name} binding {binding.name} {_node(facts.unit, binding.node)} {binding.type} {binding.declared}"
    for each_one in facts.refinements:
        where = _node(facts.unit, each_one.condition)
        yield f"{name} refinement {each_one.name} {each_one.before} {each_one.after} {where}"
    for dropped in facts.dropped:
        yield f"{name} dropped {_node(facts.unit, dropped.condition)} {len(dropped.statements)}"
    for conversion in facts.conversions:
        yield f"{name} converts {_node(facts.unit, conversion.node)} {conversion.before} {conversion.after}"
    for attribute in facts.attributes:
        yield f"{name} attribute {attribute.name} {attribute.kind} {attribute.type} {attribute.why}"


def _finding(unit: Unit, finding: Finding) -> str:
    related = [
        f"{each.role} {_place(each.place.unit, each.place.range)} {_data(each.data)}" for each in finding.related
    ]
    return f"{finding.code} {_place(unit, finding.place)} {finding.definition} {_data(finding.data)} {related}"


def _data(data: Mapping[str, object]) -> str:
    return str(sorted((key, _value(value)) for key, value in data.items()))


def _value(value: object) -> str:
    if isinstance(value, ast.AST):
        return ast.dump(value)
    if isinstance(value, (tuple, list, frozenset, set)):
        parts = [_value(each) for each in value]
        return str(sorted(parts) if isinstance(value, (frozenset, set)) else parts)
    return str(value) if isinstance(value, (Type, str, int, float, type(None))) else type(value).__name__


def _place(unit: Unit, place: Range) -> str:
    moved = place.moved(unit.first_line)
    return f"{unit.path}:{moved.line}:{moved.column}-{moved.end_line}:{moved.end_column}"


def _node(unit: Unit, node: ast.AST) -> str:
    return _place(unit, range_of(node, unit.chunk.lines)) if hasattr(node, "lineno") else type(node).__name__
