"""For writing cases: `python -m tests.oracle show FILE...` prints what the compiler says of every section;
`fill FILE...` writes the compiler's answers into the markers `revealed: ?` and `schema: ?`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.cases.format import MAIN, Marker, Section, read_sections
from tests.oracle.client import Answer, Oracle, oracle_python
from tests.oracle.probe import ProbeError
from tests.oracle.verification import disagreements, probe, schema_at, told


def show(path: Path, oracle: Oracle) -> None:
    for section in read_sections(path):
        print(f"## {section.title}")
        answer = oracle.judge(section.files, MAIN, section.scope)
        for entry in answer.entries:
            print("   ", told(entry, section))
        for problem in disagreements(section, oracle):
            print("  !!", problem)


def fill(path: Path, oracle: Oracle) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    for section in read_sections(path):
        answer = oracle.judge(section.files, MAIN, section.scope)
        carets = {
            (marker.file, marker.line, marker.columns): marker for marker in section.markers if marker.text == "?"
        }
        for marker in carets.values():
            _fill_one(lines, section, marker, _answer_text(section, marker, answer, oracle))
    path.write_text("\n".join(lines), encoding="utf-8")


def _answer_text(section: Section, marker: Marker, answer: Answer, oracle: Oracle) -> str:
    if marker.kind == "schema":
        return f"schema: {schema_at(section, marker, answer)}"
    try:
        found = probe(section, marker, answer, oracle)
    except ProbeError:
        found = "?"
    unanswered = found.startswith(("first: ", "something new: ", "nothing: "))
    return "dropped" if found == "dropped" else "revealed: ?" if unanswered else f"revealed: {found}"


def _fill_one(lines: list[str], section: Section, marker: Marker, text: str) -> None:
    at = section.origins[marker.file][marker.line] - 1
    if marker.kind == "schema":
        lines[at] = lines[at].replace("schema: ?", text)
        return
    assert marker.columns is not None
    start, end = marker.columns
    for number in range(at + 1, len(lines)):
        if lines[number][start:end] == "^" * (end - start) and "revealed: ?" in lines[number]:
            lines[number] = lines[number].replace("revealed: ?", text)
            return


def main(arguments: list[str]) -> int:
    if len(arguments) < 2 or arguments[0] not in ("show", "fill"):
        print(__doc__, file=sys.stderr)
        return 2
    python = oracle_python()
    if python is None:
        print("no torch here: set TS_LSP_ORACLE_PYTHON", file=sys.stderr)
        return 2
    oracle = Oracle(python)
    for path in arguments[1:]:
        (fill if arguments[0] == "fill" else show)(Path(path), oracle)
    oracle.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
