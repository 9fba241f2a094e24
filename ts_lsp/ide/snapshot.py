"""One file at one moment, with what is known of the program around it: what every editor feature reads.

Owns `Snapshot`. Invariant: a snapshot's own text, trees and facts do not change; lines and columns count from 0 in
code points, in the whole file unless said otherwise.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import cached_property

from ts_lsp.records import dataclass, field
from ts_lsp.rules.diagnostics import Diagnostic, RuleChoice
from ts_lsp.rules.files import file_diagnostics
from ts_lsp.semantic.analysis import Analysis, FileFacts
from ts_lsp.semantic.facts import DefinitionFacts
from ts_lsp.semantic.incremental import IncrementalAnalysis
from ts_lsp.syntax.tree import SourceFile
from ts_lsp.text import Lines, Range, range_of
from ts_lsp.torchdata.loader import TorchData
from ts_lsp.values.model import Unit
from ts_lsp.values.workspace import Workspace


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A file's text and facts. `units` are its chunks in order, each with its first line."""

    analysis: Analysis
    path: str
    source: SourceFile
    units: tuple[Unit, ...]
    facts: FileFacts
    choice: RuleChoice = field(default_factory=RuleChoice)
    scope: str = "scripted"

    @property
    def text(self) -> str:
        return self.source.text

    @property
    def torch(self) -> TorchData:
        return self.analysis.torch

    @property
    def workspace(self) -> Workspace:
        return self.analysis.workspace

    @cached_property
    def lines(self) -> Lines:
        """The whole file's lines, at a cost that grows with the file: a unit's own (`unit.chunk.lines`) do not."""
        return Lines(self.source.text)

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything to be said of the file."""
        return file_diagnostics(self.path, self.source, self.facts.definitions, self.units, self.choice)

    def unit_at(self, line: int) -> Unit | None:
        """The chunk that holds a line; of a place behind the last line the last chunk."""
        index = bisect_right(self.units, max(line, 0), key=lambda unit: unit.first_line)
        return self.units[index - 1] if index else None

    def facts_at(self, node: ast.AST) -> tuple[DefinitionFacts, ...]:
        """The facts of a definition by its node: several where it compiles for several objects."""
        return self._facts_by_node.get(node, ())

    @cached_property
    def _facts_by_node(self) -> Mapping[ast.AST, tuple[DefinitionFacts, ...]]:
        found: dict[ast.AST, tuple[DefinitionFacts, ...]] = {}
        for each in self.facts.definitions:
            found[each.node] = (*found.get(each.node, ()), each)
        return found

    def place(self, unit: Unit, node: ast.AST) -> Range:
        """Where a node of a unit stands in its file."""
        return range_of(node, unit.chunk.lines).moved(unit.first_line)


def glance(analysis: IncrementalAnalysis, path: str, choice: RuleChoice, pause: Callable[[], None]) -> Snapshot | None:
    """The state of a file right after an edit, at the cost of the edited definition alone.

    What else rests on that may be as it was before. Where values have changed everything is brought up to date; then
    `pause` is called in between, and what it raises ends that.
    """
    source = analysis.workspace.source(path)
    if source is None:
        return None
    facts = analysis.edited_facts(path) or analysis.whole_facts(path, pause)
    return Snapshot(analysis, path, source, analysis.workspace.units(path), facts, choice, analysis.scope)


def take_snapshot(
    analysis: Analysis, path: str, scope: str = "scripted", choice: RuleChoice | None = None
) -> Snapshot | None:
    """The state of a file as the analysis knows it now; None for a file that was never given."""
    source = analysis.workspace.source(path)
    if source is None:
        return None
    facts = analysis.file_facts(path, scope)
    return Snapshot(analysis, path, source, analysis.workspace.units(path), facts, choice or RuleChoice(), scope)
