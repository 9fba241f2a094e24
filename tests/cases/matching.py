"""Holding a case against the twin: every finding is matched by a marker and every marker by a finding.

Owns `differences`. Invariant: what a section expects was verified with the compiler; nothing here adjusts it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.cases.format import MAIN, SEVERITIES, Fixed, Marker, Section
from tests.oracle.probe import type_name
from tests.twin import Judgement, TwinFinding, judge


def differences(section: Section) -> list[str]:
    """What the section expects and the twin does not say, or the other way round; empty when they agree."""
    judgement = judge(section.files, MAIN, section.scope)
    problems = [
        *_finding_problems(section, judgement),
        *_verdict_problems(section, judgement),
        *_type_problems(section, judgement),
    ]
    for fixed in section.fixed:
        problems += _fixed_problems(section, fixed)
    return problems


def _finding_problems(section: Section, judgement: Judgement) -> Iterator[str]:
    left = [marker for marker in section.markers if marker.kind in SEVERITIES]
    for finding in judgement.findings:
        match = next((marker for marker in left if _speaks_of(marker, finding)), None)
        if match is not None:
            left.remove(match)
        else:
            place = f"{section.where(finding.file, finding.line)}:{finding.column + 1}"
            yield f"{place}: not expected: {finding.severity} [{finding.code}] {finding.message}"
    for marker in left:
        yield f"{section.where(marker.file, marker.line)}: not found: {marker.kind} [{marker.code}] {marker.text}"


def _speaks_of(marker: Marker, finding: TwinFinding) -> bool:
    return (
        (marker.file, marker.line, marker.kind, marker.code)
        == (finding.file, finding.line, finding.severity, finding.code)
        and marker.text in finding.message
        and (marker.columns is None or _underlines(marker.columns, finding))
    )


def _underlines(columns: tuple[int, int], finding: TwinFinding) -> bool:
    """Several carets stand under the whole finding (its first line, if it has more), one alone where it begins."""
    start, end = columns
    whole = end - start > 1 and finding.end_line == finding.line
    return finding.column == start and (not whole or finding.end_column == end)


def _verdict_problems(section: Section, judgement: Judgement) -> Iterator[str]:
    """The first error of every definition is the one that the compiler stops at; a case leaves nothing unknown."""
    errors = [marker for marker in section.markers if marker.kind == "error"]
    stops = {(marker.file, marker.line) for marker in errors if not marker.later}
    said = {definition.first_error for definition in judgement.definitions}
    for definition in judgement.definitions:
        where = section.where(definition.file, definition.line)
        own = [m for m in errors if m.file == definition.file and definition.line <= m.line <= definition.end_line]
        # A method by itself stops at its own error, even if the class has stopped at another method's before.
        alone = {(marker.file, marker.line) for marker in own} if definition.kind == "method" else set()
        if definition.verdict == "unknown":
            yield f"{where}: the twin does not commit itself on {definition.name}"
        elif definition.verdict == "ok" and {(m.file, m.line) for m in own if not m.later} - said:
            yield f"{where}: the twin accepts {definition.name}"
        elif definition.verdict == "error" and definition.first_error not in stops | alone:
            place = section.where(*definition.first_error) if definition.first_error else "no place"
            yield f"{where}: the twin says that the compiler stops {definition.name} at {place}"


def _type_problems(section: Section, judgement: Judgement) -> Iterator[str]:
    for marker in section.markers:
        where = section.where(marker.file, marker.line)
        if marker.kind == "schema":
            found = judgement.schema_at(marker.file, marker.line)
            said = type_name(found[found.index("(") :]) if found else None
            if said != type_name(marker.text[marker.text.index("(") :]):
                yield f"{where}: schema {marker.text} but the twin's is {said}"
        elif marker.kind in ("revealed", "dropped") and marker.columns is not None:
            name = judgement.type_at(marker.file, marker.line, *marker.columns)
            said = type_name(name) if name is not None else None
            if marker.kind == "dropped" and said is not None:
                yield f"{where}: dropped, but the twin says {said}"
            elif marker.kind == "revealed" and not marker.text.startswith("<") and said != type_name(marker.text):
                yield f"{where}: revealed {marker.text} but the twin says {said}"


def _fixed_problems(section: Section, fixed: Fixed) -> Iterator[str]:
    """The corrected definitions must be free of errors, and a fix of the rule must not leave the twin's own error."""
    for finding in judge({**section.files, MAIN: fixed.text}, MAIN, section.scope).findings:
        if finding.severity == "error" and finding.definition.split(".")[0] in fixed.names:
            yield f"{section.path.name}: {section.title}: fixed [{fixed.code}] has [{finding.code}] {finding.message}"
