"""Findings as people read them: text, severity, related places, at positions of the file.

Owns `Diagnostic` and the choice of rules. Invariant: ranges count from the file's start; fixes are worked out only when
asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ts_lsp.records import dataclass, field
from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import SEVERITIES, Fix, Severity
from ts_lsp.rules.registry import find_rule
from ts_lsp.semantic.facts import DefinitionFacts, Finding
from ts_lsp.syntax.tree import SourceFile
from ts_lsp.text import Range
from ts_lsp.values.model import Unit


@dataclass(frozen=True, slots=True)
class RelatedMessage:
    """A second place and what it has to do with the finding."""

    path: str
    range: Range
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding in words. `finding` and `unit` are what it was made of, where there is such a thing."""

    code: str
    severity: Severity
    message: str
    path: str
    range: Range
    definition: str
    related: tuple[RelatedMessage, ...] = ()
    finding: Finding | None = field(default=None, compare=False, repr=False)
    unit: Unit | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """Which rules speak and how loud. An empty `select` means all."""

    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    severity: Mapping[str, Severity] = field(default_factory=dict)

    @classmethod
    def written(cls, select: Iterable[str], ignore: Iterable[str], severity: Mapping[str, str]) -> RuleChoice:
        """The choice as settings write it: a rule of severity `off` does not speak."""
        off = [code for code, chosen in severity.items() if chosen == "off"]
        known = {code: each for code, chosen in severity.items() for each in SEVERITIES if each == chosen}
        return cls(frozenset(select), frozenset((*ignore, *off)), known)

    def speaks(self, code: str) -> bool:
        return code not in self.ignore and (not self.select or code in self.select)


def describe(finding: Finding, unit: Unit | None, choice: RuleChoice, path: str = "") -> Diagnostic | None:
    """The finding in words; None where its rule is turned off. Without a unit its place counts in the file `path`."""
    if not choice.speaks(finding.code):
        return None
    rule = find_rule(finding.code)
    own_severity: Severity = rule.severity if rule else "error"
    if finding.data.get("world"):
        own_severity = "warning"
    return Diagnostic(
        code=finding.code,
        severity=choice.severity.get(finding.code, own_severity),
        message=_message(finding),
        path=unit.path if unit else path,
        range=finding.place.moved(unit.first_line) if unit else finding.place,
        definition=finding.definition,
        related=tuple(
            RelatedMessage(
                related.place.unit.path,
                related.place.range.moved(related.place.unit.first_line),
                rule.related_message(related) if rule else related.role,
            )
            for related in finding.related
        ),
        finding=finding,
        unit=unit,
    )


def placed_findings(definitions: Iterable[DefinitionFacts]) -> Iterator[tuple[Finding, Unit]]:
    """The findings of all definitions with where they count from.

    One text may compile several times, for several objects of a class: a mistake in it is told once.
    """
    definitions = [each for each in definitions if each.findings]
    told: dict[tuple[str, Range, str, int], DefinitionFacts] = {}
    for only_sometimes in (False, True):
        for facts in definitions:
            for finding in facts.findings:
                key = (finding.code, finding.place, facts.unit.path, facts.unit.first_line)
                if ("world" in finding.data) is only_sometimes and told.setdefault(key, facts) is facts:
                    yield finding, facts.unit


def describe_all(findings: Iterable[tuple[Finding, Unit]], choice: RuleChoice) -> tuple[Diagnostic, ...]:
    """All findings whose rules speak, in the order of the file."""
    described = (described for finding, unit in findings if (described := describe(finding, unit, choice)) is not None)
    return tuple(sorted(set(described), key=lambda each: (each.path, each.range, each.code)))


def fixes_of(diagnostic: Diagnostic, text: str, source: SourceFile | None = None) -> tuple[Fix, ...]:
    """The fixes of a diagnostic whose file holds `text`, parsed already as `source` where that is known."""
    rule = find_rule(diagnostic.code)
    if rule is None or diagnostic.finding is None or diagnostic.unit is None:
        return ()
    return rule.fixes(diagnostic.finding, FixContext(diagnostic.unit, text, source))


def _message(finding: Finding) -> str:
    rule = find_rule(finding.code)
    message = rule.message(finding) if rule else finding.code.replace("-", " ")
    world = finding.data.get("world")
    return f"{message} ({world})" if world else message
