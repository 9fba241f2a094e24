"""The one door through which the cases reach the product.

Owns `judge` and the shapes of its answer. Invariant: positions are 0-based and count code points, ends exclusive.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ts_lsp.rules.diagnostics import Diagnostic, RuleChoice, describe_all, fixes_of, placed_findings
from ts_lsp.rules.model import Fix
from ts_lsp.semantic.analysis import Analysis, FileFacts
from ts_lsp.semantic.facts import DefinitionFacts
from ts_lsp.text import Range, TextEdit, apply_edits, range_of
from ts_lsp.torchdata.loader import load
from ts_lsp.types.display import error_form, operator_schema_text
from ts_lsp.values.workspace import Workspace


@dataclass(frozen=True)
class TwinFix:
    """A fix and the program's files after it."""

    title: str
    applicability: str
    files: Mapping[str, str]


@dataclass(frozen=True)
class TwinFinding:
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    severity: str
    message: str
    definition: str
    fixes: tuple[TwinFix, ...] = ()


@dataclass(frozen=True)
class TwinDefinition:
    """The verdict on a definition; `first_error` is the file and line where the compiler is said to stop."""

    name: str
    kind: str
    file: str
    line: int
    end_line: int
    verdict: str
    first_error: tuple[str, int] | None


@dataclass(frozen=True)
class Judgement:
    """What the product says of a program."""

    findings: tuple[TwinFinding, ...]
    definitions: tuple[TwinDefinition, ...]
    facts: Mapping[str, FileFacts]

    def type_at(self, file: str, line: int, column: int, end_column: int) -> str | None:
        """The type of the expression (or bound name) that stands there, or None where the product has none.

        A stretch of one column stands for the innermost expression that begins there.
        """
        found = [
            (place, text)
            for facts in self.facts[file].definitions
            for place, text in _typed(facts)
            if (place.line, place.column) == (line, column)
        ]
        if end_column - column > 1:
            found = [(place, text) for place, text in found if (place.end_line, place.end_column) == (line, end_column)]
        return min(found, key=lambda item: (item[0].end_line, item[0].end_column))[1] if found else None

    def schema_at(self, file: str, line: int) -> str | None:
        """The schema of the definition whose `def` stands on that line."""
        for facts in self.facts[file].definitions:
            at = getattr(facts.node, "lineno", 0) - 1 + facts.unit.first_line
            if at == line and facts.schema is not None:
                return operator_schema_text(facts.schema)
        return None


@dataclass(frozen=True)
class ProgramModule:
    """A file of the program as a module."""

    path: str
    name: str
    text: str
    is_package: bool
    external: bool = False


@dataclass(frozen=True)
class ProgramFiles:
    """How the files of a program import each other: each by its path, as if their folder were on `sys.path`."""

    files: Mapping[str, str]

    def find_module(self, dotted: str, importing_path: str) -> ProgramModule | None:
        for path in (f"{dotted.replace('.', '/')}.py", f"{dotted.replace('.', '/')}/__init__.py"):
            if path in self.files:
                return ProgramModule(path, dotted, self.files[path], path.endswith("__init__.py"))
        return None

    def module_name(self, path: str) -> tuple[str, bool]:
        dotted = path.removesuffix(".py").replace("/", ".")
        return dotted.removesuffix(".__init__"), dotted.endswith("__init__")


def judge(files: Mapping[str, str], main: str, scope: str) -> Judgement:
    """What the product says of a program of several files, of which `main` is checked and imports the others."""
    workspace = Workspace(load(), ProgramFiles(files))
    for name, text in files.items():
        workspace.set_source(name, text)
    paths = [main, *(name for name in files if name != main)]
    analysis = Analysis(load(), workspace)
    facts = dict(zip(paths, analysis.check(paths, scope), strict=True))
    for fault in analysis.program.faults:
        raise fault.error
    found = placed_findings(item for file in facts.values() for item in file.definitions)
    findings = tuple(_finding(diagnostic, files) for diagnostic in describe_all(found, RuleChoice()))
    problems = [problem for name in paths for problem in _syntax_problems(workspace, name)]
    definitions = [_definition(item) for file in facts.values() for item in file.definitions]
    return Judgement((*problems, *findings), tuple(definitions), facts)


def _finding(diagnostic: Diagnostic, files: Mapping[str, str]) -> TwinFinding:
    place = diagnostic.range
    return TwinFinding(
        diagnostic.path,
        place.line,
        place.column,
        place.end_line,
        place.end_column,
        diagnostic.code,
        diagnostic.severity,
        diagnostic.message,
        diagnostic.definition,
        tuple(_fix(fix, files) for fix in fixes_of(diagnostic, files[diagnostic.path])),
    )


def _fix(fix: Fix, files: Mapping[str, str]) -> TwinFix:
    changed = dict(files)
    for path in {edit.path for edit in fix.edits}:
        edits = [TextEdit(edit.range, edit.text) for edit in fix.edits if edit.path == path]
        changed[path] = apply_edits(changed[path], edits)
    return TwinFix(fix.title, fix.applicability, changed)


def _syntax_problems(workspace: Workspace, path: str) -> Iterator[TwinFinding]:
    for unit in workspace.units(path):
        for problem in unit.chunk.problems:
            place = problem.range.moved(unit.first_line)
            yield TwinFinding(
                path,
                place.line,
                place.column,
                place.end_line,
                place.end_column,
                "syntax-error",
                "error",
                problem.message,
                "",
            )


def _definition(facts: DefinitionFacts) -> TwinDefinition:
    first = getattr(facts.node, "lineno", 1) - 1 + facts.unit.first_line
    last = (getattr(facts.node, "end_lineno", None) or 1) - 1 + facts.unit.first_line
    error = facts.first_error
    unit = facts.first_error_unit or facts.unit
    stop = (unit.path, error.place.line + unit.first_line) if error else None
    return TwinDefinition(facts.qualname, facts.kind, facts.unit.path, first, last, facts.verdict, stop)


def _typed(facts: DefinitionFacts) -> Iterator[tuple[Range, str]]:
    """Places in the file with the type of what stands there (for a bound name, what it is from then on)."""
    for binding in facts.bindings:
        yield from _placed(facts, binding.node, error_form(binding.type))
    for typed in facts.typed:
        if typed.role == "self":
            yield from _placed(facts, typed.node, error_form(typed.type))


def _placed(facts: DefinitionFacts, node: ast.AST, text: str) -> Iterator[tuple[Range, str]]:
    if isinstance(node, (ast.expr, ast.arg)):
        place = range_of(node, facts.unit.chunk.lines)
        if isinstance(node, ast.arg):
            place = Range(place.line, place.column, place.line, place.column + len(node.arg))
        yield place.moved(facts.unit.first_line), text
