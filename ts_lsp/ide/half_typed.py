"""Questions at a place in text that may be half-typed: what stands around it, and what the compiler makes of that.

Owns `Written`, `Place` and what finds them. Invariant: costs one parse of a chunk and one check of a definition, never
the file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property

from ts_lsp.ide.cursor import Cursor
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.records import dataclass
from ts_lsp.semantic.functions import Compiled
from ts_lsp.semantic.probing import Probed, probe_definition
from ts_lsp.syntax.completing import CompletedText, Typed, complete_text, typed_before
from ts_lsp.syntax.walking import walk_blocks
from ts_lsp.text import Position, Range
from ts_lsp.values.model import Unit


@dataclass(frozen=True, eq=False)
class Written:
    """A place in a chunk whose text was made whole."""

    snapshot: Snapshot
    unit: Unit
    position: Position
    typed: Typed
    completed: CompletedText

    @property
    def node(self) -> ast.AST:
        """What the cursor's word belongs to."""
        return self.completed.nodes[0]

    @cached_property
    def word(self) -> Range:
        """The word around the place, in the file."""
        lines = self.unit.chunk.lines
        start, end = lines.position(self.typed.start), lines.position(self.typed.end)
        return Range(*start, *end).moved(self.unit.first_line)


@dataclass(frozen=True, eq=False)
class Place(Written):
    """A place in a definition that compiles, as the completed text has it."""

    definition: ast.FunctionDef
    compiled: Compiled

    def probe(self, watched: Iterable[ast.AST]) -> Probed:
        """What the compiler makes of nodes of the completed text."""
        return probe_definition(
            self.snapshot.analysis.program, self.compiled, self.definition, self.completed.chunk, watched
        )


def written_at(snapshot: Snapshot, position: Position) -> Written | None:
    """What is written at a place; None in comments, and where the text makes no sense."""
    unit = snapshot.unit_at(position.line)
    if unit is None:
        return None
    offset = unit.chunk.lines.offset(position.line - unit.first_line, position.column)
    typed = typed_before(unit.chunk.text, offset)
    completed = complete_text(unit.chunk.text, typed) if not typed.in_comment else None
    return Written(snapshot, unit, position, typed, completed) if completed is not None else None


def place_at(snapshot: Snapshot, position: Position) -> Place | None:
    """The place, if it is one in compiled code; None elsewhere, in comments, and where the text makes no sense."""
    unit = snapshot.unit_at(position.line)
    if unit is None or not may_be_compiled(snapshot, unit):
        return None
    written = written_at(snapshot, position)
    return place_of(written) if written is not None else None


def place_of(written: Written) -> Place | None:
    """The same place with the definition that compiles there; None where none does."""
    nodes = written.completed.nodes
    definition = next((each for each in nodes if isinstance(each, ast.FunctionDef)), None)
    compiled = _compiled(written.snapshot, written.unit, definition) if definition is not None else None
    if definition is None or compiled is None:
        return None
    return Place(
        written.snapshot,
        written.unit,
        written.position,
        written.typed,
        written.completed,
        definition,
        compiled,
    )


def probe_text(cursor: Cursor, watched: Iterable[ast.AST]) -> Probed | None:
    """What the compiler makes of nodes of the text as it stands; None outside of functions that compile."""
    program = cursor.snapshot.analysis.program
    for node in cursor.nodes:
        if isinstance(node, ast.FunctionDef):
            compiled = _compiled(cursor.snapshot, cursor.unit, node)
            if compiled is None:
                return None
            return probe_definition(program, compiled, node, cursor.unit.chunk, watched)
    return None


def may_be_compiled(snapshot: Snapshot, unit: Unit) -> bool:
    """Whether anything of a chunk compiles."""
    texts = snapshot.analysis.program.reach.texts
    return any(site in texts for site in unit.sites.values())


def _compiled(snapshot: Snapshot, unit: Unit, definition: ast.FunctionDef) -> Compiled | None:
    """What the program has of a definition: of several objects the first."""
    for node in walk_blocks(unit.chunk.tree):
        if isinstance(node, ast.FunctionDef) and (node.name, node.lineno) == (definition.name, definition.lineno):
            site = unit.sites.get(node)
            found = [each for each in snapshot.analysis.program.reach.texts.get(site, ()) if isinstance(each, Compiled)]
            known = snapshot.analysis.program.functions
            kept = [each for each in found if known.get((each.value, each.owner, each.declaration)) is each]
            return kept[0] if kept else None
    return None
