"""Holding what the editor does to whole files against the compiler: nothing that compiled may be lost.

Owns `lost`. Invariant: the compiler alone decides; a program that no entry of compiles has nothing to lose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tests.cases.format import MAIN, Section
from tests.ide.places import open_files
from tests.oracle.client import Answer, Oracle, OracleCrash
from ts_lsp.ide.code_actions import REWRITE, code_actions
from ts_lsp.ide.inferred import inferred_annotations
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.ide.whole_file import WHOLE_FILE, mended
from ts_lsp.rules.diagnostics import fixes_of
from ts_lsp.rules.model import Edit
from ts_lsp.text import Position, Range, TextEdit, apply_edits


def lost(section: Section, oracle: Oracle) -> list[str]:
    """What compiles before some change that the twin offers as harmless, and not after it."""
    compiling = _compiling(oracle.judge(section.files, MAIN, section.scope))
    problems: list[str] = []
    if not compiling:
        return problems
    for path, snapshot in open_files(section).items():
        for what, edits in _changes(snapshot):
            files = {**section.files, path: _after(snapshot.text, path, edits)}
            if files[path] != snapshot.text:
                said = _lost(compiling, files, section.scope, oracle)
                problems += [f"{section.where(path, 0)}: {what}: {said}\n{files[path]}"] if said else []
    return problems


def _changes(snapshot: Snapshot) -> Iterator[tuple[str, Iterable[Edit]]]:
    for kind in WHOLE_FILE:
        yield kind, mended(snapshot, kind)
    whole = Range(0, 0, len(snapshot.lines), 0)
    for each in inferred_annotations(snapshot, whole):
        if each.kind == "variable-types" and each.fix is not None:
            yield f"{each.name}: {each.type}", each.fix.edits
    yield from _rewrites(snapshot).items()
    for diagnostic in snapshot.diagnostics:
        for fix in fixes_of(diagnostic, snapshot.text, snapshot.source):
            if fix.applicability == "safe":
                yield fix.title, fix.edits


def _rewrites(snapshot: Snapshot) -> Mapping[str, Iterable[Edit]]:
    """The refactors that are offered anywhere, but for the annotations."""
    found: dict[Iterable[Edit], str] = {}
    for number in range(len(snapshot.lines)):
        place = Position(number, len(snapshot.lines.line(number)))
        for each in code_actions(snapshot, Range(number, 0, place.line, place.column), [REWRITE]):
            if "inferred annotation" not in each.title:
                found.setdefault(each.edits or (), f"{each.title} in line {number + 1}")
    return {title: edits for edits, title in found.items()}


def _after(text: str, path: str, edits: Iterable[Edit]) -> str:
    return apply_edits(text, [TextEdit(each.range, each.text) for each in edits if each.path == path])


def _compiling(answer: Answer) -> set[tuple[str, str, str]]:
    return {(each.file, each.kind, each.name) for each in answer.entries if each.verdict == "ok"}


def _lost(before: set[tuple[str, str, str]], files: Mapping[str, str], scope: str, oracle: Oracle) -> str:
    try:
        answer = oracle.judge(files, MAIN, scope)
    except OracleCrash as crash:
        return str(crash)
    if answer.import_failure is not None:
        return f"the program cannot be imported any more: {answer.import_failure.message}"
    gone = before - _compiling(answer)
    said = [each.message for each in answer.entries if (each.file, each.kind, each.name) in gone]
    return f"{sorted(name for _, _, name in gone)} compile no more: {said}" if gone else ""
