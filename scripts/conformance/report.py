"""The differences of a run, one after another as JSON lines and grouped by family as Markdown."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripts.conformance.compare import Comparison, Position
from scripts.conformance.families import family
from scripts.conformance.figures import table
from scripts.conformance.product import Answer
from scripts.conformance.spelling import plain_type

_TITLES = {
    "false alarm": "False alarms: the compiler accepts, the product rejects",
    "missed": "Missed: the compiler rejects, the product accepts",
    "unknown": "Unknown: the product does not commit itself",
    "absent": "Absent: the product lists no such definition",
    "line": "Rejected at another line",
    "type": "Another type",
    "untyped": "Expressions without a type",
    "schema": "Another schema",
    "attribute": "Another attribute",
}
_EXAMPLES = 4
_EXCERPT_LINES = 24


@dataclass(frozen=True)
class Difference:
    """One thing that differs: its sort (a key of the titles), its family, and where; details are for reading."""

    sort: str
    family: str
    comparison: Comparison
    position: Position | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


def differences(comparisons: Iterable[Comparison]) -> Iterator[Difference]:
    """Everything that differs, in the order of the comparisons."""
    for one in comparisons:
        if one.wanted != "mixed" and one.answered != one.wanted:
            yield _verdict_difference(one)
        if one.located and not one.on_line:
            code = (one.first_error or {}).get("code")
            yield Difference("line", f"{family(one.fact.get('headline') or '')} | {code}", one)
        yield from _type_differences(one)
        for wrong in one.attributes.wrong:
            details = {"attribute": wrong.name, "wanted_type": wrong.wanted, "answered_type": wrong.answered}
            yield Difference("attribute", f"{wrong.answered} instead of {wrong.wanted}", one, None, details)


def _verdict_difference(one: Comparison) -> Difference:
    compiler = family(one.fact.get("headline") or "") if one.wanted == "error" else "accepted"
    if one.answered == "ok":
        return Difference("missed", compiler, one)
    if one.answered != "error":
        return Difference(one.answered, f"{one.kind}: {compiler}", one)
    first_line = (one.first_error or {}).get("line")
    first = next((finding for finding in one.findings if finding["line"] == first_line), None)
    code = first["code"] if first else (one.first_error or {}).get("code")
    return Difference("false alarm", f"{code}: {family(first['message']) if first else ''}", one)


def _type_differences(one: Comparison) -> Iterator[Difference]:
    for wrong in one.types.wrong:
        wanted, answered = " or ".join(sorted(wrong.wanted)), " or ".join(sorted(wrong.answered))
        details = {"wanted_type": wanted, "answered_type": answered}
        yield Difference("type", f"{answered} instead of {wanted}", one, wrong.position, details)
    for untyped in one.types.untyped:
        details = {"wanted_type": " or ".join(sorted(untyped.wanted)), "node": untyped.node}
        yield Difference("untyped", untyped.node, one, untyped.position, details)
    if one.types.schema_differs and one.types.schemas:
        wanted, answered = one.types.schemas
        details = {"wanted_schema": wanted, "answered_schema": answered}
        yield Difference("schema", _schema_family(wanted, answered), one, None, details)


def _schema_family(wanted: str, answered: str) -> str:
    """Which half of a schema differs, and how the results do."""
    wanted_result, answered_result = (plain_type(schema).rpartition("->")[2] for schema in (wanted, answered))
    if wanted_result != answered_result:
        return f"result {answered_result} instead of {wanted_result}"
    return "parameters"


def write_json_lines(path: Path, found: Iterable[Difference], texts: Mapping[str, str]) -> None:
    with path.open("w") as file:
        for one in found:
            file.write(json.dumps(_as_json(one, texts[one.comparison.file])) + "\n")


def _as_json(one: Difference, text: str) -> dict[str, Any]:
    comparison = one.comparison
    return {
        "sort": one.sort,
        "family": one.family,
        "file": comparison.file,
        "line": comparison.line,
        "kind": comparison.kind,
        "name": comparison.name,
        "wanted": comparison.wanted,
        "answered": comparison.answered,
        "headline": comparison.fact.get("headline"),
        "marked": sorted(comparison.marked),
        "first_error": comparison.first_error,
        "findings": list(comparison.findings),
        "position": one.position,
        **one.details,
        "excerpt": _excerpt(one, text),
    }


def markdown(
    comparisons: list[Comparison],
    found: list[Difference],
    answers: Mapping[str, Answer],
    texts: Mapping[str, str],
) -> str:
    """The whole report: figures, files without an answer, then each sort with its most frequent family first."""
    parts = ["# Conformance: where the product and the compiler differ", table(comparisons)]
    if faults := [f"- `{file}`: {answer.fault}" for file, answer in sorted(answers.items()) if answer.dump is None]:
        parts += ["## Files without an answer", "\n".join(faults)]
    parts += ["## Most frequent families", _overview(found)]
    for sort, title in _TITLES.items():
        families = _by_family(one for one in found if one.sort == sort)
        if families:
            parts.append(f"## {title} ({sum(map(len, families.values()))})")
            parts += [_family_section(name, members, texts) for name, members in families.items()]
    return "\n\n".join(parts) + "\n"


def _by_family(found: Iterable[Difference]) -> dict[str, list[Difference]]:
    groups: dict[str, list[Difference]] = defaultdict(list)
    for one in found:
        groups[one.family].append(one)
    return dict(sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])))


def _overview(found: list[Difference]) -> str:
    lines = ["| n | sort | family |", "| --- | --- | --- |"]
    groups: dict[tuple[str, str], int] = defaultdict(int)
    for one in found:
        groups[one.sort, one.family] += 1
    for (sort, name), number in sorted(groups.items(), key=lambda item: -item[1])[:40]:
        lines.append(f"| {number} | {sort} | {name.replace('|', '/')} |")
    return "\n".join(lines)


def _family_section(name: str, members: list[Difference], texts: Mapping[str, str]) -> str:
    shown = [f"### {len(members)}: {name}"]
    shown += [_example(one, texts[one.comparison.file]) for one in members[:_EXAMPLES]]
    if others := members[_EXAMPLES:]:
        shown.append("Also: " + ", ".join(f"{one.comparison.file}:{_line(one)}" for one in others[:60]))
    return "\n\n".join(shown)


def _line(one: Difference) -> int:
    return one.position[0] if one.position else one.comparison.line


def _example(one: Difference, text: str) -> str:
    comparison = one.comparison
    lines = [f"`{comparison.file}:{_line(one)}` {comparison.kind} `{comparison.name}`"]
    if comparison.fact.get("headline"):
        lines.append(f"- compiler, line {sorted(comparison.marked)}: {comparison.fact['headline'][:300]!r}")
    if comparison.first_error:
        lines.append(f"- ours: {dict(comparison.first_error)}")
    lines += [_finding(each) for each in comparison.findings[:3]]
    lines += [f"- {name.replace('_', ' ')}: `{value}`" for name, value in one.details.items()]
    return "\n".join(lines) + f"\n```py\n{_excerpt(one, text)}\n```"


def _finding(finding: Mapping[str, Any]) -> str:
    return f"- finding, line {finding['line']}: [{finding['code']}] {finding['message'][:200]}"


def _excerpt(one: Difference, text: str) -> str:
    """The definition's lines, `>` before those that the compiler marked or the difference is about."""
    rows, first = text.splitlines(), one.comparison.line
    focus = set(one.comparison.marked)
    if one.position:
        focus |= set(range(one.position[0], one.position[2] + 1))
    last = _last_line(rows, first)
    numbers = list(range(first, last + 1))
    if len(numbers) > _EXCERPT_LINES:
        near = [number for number in numbers if any(abs(number - line) <= 4 for line in focus)]
        numbers = sorted({*numbers[:6], *near}) if focus else numbers[:_EXCERPT_LINES]
    return "\n".join(f"{'>' if number in focus else ' '}{number:5} {rows[number - 1]}" for number in numbers[:60])


def _last_line(rows: list[str], first: int) -> int:
    """The last line of the block that starts at a line, by indentation; decorators and `def` lines come first."""
    indent = len(rows[first - 1]) - len(rows[first - 1].lstrip())
    last, inside = first, False
    for number in range(first + 1, len(rows) + 1):
        row = rows[number - 1]
        depth = len(row) - len(row.lstrip())
        if not row.strip():
            continue
        if depth <= indent and inside and not row.lstrip().startswith((")", "]", "#")):
            break
        inside = inside or depth > indent
        last = number
    return last
