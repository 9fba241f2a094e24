"""What stands above compiled definitions: who compiles them, whether that works, and how to ask the real compiler.

Owns `code_lenses`. Invariant: nothing above plain Python.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ts_lsp.ide.names import defined_name
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.records import dataclass
from ts_lsp.text import Range, range_of
from ts_lsp.values.model import EntryPoint


@dataclass(frozen=True, slots=True)
class CodeLens:
    """`kind` is `compiled-by`, `failures` or `verify`.

    `entry` is where the program hands the definition to the compiler, for a lens that leads there.
    """

    kind: str
    range: Range
    title: str
    entry: EntryPoint | None = None


def code_lenses(snapshot: Snapshot) -> Iterator[CodeLens]:
    """The lenses of a file, in the order of its definitions."""
    handed = {each.facts.node for each in snapshot.facts.entries if each.facts is not None}
    shown: set[ast.AST] = set()
    for facts in snapshot.facts.definitions:
        node = facts.node
        if node in shown or not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        shown.add(node)
        name = defined_name(node, facts.unit.chunk.lines) or range_of(node, facts.unit.chunk.lines)
        place = name.moved(facts.unit.first_line)
        entries = snapshot.facts.reached.get(node, ())
        if entries and facts.kind != "method":
            yield CodeLens("compiled-by", place, _compiled_by(snapshot, entries), entries[0])
        every = snapshot.facts_at(node)
        if facts.kind != "method" and any(each.verdict == "error" for each in every):
            yield CodeLens("failures", place, _failing(snapshot, node))
        if node in handed:
            yield CodeLens("verify", place, "verify with torch")


def _compiled_by(snapshot: Snapshot, entries: tuple[EntryPoint, ...]) -> str:
    first = entries[0]
    where = f"line {first.line + 1}"
    if first.unit.path != snapshot.path:
        where += f" of {first.unit.module}"
    more = f" and {len(entries) - 1} more" if len(entries) > 1 else ""
    return f"compiled by {first.through} in {where}{more}"


def _failing(snapshot: Snapshot, node: ast.FunctionDef | ast.ClassDef) -> str:
    inside = set(ast.walk(node))
    every = [each for each in snapshot.facts.definitions if each.node in inside]
    mistakes = {(finding.code, finding.place) for each in every for finding in each.findings}
    if not mistakes:
        return "does not compile: something it uses does not"
    return f"does not compile: {len(mistakes)} {'error' if len(mistakes) == 1 else 'errors'}"
