"""Holding the product's fixes against the compiler: what a fix promises to mend must be mended.

Owns `unmended`. Invariant: only errors that the compiler itself reports are judged, and the compiler alone decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.cases.format import MAIN, Section
from tests.oracle.client import Entry, Oracle, OracleCrash
from tests.oracle.verification import told
from tests.twin import TwinFinding, TwinFix, judge


def unmended(section: Section, oracle: Oracle) -> list[str]:
    """Fixes that do not hold: after any fix the compiler must no longer say what it said before, and after a safe one
    an entry that had this one mistake must compile."""
    before = oracle.judge(section.files, MAIN, section.scope)
    failing = [(entry, entry.place(section.files)) for entry in before.entries if entry.verdict == "error"]
    problems: list[str] = []
    for finding in judge(section.files, MAIN, section.scope).findings:
        for entry, place in failing:
            if place == (finding.file, finding.line + 1) and _is_first(section, finding):
                for fix in finding.fixes:
                    problems += _problems(section, finding, fix, entry, oracle)
    return problems


def _problems(section: Section, finding: TwinFinding, fix: TwinFix, entry: Entry, oracle: Oracle) -> Iterator[str]:
    where = f"{section.where(finding.file, finding.line)}: [{finding.code}] fix {fix.title!r}"
    try:
        answer = oracle.judge(fix.files, MAIN, section.scope, only=[entry.name])
    except OracleCrash as crash:
        yield f"{where}: {crash}"
        return
    if answer.import_failure is not None:
        yield f"{where}: the program cannot be imported any more: {answer.import_failure.message}"
    for after in answer.entries:
        same = (after.message, _line(after, fix.files)) == (entry.message, _line(entry, section.files))
        promised = fix.applicability == "safe" and _mistakes(section, entry) == 1
        if after.verdict == "error" and (same or promised):
            yield f"{where}: {told(after, section)}"


def _is_first(section: Section, finding: TwinFinding) -> bool:
    """Whether a finding is, by the markers of its line, the error that the compiler stops at."""
    here = [m for m in section.markers if (m.file, m.line, m.code) == (finding.file, finding.line, finding.code)]
    return bool(here) and not any(marker.later for marker in here)


def _line(entry: Entry, files: Mapping[str, str]) -> str:
    """The text of the line that the compiler names."""
    place = entry.place(files)
    return files[place[0]].split("\n")[place[1] - 1].strip() if place else ""


def _mistakes(section: Section, entry: Entry) -> int:
    """How many errors are marked in the text of an entry."""
    return sum(
        marker.kind == "error"
        and any(marker.file == file and first <= marker.line + 1 < end for file, first, end in entry.definitions)
        for marker in section.markers
    )
