"""Programs of the cases as an editor has them: open files, each with a snapshot.

Owns `Place`. Invariant: positions are those of the section's files, counted from 0 in code points.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from tests.cases.format import Marker, Section
from ts_lsp.ide.snapshot import Snapshot, take_snapshot
from ts_lsp.semantic.analysis import Analysis
from ts_lsp.text import Position
from ts_lsp.torchdata.loader import load
from ts_lsp.values.workspace import Workspace


@dataclass(frozen=True)
class Place:
    """A place in one of the files of a section."""

    files: Mapping[str, Snapshot]
    file: str
    position: Position

    @property
    def snapshot(self) -> Snapshot:
        return self.files[self.file]


def open_files(section: Section) -> Mapping[str, Snapshot]:
    """The files of a section, opened together."""
    return _opened(tuple(section.files.items()), section.scope)


def opened(files: Mapping[str, str], scope: str = "scripted") -> Mapping[str, Snapshot]:
    """Texts by path, opened together."""
    return _opened(tuple(files.items()), scope)


@functools.lru_cache(maxsize=8)
def _opened(files: tuple[tuple[str, str], ...], scope: str) -> Mapping[str, Snapshot]:
    analysis = Analysis(load(), Workspace(load()))
    for name, text in files:
        analysis.apply_change(name, text)
    snapshots = {name: take_snapshot(analysis, name, scope) for name, _ in files}
    return {name: snapshot for name, snapshot in snapshots.items() if snapshot is not None}


def place_of(section: Section, marker: Marker) -> Place:
    """Where an editor asks for a marker: at its first caret."""
    assert marker.columns is not None
    return Place(open_files(section), marker.file, Position(marker.line, marker.columns[0]))
