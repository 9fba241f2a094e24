"""Holding the product's fixes against the compiler: what a fix promises to mend must be mended.

Owns `unmended`. Invariant: only errors that the compiler itself reports are judged, and the compiler alone decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.cases.format import MAIN, Section
from tests.oracle.client import Entry, Oracle, OracleCrash
from tests.oracle.verification import told
from tests.twin import TwinFinding, TwinFix, judge


def unmended(section: Section, oracle: Oracle) -> list[str]:
    """Fixes that do not hold: after any fix the compiler must no longer say what it said before; and where the case
    has a fixed version of the entry for the rule, one of the fixes offered must make it compile."""
    before = oracle.judge(section.files, MAIN, section.scope)
    failing = [(entry, entry.place(section.files)) for entry in before.entries if entry.verdict == "error"]
    curable = {(fixed.code, name) for fixed in section.fixed for name in fixed.names}
    problems: list[str] = []
    for finding in judge(section.files, MAIN, section.scope).findings:
        for entry, place in failing:
            if finding.fixes and place == (finding.file, finding.line + 1) and _is_first(section, finding):
                after = [(fix, _after(section, fix, entry, oracle)) for fix in finding.fixes]
                where = f"{section.where(finding.file, finding.line)}: [{finding.code}]"
                problems += [f"{where} {fix.title!r}: {said}" for fix, outcome in after if (said := outcome.unmended)]
                if (finding.code, entry.name) in curable and not any(outcome.compiles for _, outcome in after):
                    problems.append(f"{where} no fix makes {entry.name} compile: {[fix.title for fix, _ in after]}")
    return problems


@dataclass(frozen=True)
class _Outcome:
    """What the compiler does with an entry after a fix; `unmended` says what is wrong with the fix, if anything."""

    compiles: bool
    unmended: str = ""


def _after(section: Section, fix: TwinFix, entry: Entry, oracle: Oracle) -> _Outcome:
    try:
        answer = oracle.judge(fix.files, MAIN, section.scope, only=[entry.name])
    except OracleCrash as crash:
        return _Outcome(False, str(crash))
    if answer.import_failure is not None:
        return _Outcome(False, f"the program cannot be imported any more: {answer.import_failure.message}")
    said = (entry.message, _line(entry, section.files))
    for after in answer.entries:
        if after.verdict == "error" and (after.message, _line(after, fix.files)) == said:
            return _Outcome(False, told(after, section))
    return _Outcome(all(after.verdict == "ok" for after in answer.entries))


def _is_first(section: Section, finding: TwinFinding) -> bool:
    """Whether a finding is, by the markers of its line, the error that the compiler stops at."""
    here = [m for m in section.markers if (m.file, m.line, m.code) == (finding.file, finding.line, finding.code)]
    return bool(here) and not any(marker.later for marker in here)


def _line(entry: Entry, files: Mapping[str, str]) -> str:
    """The text of the line that the compiler names."""
    place = entry.place(files)
    return files[place[0]].split("\n")[place[1] - 1].strip() if place else ""
