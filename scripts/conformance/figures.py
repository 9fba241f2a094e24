"""Counting comparisons: the figures of a run, for each kind of definition and for all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scripts.conformance.compare import KINDS, Comparison


@dataclass(frozen=True)
class Figures:
    """`judged` leaves out what the compiler both accepted and rejected; types, typed and schemas count functions.
    `attributes` are those of accepted modules whose type is known."""

    judged: int
    agreed: int
    false_alarms: int
    missed: int
    rejected: int
    unknown: int
    mixed: int
    located: int
    on_line: int
    expressions: int
    typed: int
    same_type: int
    schemas: int
    same_schema: int
    attributes: int
    same_attribute: int

    def percentages(self) -> dict[str, float]:
        """The shares that a threshold can be set on, by name."""
        return {
            "verdict": _share(self.agreed, self.judged),
            "line": _share(self.on_line, self.located),
            "types": _share(self.same_type, self.typed),
            "typed": _share(self.typed, self.expressions),
            "schemas": _share(self.same_schema, self.schemas),
            "attributes": _share(self.same_attribute, self.attributes),
        }


def count(comparisons: Iterable[Comparison]) -> Figures:
    every = list(comparisons)
    judged = [one for one in every if one.wanted != "mixed"]
    differing = [one for one in judged if one.answered != one.wanted]
    return Figures(
        judged=len(judged),
        agreed=len(judged) - len(differing),
        false_alarms=sum(one.answered == "error" for one in differing),
        missed=sum(one.answered == "ok" for one in differing),
        rejected=sum(one.wanted == "error" for one in judged),
        unknown=sum(one.answered not in ("ok", "error") for one in differing),
        mixed=len(every) - len(judged),
        located=sum(one.located for one in judged),
        on_line=sum(one.on_line for one in judged),
        expressions=sum(one.types.expressions for one in judged),
        typed=sum(one.types.typed for one in judged),
        same_type=sum(one.types.typed - len(one.types.wrong) for one in judged),
        schemas=sum(one.types.schemas is not None for one in judged),
        same_schema=sum(one.types.schemas is not None and not one.types.schema_differs for one in judged),
        attributes=sum(one.attributes.wanted - one.attributes.unknown for one in judged),
        same_attribute=sum(one.attributes.same for one in judged),
    )


def rows(comparisons: Iterable[Comparison]) -> Iterator[tuple[str, Figures]]:
    """All definitions, then each kind, then methods, which have types only and do not count among all."""
    every = list(comparisons)
    yield "all", count(one for one in every if one.kind != "method")
    for kind in (*KINDS, "method"):
        figures = count(one for one in every if one.kind == kind)
        if figures.judged:
            yield kind, figures


def table(comparisons: Iterable[Comparison]) -> str:
    """The figures as a Markdown table."""
    lines = [
        "| | verdict | false alarms | missed | unknown | mixed | line | types | typed | schemas | attributes |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, figures in rows(comparisons):
        verdicts = [
            _ratio(figures.agreed, figures.judged),
            str(figures.false_alarms),
            f"{figures.missed} of {figures.rejected}",
            str(figures.unknown),
            str(figures.mixed),
            _ratio(figures.on_line, figures.located),
        ]
        types = [
            _ratio(figures.same_type, figures.typed),
            _ratio(figures.typed, figures.expressions),
            _ratio(figures.same_schema, figures.schemas),
            _ratio(figures.same_attribute, figures.attributes),
        ]
        lines.append(f"| {name} | " + " | ".join((["-"] * 6 if name == "method" else verdicts) + types) + " |")
    return "\n".join(lines)


def _share(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


def _ratio(part: int, whole: int) -> str:
    return f"{part}/{whole} = {_share(part, whole):.2f}%" if whole else "-"
