"""Every `editor` marker of the cases, held against the feature it asks."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from tests.cases.format import Section, read_sections
from tests.ide.places import Place, place_of

CASES = Path(__file__).parent.parent / "cases" / "editor"
Check = Callable[[Place, str], list[str]]


def _sections() -> Iterator[ParameterSet]:
    for path in sorted(CASES.glob("*.md")):
        for section in read_sections(path):
            if section.runs_here and any(marker.kind == "editor" for marker in section.markers):
                yield pytest.param(section, id=f"{path.name}::{section.title}")


def check_of(feature: str) -> Check:
    """The check of a feature: `check` of its module."""
    check: Check = importlib.import_module(f"tests.ide.checks.{feature.replace('-', '_')}").check
    return check


@pytest.mark.parametrize("section", list(_sections()))
def test_feature(section: Section) -> None:
    problems = []
    for marker in section.markers:
        if marker.kind == "editor":
            where = section.where(marker.file, marker.line)
            found = check_of(marker.code)(place_of(section, marker), marker.text)
            problems += [f"{where}: {marker.code}: {problem}" for problem in found]
    assert not problems, "\n" + "\n".join(problems)
