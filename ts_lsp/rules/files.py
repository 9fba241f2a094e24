"""From the facts of a file to its diagnostics: findings in words, suppressions applied, unused ones reported.

Owns `file_diagnostics`, which the command line and the server share. Invariant: pure.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence

from ts_lsp.rules.diagnostics import Diagnostic, RuleChoice, describe, describe_all, placed_findings
from ts_lsp.rules.registry import codes
from ts_lsp.rules.suppression import PlacedSuppression, apply_suppressions, suppressions_of
from ts_lsp.semantic.facts import DefinitionFacts, Finding
from ts_lsp.syntax.tree import SourceFile
from ts_lsp.text import Range
from ts_lsp.values.model import Unit


def file_diagnostics(
    path: str, source: SourceFile, definitions: Sequence[DefinitionFacts], units: Sequence[Unit], choice: RuleChoice
) -> tuple[Diagnostic, ...]:
    """Everything to be said of one file, in its order. `units` are the file's chunks."""
    findings = list(placed_findings(definitions))
    findings += [
        (Finding("syntax-error", problem.range, "", {"message": problem.message}), unit)
        for unit in units
        if unit.chunk.problems
        for problem in unit.chunk.problems
    ]
    described = describe_all(findings, choice)
    suppressions = suppressions_of(source)
    if not suppressions:
        return described
    checked = [_lines_of(facts) for facts in definitions if facts.unit.path == path]
    result = apply_suppressions(described, suppressions, lambda line: any(line in lines for lines in checked))
    extra = [*_unknown(path, suppressions, choice), *_unused(path, result.unused, choice)]
    return tuple(sorted([*result.kept, *extra], key=lambda each: (each.range, each.code)))


def _lines_of(facts: DefinitionFacts) -> range:
    """The lines of the file that a definition covers."""
    first = getattr(facts.node, "lineno", 1) - 1 + facts.unit.first_line
    decorators = [each.lineno - 1 + facts.unit.first_line for each in getattr(facts.node, "decorator_list", ())]
    return range(min([first, *decorators]), (getattr(facts.node, "end_lineno", 0) or 0) + facts.unit.first_line)


def _unknown(path: str, suppressions: Sequence[PlacedSuppression], choice: RuleChoice) -> Iterator[Diagnostic]:
    for suppression in suppressions:
        for code, place in suppression.codes or ():
            if code not in codes():
                close = difflib.get_close_matches(code, codes(), n=1)
                hint = f"; did you mean `{close[0]}`?" if close else ""
                yield from _meta("unknown-suppression", path, place, {"code": code, "hint": hint}, choice)


def _unused(
    path: str, unused: Sequence[tuple[PlacedSuppression, tuple[str, ...]]], choice: RuleChoice
) -> Iterator[Diagnostic]:
    for suppression, without_use in unused:
        # A rule that is turned off finds nothing, and an unknown code is reported as such.
        idle = tuple(code for code in without_use if code in codes() and choice.speaks(code))
        if suppression.codes is None or idle:
            data = {"codes": ", ".join(f"`{code}`" for code in idle)}
            yield from _meta("unused-suppression", path, suppression.range, data, choice)


def _meta(code: str, path: str, place: Range, data: Mapping[str, object], choice: RuleChoice) -> Iterator[Diagnostic]:
    """A diagnostic about the file itself, at a range that counts from its start."""
    diagnostic = describe(Finding(code, place, "", data), None, choice, path)
    if diagnostic is not None:
        yield diagnostic


def unreadable_file(path: str, reason: str, choice: RuleChoice) -> tuple[Diagnostic, ...]:
    """What is said of a file whose text cannot be had."""
    return tuple(_meta("unreadable-file", path, Range(0, 0, 0, 0), {"reason": reason}, choice))
