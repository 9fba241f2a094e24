"""What can be done to a whole file: its safe fixes, and the annotations that it lacks, until nothing is left to do.

Owns `mended`. Invariant: a fix is applied whole or not at all, and no definition that compiled is lost by any of it.
The texts between are analysed apart: what is known of the program stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from ts_lsp.ide.inferred import inferred_annotations
from ts_lsp.ide.snapshot import Snapshot, take_snapshot
from ts_lsp.rules.diagnostics import fixes_of
from ts_lsp.rules.model import Edit, Fix
from ts_lsp.semantic.incremental import IncrementalAnalysis
from ts_lsp.text import Draft, EditsTogether, Range, TextEdit

FIX_ALL = "source.fixAll.ts-lsp"
ORGANIZE_TYPES = "source.organizeTypes"
_MOST_PASSES = 12
"""Each pass applies what does not touch; a fix may give rise to another one."""


def _safe_fixes(snapshot: Snapshot, stretch: Range | None) -> Iterator[Fix]:
    """The first safe fix of each finding."""
    for diagnostic in snapshot.diagnostics:
        if diagnostic.path == snapshot.path and (stretch is None or touch(diagnostic.range, stretch)):
            fixes = fixes_of(diagnostic, snapshot.text, snapshot.source)
            yield from [each for each in fixes if each.applicability == "safe"][:1]


def _missing_annotations(snapshot: Snapshot, stretch: Range | None) -> Iterator[Fix]:
    """The annotations of parameters and results that the compiler infers."""
    for each in inferred_annotations(snapshot, stretch or Range(0, 0, len(snapshot.lines), 0)):
        is_near = stretch is None or stretch.line <= each.place.line <= stretch.end_line
        if each.fix is not None and each.kind != "variable-types" and is_near:
            yield each.fix


_CHOICES: Mapping[str, Callable[[Snapshot, Range | None], Iterator[Fix]]] = {
    FIX_ALL: _safe_fixes,
    ORGANIZE_TYPES: _missing_annotations,
}

WHOLE_FILE = tuple(_CHOICES)


def has_work(snapshot: Snapshot, kind: str, stretch: Range | None = None) -> bool:
    """Whether there is anything to do of a kind, in a stretch of the file where one is given."""
    return next(_CHOICES[kind](snapshot, stretch), None) is not None


def mended(snapshot: Snapshot, kind: str, pause: Callable[[], None] = lambda: None) -> tuple[Edit, ...]:
    """The edits that do all of a kind; none where nothing is to be done. What `pause` raises ends the work."""
    draft, analysis = Draft(snapshot.text), None
    current = snapshot
    for _ in range(_MOST_PASSES):
        edits = _together(snapshot.path, _CHOICES[kind](current, None))
        if not edits:
            break
        pause()
        analysis = analysis or _apart(snapshot)
        following = draft.after(edits)
        analysis.apply_change(snapshot.path, following.text)
        changed = take_snapshot(analysis, snapshot.path, snapshot.scope, snapshot.choice)
        if changed is None or _compiling(current) - _compiling(changed):
            break
        draft, current = following, changed
    return tuple(Edit(snapshot.path, each.range, each.new_text) for each in draft.edits)


def _apart(snapshot: Snapshot) -> IncrementalAnalysis:
    """An analysis for tries: of the file, and of those whose entry points reach into it."""
    analysis = IncrementalAnalysis(snapshot.torch, snapshot.workspace.apart(), snapshot.scope)
    reaching = (entry.unit.path for entries in snapshot.facts.reached.values() for entry in entries)
    analysis.watch(dict.fromkeys((*reaching, snapshot.path)))
    return analysis


def _compiling(snapshot: Snapshot) -> set[tuple[str, str]]:
    failing = {(each.qualname, each.kind) for each in snapshot.facts.definitions if each.verdict != "ok"}
    return {(each.qualname, each.kind) for each in snapshot.facts.definitions} - failing


def _together(path: str, fixes: Iterable[Fix]) -> tuple[TextEdit, ...]:
    """The edits of those fixes of this file alone that do not overlap with an earlier one."""
    chosen = EditsTogether()
    for fix in fixes:
        if all(each.path == path for each in fix.edits):
            chosen.take((path, TextEdit(each.range, each.text)) for each in fix.edits)
    return chosen.by_path().get(path, ())


def touch(one: Range, other: Range) -> bool:
    return one.start <= other.end and other.start <= one.end
