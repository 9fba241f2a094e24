"""Holding a case against the compiler: every expectation of a section must be what torch does.

Owns `disagreements`. Invariant: nothing here looks at the twin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.cases.format import MAIN, Fixed, Marker, Section, compiler_wording
from tests.oracle.client import Answer, Entry, Oracle, OracleCrash
from tests.oracle.probe import PROBE, ProbeError, probed, revealed, type_name

WORDING = compiler_wording()


def disagreements(section: Section, oracle: Oracle) -> list[str]:
    """What the section claims and the compiler does not do, or the other way round; empty when they agree."""
    try:
        answer = oracle.judge(section.files, MAIN, section.scope)
        if answer.import_failure is not None:
            return list(_import_problems(section, answer))
        problems = [*_verdict_problems(section, answer), *_schema_problems(section, answer)]
        for marker in section.markers:
            if marker.kind in ("revealed", "dropped"):
                problems += _probe_problems(section, marker, answer, oracle)
        for fixed in section.fixed:
            problems += _fixed_problems(section, fixed, oracle)
        return problems
    except OracleCrash as crash:
        return [f"{section.path.name}: {section.title}: {crash}"]


def told(entry: Entry, section: Section) -> str:
    """One line saying what the compiler did with an entry."""
    if entry.verdict == "ok":
        return f"{entry.name} compiles"
    place = entry.place(section.files)
    where = f" at {section.where(place[0], place[1] - 1)}" if place else " (no place)"
    marked = next((f" `{listing.marked}`" for listing in entry.listings if listing.marked), "")
    return f"{entry.name}{where}{marked}: {entry.exception}: {entry.message}"


def _import_problems(section: Section, answer: Answer) -> Iterator[str]:
    failure = answer.import_failure
    assert failure is not None
    place = (failure.file, failure.line)
    expected = [marker for marker in section.markers if marker.code == "syntax-error"]
    if failure.exception not in ("SyntaxError", "IndentationError") or place not in [
        (m.file, m.line + 1) for m in expected
    ]:
        where = section.where(str(failure.file), (failure.line or 0) - 1)
        yield f"{where}: the program cannot be imported: {failure.exception}: {failure.message}"


def _verdict_problems(section: Section, answer: Answer) -> Iterator[str]:
    if not answer.entries:
        yield f"{section.path.name}: {section.title}: nothing is handed to torch.jit.script"
    errors = [marker for marker in section.markers if marker.kind == "error" and not marker.later]
    confirmed: list[Marker] = []
    for entry in answer.entries:
        if entry.verdict == "error":
            matching = _matching(section, entry, errors)
            confirmed += matching
            if not matching:
                yield f"unexpected: {told(entry, section)}"
            elif not any(_worded(marker, entry) for marker in matching):
                yield f"marked [{matching[0].code}], but that is not how it is worded: {told(entry, section)}"
    for entry in answer.entries:
        own = [marker for marker in errors if _inside(marker, entry)]
        if own and entry.verdict == "ok" and not any(marker in confirmed for marker in own):
            yield f"{section.where(own[0].file, own[0].line)}: {entry.name} compiles, but is marked [{own[0].code}]"
        elif own and entry.verdict == "error" and not any(marker in confirmed for marker in own):
            yield f"{section.where(own[0].file, own[0].line)}: marked [{own[0].code}], but {told(entry, section)}"
    for marker in section.markers:
        owners = [entry for entry in answer.entries if marker.later and _inside(marker, entry)]
        if owners and all(entry.verdict == "ok" for entry in owners):
            yield f"{section.where(marker.file, marker.line)}: {owners[0].name} compiles, so nothing comes later"
    for marker in errors:
        if marker not in confirmed and not any(_inside(marker, entry) for entry in answer.entries):
            # A place outside of every entry: the text of something that an entry reaches.
            where = section.where(marker.file, marker.line)
            yield f"{where}: [{marker.code}] is not what the compiler says of any entry"


def _matching(section: Section, entry: Entry, errors: list[Marker]) -> list[Marker]:
    """The markers that stand for what the compiler says of a failing entry."""
    place = entry.place(section.files)
    if place is not None:
        return [marker for marker in errors if marker.placed and (marker.file, marker.line + 1) == place]
    own = [marker for marker in errors if not marker.placed and _inside(marker, entry)]
    return own or [marker for marker in errors if not marker.placed]


def _worded(marker: Marker, entry: Entry) -> bool:
    """Whether the compiler's message is one for the kind of mistake that is marked."""
    said = f"{entry.exception}: {entry.message}"
    patterns = WORDING.get(marker.code)
    return patterns is None or any(re.search(pattern, said) for pattern in patterns)


def _inside(marker: Marker, entry: Entry) -> bool:
    at = marker.line + 1
    return (marker.file, at) == (entry.file, entry.line) or any(
        marker.file == file and first <= at < end for file, first, end in entry.definitions
    )


def _schema_problems(section: Section, answer: Answer) -> Iterator[str]:
    for marker in section.markers:
        if marker.kind == "schema":
            found = schema_at(section, marker, answer)
            if found != _parameters(marker.text):
                yield f"{section.where(marker.file, marker.line)}: schema {marker.text} but the compiler's is {found}"


def schema_at(section: Section, marker: Marker, answer: Answer) -> str | None:
    """The compiled schema, from its parenthesis on, of the function or method whose `def` the marker stands at."""
    name = section.files[marker.file].split("\n")[marker.line].split("def ")[-1].split("(")[0].strip()
    for entry in answer.entries:
        if _inside(marker, entry) and entry.schemas and name in entry.schemas:
            return _parameters(entry.schemas[name])
    return None


def _parameters(schema: str) -> str:
    return type_name(schema[schema.index("(") :] if "(" in schema else schema)


def _probe_problems(section: Section, marker: Marker, answer: Answer, oracle: Oracle) -> Iterator[str]:
    where = section.where(marker.file, marker.line)
    try:
        found = probe(section, marker, answer, oracle)
    except ProbeError as error:
        yield f"{where}: {error}"
        return
    expected = "dropped" if marker.kind == "dropped" else type_name(marker.text)
    if found != expected:
        yield f"{where}: {marker.kind} {marker.text} but the compiler says {found}"


def probe(section: Section, marker: Marker, answer: Answer, oracle: Oracle) -> str:
    """What the compiler says of the expression above the carets: its type, or `dropped` if it never looks at it."""
    assert marker.columns is not None
    text = probed(section.files[marker.file], marker.line, marker.columns)
    owners = [entry.name for entry in answer.entries if _inside(marker, entry)]
    replaced = {**section.files, marker.file: text}
    probing = oracle.judge(replaced, MAIN, section.scope, only=owners or None)
    if probing.import_failure is not None:
        return f"nothing: {probing.import_failure.message}"
    for entry in probing.entries:
        if (found := revealed(entry.message)) is not None:
            return found
    failing = [entry for entry in probing.entries if entry.verdict == "error"]
    if failing:
        return f"{'something new' if PROBE in failing[0].message else 'first'}: {told(failing[0], section)}"
    return "dropped"


def _fixed_problems(section: Section, fixed: Fixed, oracle: Oracle) -> Iterator[str]:
    answer = oracle.judge({**section.files, MAIN: fixed.text}, MAIN, section.scope)
    where = f"{section.path.name}: {section.title}: fixed [{fixed.code}]"
    if answer.import_failure is not None:
        yield f"{where} cannot be imported: {answer.import_failure.message}"
    names = {entry.name for entry in answer.entries}
    for entry in answer.entries:
        if entry.verdict == "error" and (entry.name in fixed.names or not names & set(fixed.names)):
            yield f"{where} still fails: {told(entry, section)}"
