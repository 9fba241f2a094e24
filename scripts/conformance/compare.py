"""Setting what the compiler did beside what the product says, definition by definition.

Functions, classes and interfaces are found by the line of their definition; modules by the place that compiled them
where the product lists it, else by their class. A definition that the compiler both accepted and rejected, with
different arguments or attributes, is not judged. Methods are compared in their types only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scripts.conformance.attributes import AttributeComparison, compare_attributes
from scripts.conformance.facts import FactRow
from scripts.conformance.product import Answer
from scripts.conformance.spelling import plain_type

KINDS = ("function", "class", "module", "interface")
_CLASS_LIKE = ("class", "module", "interface")

Position = tuple[int, int, int, int]
Types = frozenset[str]


@dataclass(frozen=True)
class WrongType:
    """An expression typed otherwise than by the compiler; columns are code points and count from 0."""

    position: Position
    wanted: Types
    answered: Types


@dataclass(frozen=True)
class Untyped:
    """An expression that the product gives no type; `node` is the compiler's name for the operation."""

    position: Position
    node: str
    wanted: Types


@dataclass(frozen=True)
class TypeComparison:
    """How the expressions of one accepted definition compare."""

    expressions: int = 0
    typed: int = 0
    wrong: tuple[WrongType, ...] = ()
    untyped: tuple[Untyped, ...] = ()
    schemas: tuple[str, str] | None = None

    @property
    def schema_differs(self) -> bool:
        return self.schemas is not None and _parameters(self.schemas[0]) != _parameters(self.schemas[1])


@dataclass(frozen=True)
class Comparison:
    """One definition: what the compiler did, what the product answers, and where they differ."""

    file: str
    line: int
    kind: str
    name: str
    wanted: str
    answered: str
    fact: FactRow
    findings: tuple[Mapping[str, Any], ...] = ()
    first_error: Mapping[str, Any] | None = None
    marked: frozenset[int] = frozenset()
    types: TypeComparison = TypeComparison()
    attributes: AttributeComparison = field(default_factory=AttributeComparison)

    @property
    def located(self) -> bool:
        """Both reject it, and the compiler printed a place in this file."""
        return self.wanted == self.answered == "error" and bool(self.marked)

    @property
    def on_line(self) -> bool:
        return self.located and (self.first_error or {}).get("line") in self.marked


@dataclass(frozen=True)
class Definition:
    """What the product says about one definition of a dump."""

    verdict: str
    first_error: Mapping[str, Any] | None
    entry: Mapping[str, Any]


def compare(facts: Iterable[FactRow], answers: Mapping[str, Answer], texts: Mapping[str, str]) -> Iterator[Comparison]:
    """All judged definitions of the files that were asked about, then their methods."""
    facts = [fact for fact in facts if fact.get("file") in answers]
    groups: dict[tuple[str, int, str], list[FactRow]] = defaultdict(list)
    for fact in facts:
        if fact["kind"] in KINDS:
            groups[fact["file"], fact["line"], fact["kind"]].append(fact)
    for (file, _, _), group in sorted(groups.items()):
        yield _compare_group(group, answers[file].dump, texts[file])
    yield from _compare_methods(facts, answers, texts)


def _compare_group(group: list[FactRow], dump: Mapping[str, Any] | None, text: str) -> Comparison:
    fact, verdicts = group[0], {fact["verdict"] for fact in group}
    found = _find(group, dump) if dump else None
    comparison = Comparison(
        file=fact["file"],
        line=fact["line"],
        kind=fact["kind"],
        name=fact["name"],
        wanted=verdicts.pop() if len(verdicts) == 1 else "mixed",
        answered=found.verdict if found else "absent",
        fact=fact,
        findings=tuple(_findings(dump, found)),
        first_error=found.first_error if found else None,
        marked=_marked_lines(group),
    )
    accepted = comparison.wanted == comparison.answered == "ok"
    if found and accepted and fact["kind"] == "function" and fact.get("values"):
        return replace(comparison, types=_compare_types([fact], found.entry, text))
    if dump and accepted and fact["kind"] == "module":
        same_place = [each for each in dump["definitions"] if (each["line"], each["kind"]) == (fact["line"], "module")]
        return replace(comparison, attributes=compare_attributes(group, same_place))
    return comparison


def _find(group: list[FactRow], dump: Mapping[str, Any]) -> Definition | None:
    fact = group[0]
    kinds = (fact["kind"], "method") if fact["kind"] == "function" else (*_CLASS_LIKE, "method")
    candidates = [entry for entry in dump["definitions"] if entry["line"] == fact["line"] and entry["kind"] in kinds]
    if fact["kind"] == "module":
        verdicts = _verdicts_at_calls(group, dump)
        if len(verdicts) == 1:
            errors = (entry["first_error"] for entry in candidates if entry.get("first_error"))
            return Definition(verdicts.pop(), next(errors, None), candidates[0] if candidates else {})
    if not candidates:
        return None
    return Definition(candidates[0]["verdict"], candidates[0].get("first_error"), candidates[0])


def _verdicts_at_calls(group: list[FactRow], dump: Mapping[str, Any]) -> set[str]:
    calls = [fact["user_call"] for fact in group if fact.get("user_call")]
    lines = {call["line"] for call in calls if call["file"] == group[0]["file"]}
    verdicts = {entry["verdict"] for entry in dump.get("entries", []) if entry["line"] in lines}
    return verdicts - {"unknown"}


def _findings(dump: Mapping[str, Any] | None, found: Definition | None) -> Iterator[Mapping[str, Any]]:
    """The errors within the definition, and the first error wherever it is."""
    if not dump or not found:
        return
    first, last = found.entry.get("line", 0), found.entry.get("end_line", 0)
    first_error_line = (found.first_error or {}).get("line")
    for finding in dump.get("findings", []):
        inside = first <= finding["line"] <= last or finding["line"] == first_error_line
        if inside and finding["severity"] == "error":
            yield finding


def _marked_lines(group: list[FactRow]) -> frozenset[int]:
    file = group[0]["file"]
    places = [place for fact in group for place in fact.get("locs", []) if place["file"] == file]
    spans = [(place["line"], place["end_line"] or place["line"]) for place in places]
    return frozenset(line for first, last in spans for line in range(first, last + 1))


def _compare_methods(
    facts: list[FactRow], answers: Mapping[str, Answer], texts: Mapping[str, str]
) -> Iterator[Comparison]:
    """Methods of accepted classes and modules that the product accepts too."""
    methods: dict[tuple[str, int], list[FactRow]] = defaultdict(list)
    for fact in facts:
        for method in fact.get("methods") or []:
            if isinstance(method, dict) and method.get("file") in answers:
                methods[method["file"], method["line"]].append(method)
    for (file, line), group in sorted(methods.items()):
        dump = answers[file].dump or {"definitions": []}
        accepted = [
            entry
            for entry in dump["definitions"]
            if entry["line"] == line and entry["kind"] in ("function", "method") and entry["verdict"] == "ok"
        ]
        if accepted:
            types = _compare_types(group, accepted[0], texts[file])
            yield Comparison(file, line, "method", group[0]["name"], "ok", "ok", group[0], types=types)


def _compare_types(facts: list[FactRow], entry: Mapping[str, Any], text: str) -> TypeComparison:
    lines = text.splitlines()
    wanted: dict[Position, set[str]] = defaultdict(set)
    nodes: dict[Position, str] = {}
    for line, column, end_line, end_column, node, types, *rest in (value for fact in facts for value in fact["values"]):
        elsewhere = rest[1:]  # some recorders name the file of a value that stands in another one
        if types and not elsewhere and column is not None:
            position = line, _code_points(lines, line, column), end_line, _code_points(lines, end_line, end_column)
            wanted[position].update(map(plain_type, types))
            nodes[position] = node
    answered: dict[Position, set[str]] = defaultdict(set)
    for value in entry.get("values", []):
        position = value["line"], value["column"] - 1, value["end_line"], value["end_column"] - 1
        answered[position].add(plain_type(value["type"]))
    wrong = [
        WrongType(position, frozenset(types), frozenset(answered[position]))
        for position, types in sorted(wanted.items())
        if position in answered and not types & answered[position]
    ]
    untyped = tuple(
        Untyped(position, nodes[position], frozenset(types))
        for position, types in sorted(wanted.items())
        if position not in answered
    )
    schemas = [fact["schema"] for fact in facts if fact.get("schema")]
    pair = _closest(schemas, entry["schema"]) if schemas and entry.get("schema") else None
    return TypeComparison(len(wanted), len(wanted) - len(untyped), tuple(wrong), untyped, pair)


def _closest(schemas: list[str], answered: str) -> tuple[str, str]:
    """The answer beside the schema that it equals, else beside the first."""
    same = (schema for schema in schemas if _parameters(schema) == _parameters(answered))
    return next(same, schemas[0]), answered


def _code_points(lines: list[str], line: int, column: int) -> int:
    """A column in bytes as one in code points."""
    row = lines[line - 1] if 0 < line <= len(lines) else ""
    return column if row.isascii() else len(row.encode()[:column].decode(errors="ignore"))


def _parameters(schema: str) -> str:
    """A schema without its name."""
    return plain_type(schema).partition("(")[2]
