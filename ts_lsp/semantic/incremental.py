"""Facts kept up to date while files change.

Owns `IncrementalAnalysis`. An edit inside a function body compiles that one definition again; only if others can tell
the difference do they compile again, too. Invariant: once `refresh` has ended the facts are those that checking the
same texts from the start gives, and what did not change is the same object as before.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from ts_lsp.records import dataclass, field, replace
from ts_lsp.semantic.analysis import Analysis, FileFacts, node_of
from ts_lsp.semantic.class_definitions import ClassDefinition
from ts_lsp.semantic.facts import DefinitionFacts, Finding
from ts_lsp.semantic.functions import Compiled
from ts_lsp.semantic.modules import ModuleDefinition
from ts_lsp.torchdata.loader import TorchData
from ts_lsp.values.model import Site
from ts_lsp.values.renewal import Renewal
from ts_lsp.values.workspace import Workspace

_Item = TypeVar("_Item")

_SHARE = 2
"""So many files come to the known ones at once, or a quarter of those: an edit between has them done again."""


@dataclass(slots=True)
class _Changes:
    """What compiling single definitions again changed in the facts."""

    facts: dict[int, DefinitionFacts] = field(default_factory=dict)
    """By the identity of the facts before."""
    failures: dict[tuple[int, ast.AST | None], Finding] = field(default_factory=dict)
    """By the identity of a first error, and the node of a definition that failed with it, what it is now."""
    nodes: Mapping[ast.AST, ast.AST] = field(default_factory=dict)
    replaced: list[object] = field(default_factory=list)
    """What is no more, kept so that nothing else gets its identity."""

    def replace_facts(self, old: DefinitionFacts, new: DefinitionFacts) -> None:
        self.replaced.append(old)
        self.facts[id(old)] = new

    def replace_failure(self, user: object, old: Finding, new: Finding) -> None:
        self.replaced.append(old)
        self.failures[id(old), node_of(user)] = new

    def definition(self, facts: DefinitionFacts) -> DefinitionFacts:
        new = facts
        while id(new) in self.facts:
            new = self.facts[id(new)]
        node = self.nodes.get(new.node, new.node)
        failure = self.failures.get((id(new.first_error), node), new.first_error)
        if node is new.node and failure is new.first_error:
            return new
        return replace(new, node=node, first_error=failure)

    def file(self, facts: FileFacts, places: _Places) -> FileFacts:
        """The facts of a file with what changed. `places` are brought up to date."""
        definitions, entries, reached = list(facts.definitions), list(facts.entries), dict(facts.reached)
        known: dict[int, DefinitionFacts] = {}
        nodes = self.nodes.keys() | {node for _, node in self.failures}
        for place in _all_of(places.definitions, nodes):
            old = definitions[place]
            known[id(old)] = definitions[place] = self.definition(old)
        for place in _all_of(places.entries, nodes):
            entry = entries[place]
            assert entry.facts is not None
            entries[place] = replace(entry, facts=known.get(id(entry.facts)) or self.definition(entry.facts))
        places.renew(self.nodes)
        _renew(reached, self.nodes)
        return replace(facts, definitions=tuple(definitions), entries=tuple(entries), reached=reached)


class _Places:
    """Where among the facts of a file those of a definition stand, and those of the entry points that it is."""

    def __init__(self, facts: FileFacts) -> None:
        self.definitions: dict[ast.AST, list[int]] = {}
        self.entries: dict[ast.AST, list[int]] = {}
        for place, each in enumerate(facts.definitions):
            self.definitions.setdefault(each.node, []).append(place)
        for place, entry in enumerate(facts.entries):
            if entry.facts is not None:
                self.entries.setdefault(entry.facts.node, []).append(place)

    def renew(self, nodes: Mapping[ast.AST, ast.AST]) -> None:
        """Other nodes stand for some definitions now."""
        _renew(self.definitions, nodes)
        _renew(self.entries, nodes)


def _renew(table: dict[ast.AST, _Item], nodes: Mapping[ast.AST, ast.AST]) -> None:
    for node in nodes.keys() & table.keys():
        table[nodes[node]] = table.pop(node)


def _all_of(places: Mapping[ast.AST, Sequence[int]], nodes: Collection[ast.AST | None]) -> Iterator[int]:
    return (place for node in nodes if node is not None for place in places.get(node, ()))


class IncrementalAnalysis(Analysis):
    """An analysis of files that change. `paths` are those whose entry points count, in order; more may be asked for."""

    def __init__(self, torch: TorchData, workspace: Workspace, scope: str = "scripted") -> None:
        super().__init__(torch, workspace)
        self.scope = scope
        self._paths: list[str] = []
        self._coming: dict[str, None] = {}
        """The files that `watch_later` named."""
        self._known: dict[str, FileFacts] = {}
        self._places: dict[str, _Places] = {}
        """Of those known, where anything was asked for."""
        self._sites: dict[Site[ast.AST], None] = {}
        """The functions whose bodies changed since the facts were made."""
        self._nodes: dict[ast.AST, ast.AST] = {}
        """By a node of the known facts the one that stands for it now."""
        self._noticed: list[Compiled] = []
        """What compiled again with an outcome that others can tell."""
        self._is_stale = False

    @property
    def paths(self) -> Sequence[str]:
        return self._paths

    @property
    def is_current(self) -> bool:
        """Whether nothing is left to do."""
        return not (self._is_stale or self._sites or self._noticed or self._coming)

    def watch(self, paths: Iterable[str]) -> None:
        """The files whose entry points count from now on, in this order."""
        paths = list(paths)
        if paths != self._paths:
            self._paths = paths
            self._is_stale = True
            kept = set(paths)
            self._known = {path: facts for path, facts in self._known.items() if path in kept}
            self._places.clear()

    def watch_later(self, paths: Iterable[str]) -> None:
        """Files whose entry points count, too, from the next `refresh` on: what is known holds until then."""
        self._coming.update(dict.fromkeys(path for path in paths if path not in self._known))

    def apply_change(self, path: str, text: str) -> None:
        is_missing = path in self._known and self.workspace.source(path) is None
        renewal = self.workspace.set_source(path, text)
        if renewal is not None and not is_missing:
            self._renew(renewal)
        else:
            self._outdate()

    def remove(self, path: str) -> None:
        """A file is no more, or what is on disk counts again."""
        self.workspace.remove_source(path)
        self._known.pop(path, None)
        self._coming.pop(path, None)
        self._places.pop(path, None)
        self._outdate()

    def look_again(self) -> None:
        """Files came or went on disk."""
        self.workspace.look_again()
        self._outdate()

    def _outdate(self) -> None:
        """Values have changed: what rests on those of before is to compile again."""
        if self.program.has_namesakes:
            self.start_again()
            return
        self.program.drop_outdated()
        self._sites = {site: None for site in self._sites if site.unit.is_current}
        self._is_stale = True

    def start_again(self) -> None:
        super().start_again()
        self._sites, self._nodes, self._noticed = {}, {}, []
        self._is_stale = True

    def edited_facts(self, path: str) -> FileFacts | None:
        """The facts of a file in which only the edited definitions are sure to be new; None where that is not known."""
        self._settle()
        return None if self._is_stale else self._known.get(path)

    def file_facts(self, path: str, scope: str | None = None) -> FileFacts:
        if scope is not None and scope != self.scope:
            self.scope = scope
            self._is_stale = True
        return self.whole_facts(path, lambda: None)

    def whole_facts(self, path: str, pause: Callable[[], None]) -> FileFacts:
        """The facts of a file, with all that rests on any edit. For `pause` see `refresh`."""
        if path not in self._paths:
            self.watch([*self._paths, path])
        return self._updated(pause)[path]

    def refresh(self, pause: Callable[[], None] = lambda: None) -> Mapping[str, FileFacts]:
        """The facts of all files. `pause` is called between entry points; when it raises, what was done is kept."""
        while self._coming:
            self._updated(pause)
            before, share = self._paths, list(self._coming)[: max(_SHARE, len(self._paths) // 4)]
            self.watch(dict.fromkeys([*before, *share]))
            try:
                self._updated(pause)
            except BaseException:
                self.watch(before)  # an edit came between: its answer waits for no file that nobody asked about
                raise
            for path in share:
                self._coming.pop(path, None)
        return self._updated(pause)

    def _updated(self, pause: Callable[[], None]) -> Mapping[str, FileFacts]:
        self._settle()
        if self._noticed:
            self._drop_users()
        if self._is_stale:
            self._check_all(pause)
        return self._known

    def _renew(self, renewal: Renewal) -> None:
        newer: dict[ast.AST, ast.AST] = dict(renewal.classes)
        newer.update((old, site.node) for site, old in renewal.functions)
        stood_for = {now: before for before, now in self._nodes.items()}
        for old, new in newer.items():
            self._nodes[stood_for.get(old, old)] = new
            self.program.forget_text(old)
        self._sites.update(dict.fromkeys(site for site, _ in renewal.functions))

    def _settle(self) -> None:
        """Compiles the edited definitions again and puts them in the place of those before."""
        if not self._sites and not self._nodes:
            return
        changes = _Changes(nodes=self._nodes)
        paths = {site.unit.path for site in self._sites}
        sites, self._sites, self._nodes = self._sites, {}, {}
        if self._is_stale:
            for site in sites:
                self.program.drop(self.program.reach.concerned(self.program.reach.texts.get(site, ())))
            return
        for site in sites:
            for compiled in [each for each in self.program.reach.texts.get(site, ()) if isinstance(each, Compiled)]:
                if not self._recheck(compiled, changes):
                    self.start_again()
                    return
        for path, facts in self._known.items():
            if path in paths or changes.failures:
                if path not in self._places:
                    self._places[path] = _Places(facts)
                self._known[path] = changes.file(facts, self._places[path])

    def _recheck(self, compiled: Compiled, changes: _Changes) -> bool:
        if compiled.is_apart:
            self._noticed.append(compiled)
            return True
        before = compiled.outcome(), set(self.program.reach.needs.get(compiled, ()))
        facts, failure, was_amended = compiled.facts, compiled.failure, compiled.is_amended
        others = (compiled.declaration_facts,)
        if not self.program.recheck(compiled):
            return False
        if facts is not None and compiled.facts is not None:
            changes.replace_facts(facts, compiled.facts)
        after = compiled.outcome(), set(self.program.reach.needs.get(compiled, ()))
        is_told = others != (None,) or compiled.declaration_facts is not None
        if before != after or was_amended or is_told or not self._pass_on(compiled, facts, failure, changes):
            self._noticed.append(compiled)
        return True

    def _pass_on(
        self, compiled: Compiled, facts: DefinitionFacts | None, before: Finding | None, changes: _Changes
    ) -> bool:
        """Gives what fails because of this definition its new first error; False where they say more about it."""
        failure = compiled.failure
        if before is None or failure is before:
            return True
        if facts is None or not any(before is each for each in facts.findings):
            return False  # it failed with another definition
        users = self.program.reach.concerned([compiled]) - {compiled}
        failing = [each for each in users if isinstance(each, (Compiled, ClassDefinition, ModuleDefinition))]
        paths = {each.value.unit.path for each in failing if each.value is not None}
        if failure is None or not paths <= {compiled.value.unit.path}:
            return False
        if any(each.failure == before and each.failure is not before for each in failing):
            return False  # the front end stopped at it, too
        for each in failing:
            if each.failure is before:
                changes.replace_failure(each, before, failure)
                each.failure, each.failure_unit = failure, compiled.failure_unit
                if each.facts is not None:
                    new = replace(each.facts, first_error=failure)
                    changes.replace_facts(each.facts, new)
                    each.facts = new
        return True

    def _drop_users(self) -> None:
        """What can tell the difference compiles again when it is next asked for."""
        reach = self.program.reach
        concerned: set[object] = set()
        for each in self._noticed:
            concerned |= reach.concerned([each]) - ({each} if not each.is_apart else set())
        weighed = [each for each in self.program.functions.values() if each.is_amended]
        if weighed:
            concerned |= reach.concerned(weighed)
        self.program.drop(concerned)
        self._noticed = []
        self._is_stale = True

    def _check_all(self, pause: Callable[[], None]) -> None:
        is_fresh = not (self.program.functions or self.program.module_types)
        questions = self.program.questions_of_order
        found = self.check(self._paths, self.scope, pause=pause)
        if not is_fresh and self.program.questions_of_order > questions:
            self.start_again()  # what compiled in earlier rounds may have a say in the answers
            found = self.check(self._paths, self.scope, pause=pause)
        self._known = {facts.path: facts for facts in found}
        self._places.clear()
        self._is_stale = False
