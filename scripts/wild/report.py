"""Comparing verdicts, lines and schemas, and grouping what differs."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.conformance.families import family
from scripts.wild.compiler import Verdict
from scripts.wild.packages import Function
from scripts.wild.twin import TwinAnswer

_SORTS = ("crash", "false alarm", "unknown", "missed", "line", "schema")
_EXAMPLES = 4


@dataclass(frozen=True)
class Comparison:
    """One judged text: the function, the kind, line and lines of the change, and the two answers."""

    function: Function
    kind: str
    line: int
    change: str
    verdict: Verdict
    answer: TwinAnswer

    @property
    def sort(self) -> str | None:
        """How the answers differ, if they do."""
        wanted, answered = self.verdict.verdict, self.answer.verdict
        if answered == "crash":
            return "crash"
        if answered in ("unknown", "absent"):
            return "unknown"
        if wanted != answered:
            return "false alarm" if answered == "error" else "missed"
        if wanted == "error":
            return None if self._same_place() else "line"
        return (
            None if not self.verdict.schema or _types(self.verdict.schema) == _types(self.answer.schema) else "schema"
        )

    def _same_place(self) -> bool:
        """Whether the twin stops where the compiler does: innermost, or in the function's file at least.

        Where the compiler names nothing of the function's file, and the twin knows the callee by its schema only, there
        is nothing to compare.
        """
        places = self.verdict.places
        own = [each for each in places if each[0] == str(self.function.path)]
        comparable = bool(own) or self.answer.code != "uncompilable-torch-function"
        return not places or not comparable or self.answer.place in (places[0], *own[:1])

    @property
    def group(self) -> str:
        if self.sort == "unknown":
            return self.answer.reason or "no reason"
        headline = family(self.verdict.headline) if self.verdict.verdict == "error" else ""
        if self.sort == "schema":
            return "schema"
        return " | ".join(filter(None, (headline, self.answer.code)))


def changed_lines(function: Function, text: str) -> str:
    """What a changed text of the function's module drops and adds."""
    old, new = function.text.splitlines(), text.splitlines()
    start = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), 0)
    end = -1
    while len(old) + end > start and len(new) + end > start and old[end] == new[end]:
        end -= 1
    dropped, added = old[start : len(old) + end + 1], new[start : len(new) + end + 1]
    return "\n".join([*(f"-{row}" for row in dropped), *(f"+{row}" for row in added)])


def _types(schema: str) -> str:
    """A schema from its parenthesis on."""
    return schema[schema.find("(") :].strip()


def figures(title: str, comparisons: Sequence[Comparison]) -> str:
    """One line of numbers."""
    sorts = Counter(each.sort for each in comparisons)
    total = len(comparisons)
    agreed = sorts[None] + sorts["line"] + sorts["schema"]
    share = 100 * agreed / total if total else 0.0
    parts = [f"{sort} {sorts[sort]}" for sort in _SORTS]
    accepted = sum(each.verdict.verdict == "ok" for each in comparisons)
    return f"{title}: judged {total} ({accepted} accepted), same verdict {agreed} ({share:.1f} %); {', '.join(parts)}"


def write_report(path: Path, rows_path: Path, comparisons: Iterable[Comparison]) -> None:
    """Everything that differs: as Markdown by kind, most frequent first, and as one JSON object a line."""
    groups: dict[str, dict[str, list[Comparison]]] = {sort: defaultdict(list) for sort in _SORTS}
    with rows_path.open("w", encoding="utf-8") as stream:
        for each in comparisons:
            if each.sort is not None:
                groups[each.sort][each.group].append(each)
                stream.write(json.dumps(_row(each)) + "\n")
    lines = ["# Differences", ""]
    for sort, families in groups.items():
        lines.append(f"## {sort} ({sum(map(len, families.values()))})\n")
        for name, members in sorted(families.items(), key=lambda item: -len(item[1])):
            lines.append(f"### {len(members)} x {name}\n")
            for each in members[:_EXAMPLES]:
                lines.extend(_example(each))
    path.write_text("\n".join(lines), encoding="utf-8")


def _row(each: Comparison) -> dict[str, object]:
    return {
        "sort": each.sort,
        "group": each.group,
        "module": each.function.module,
        "path": str(each.function.path),
        "function": each.function.name,
        "kind": each.kind,
        "line": each.line,
        "change": each.change,
        "message": each.verdict.message[:3000],
        "wanted": each.verdict.places[:3],
        "schema": each.verdict.schema,
        "twin": [each.answer.verdict, each.answer.code, each.answer.place, each.answer.schema, each.answer.reason],
    }


def _example(each: Comparison) -> list[str]:
    wanted = each.verdict.schema or f"{each.verdict.headline} {each.verdict.places[:2]}"
    answered = (
        f"{each.answer.verdict} {each.answer.code} {each.answer.place or each.answer.schema} {each.answer.reason}"
    )
    return [
        f"- {each.function.module}.{each.function.name} ({each.kind}, line {each.line})",
        "  ```",
        *(f"  {row}" for row in each.change.splitlines()[:14]),
        "  ```",
        f"  compiler: {wanted}",
        f"  twin: {answered.splitlines()[-1] if each.sort == 'crash' else answered}",
        "",
    ]
