"""The behaviour catalogue: every section of tests/cases, held against the compiler and against the twin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from tests.cases.fixes import unmended
from tests.cases.format import Section, read_sections
from tests.cases.matching import differences
from tests.cases.rewrites import lost
from tests.oracle.client import Oracle
from tests.oracle.verification import disagreements

CASES = Path(__file__).parent / "cases"


def _sections() -> Iterator[ParameterSet]:
    for path in sorted(CASES.rglob("*.md")):
        if path.name == "README.md":
            continue
        for section in read_sections(path):
            if section.is_half_typed:
                continue
            skip = [] if section.runs_here else [pytest.mark.skip(reason=f"python {section.settings['python']}")]
            yield pytest.param(section, id=f"{path.relative_to(CASES)}::{section.title}", marks=skip)


def _is_done(parameters: ParameterSet) -> bool:
    section = parameters.values[0]
    return isinstance(section, Section) and section.pending is None


def _has_errors(parameters: ParameterSet) -> bool:
    section = parameters.values[0]
    return isinstance(section, Section) and any(marker.kind == "error" for marker in section.markers)


SECTIONS = list(_sections())


@pytest.mark.oracle
@pytest.mark.xdist_group("oracle")
@pytest.mark.parametrize("section", SECTIONS)
def test_compiler(section: Section, oracle: Oracle) -> None:
    problems = disagreements(section, oracle)
    assert not problems, "\n" + "\n".join(problems)


@pytest.mark.parametrize("section", SECTIONS)
def test_twin(section: Section) -> None:
    problems = differences(section)
    if section.pending is not None:
        assert problems, f"the twin agrees now: remove `pending = {section.pending!r}`"
        return
    assert not problems, "\n" + "\n".join(problems)


@pytest.mark.oracle
@pytest.mark.xdist_group("oracle")
@pytest.mark.parametrize("section", [each for each in SECTIONS if _is_done(each) and _has_errors(each)])
def test_fixes(section: Section, oracle: Oracle) -> None:
    problems = unmended(section, oracle)
    assert not problems, "\n" + "\n".join(problems)


@pytest.mark.oracle
@pytest.mark.xdist_group("oracle")
@pytest.mark.parametrize("section", [each for each in SECTIONS if _is_done(each)])
def test_rewrites(section: Section, oracle: Oracle) -> None:
    problems = lost(section, oracle)
    assert not problems, "\n" + "\n".join(problems)
