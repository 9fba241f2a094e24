"""After an edit only what can tell the difference compiles again: the `recomputed` of the cases with a step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from tests.cases.format import MAIN, Section, read_sections
from tests.facts_text import facts_text
from ts_lsp.semantic.analysis import Analysis
from ts_lsp.semantic.incremental import IncrementalAnalysis
from ts_lsp.torchdata.loader import load
from ts_lsp.values.workspace import Workspace

CASES = Path(__file__).parent.parent / "cases" / "editor"


def _sections() -> Iterator[ParameterSet]:
    for path in sorted(CASES.glob("*.md")):
        for section in read_sections(path):
            if section.steps:
                yield pytest.param(section, id=f"{path.name}::{section.title}")


@pytest.mark.parametrize("section", list(_sections()))
def test_recomputed(section: Section) -> None:
    analysis = IncrementalAnalysis(load(), Workspace(load()), section.scope)
    for path, text in section.files.items():
        analysis.apply_change(path, text)
    analysis.watch(section.files)
    before = {id(each): each for facts in analysis.refresh().values() for each in facts.definitions}
    analysis.apply_change(MAIN, section.steps[0])
    after = analysis.refresh()
    fresh = {
        each.qualname
        for facts in after.values()
        for each in facts.definitions
        if id(each) not in before and each.kind in ("function", "method")
    }
    assert fresh == set(section.settings["recomputed"])  # type: ignore[call-overload]
    scratch = Analysis(load(), Workspace(load()))
    for path in section.files:
        scratch.workspace.set_source(path, section.steps[0] if path == MAIN else section.files[path])
    for facts in scratch.check(list(section.files), section.scope):
        assert facts_text(facts) == facts_text(after[facts.path])
