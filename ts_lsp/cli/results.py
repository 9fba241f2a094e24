"""What the engine found, in the terms of the command line: plain data at 1-based lines and code-point columns.

Owns the shapes behind every output format. Invariant: nothing here refers to trees or types, so that a result can cross
a process boundary.
"""

from __future__ import annotations

from ts_lsp.records import dataclass, field
from ts_lsp.rules.diagnostics import Diagnostic
from ts_lsp.rules.model import Fix
from ts_lsp.text import Range, TextEdit


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file: 1-based lines and code-point columns, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def of(cls, place: Range) -> Span:
        return cls(place.line + 1, place.column + 1, place.end_line + 1, place.end_column + 1)

    @property
    def place(self) -> Range:
        """The same stretch as everything inside counts it."""
        return Range(self.line - 1, self.column - 1, self.end_line - 1, self.end_column - 1)


@dataclass(frozen=True, slots=True)
class FoundEdit:
    path: str
    span: Span
    text: str

    @property
    def edit(self) -> TextEdit:
        """The same as everything inside writes it."""
        return TextEdit(self.span.place, self.text)


@dataclass(frozen=True, slots=True)
class FoundFix:
    title: str
    applicability: str
    edits: tuple[FoundEdit, ...]


@dataclass(frozen=True, slots=True)
class FoundRelated:
    path: str
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Found:
    """One finding in words."""

    code: str
    severity: str
    message: str
    path: str
    span: Span
    definition: str
    related: tuple[FoundRelated, ...] = ()
    fixes: tuple[FoundFix, ...] = ()


@dataclass(frozen=True, slots=True)
class EntryResult:
    """An entry point and what the compiler would say to it."""

    line: int
    kind: str
    target: str
    target_path: str
    target_line: int
    verdict: str


@dataclass(frozen=True, slots=True)
class FirstError:
    path: str
    line: int
    code: str


@dataclass(frozen=True, slots=True)
class TypedValue:
    """The type of an expression over the compiler's own range."""

    span: Span
    type: str


@dataclass(frozen=True, slots=True)
class AttributeResult:
    """What an object of a class has in compiled code, or has not (`kind` is then `dropped`), and why."""

    name: str
    kind: str
    type: str | None
    why: str


@dataclass(frozen=True, slots=True, order=True)
class ReachedFrom:
    """An entry point because of which a definition compiles."""

    path: str
    line: int


@dataclass(frozen=True, slots=True)
class UnreachedResult:
    """A definition that does not compile, and why."""

    qualname: str
    kind: str
    line: int
    why: str


@dataclass(frozen=True, slots=True)
class DefinitionResult:
    qualname: str
    kind: str
    line: int
    end_line: int
    verdict: str
    first_error: FirstError | None
    schema: str | None
    values: tuple[TypedValue, ...] = ()
    entries: tuple[ReachedFrom, ...] = ()
    attributes: tuple[AttributeResult, ...] = ()
    unknown_reason: str = ""


@dataclass(frozen=True, slots=True)
class FileResult:
    """Everything found in one file. `text` is what was read (empty where the file could not be)."""

    path: str
    text: str = ""
    entries: tuple[EntryResult, ...] = ()
    definitions: tuple[DefinitionResult, ...] = ()
    unreached: tuple[UnreachedResult, ...] = ()
    findings: tuple[Found, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a whole request. `notices` are for stderr: settings that do not hold and the like."""

    torch_version: str
    files: tuple[FileResult, ...]
    notices: tuple[str, ...] = field(default=())

    @property
    def findings(self) -> list[Found]:
        return [found for file in self.files for found in file.findings]


def found(diagnostic: Diagnostic, fixes: tuple[Fix, ...] = ()) -> Found:
    """A diagnostic and its fixes as plain data."""
    return Found(
        code=diagnostic.code,
        severity=diagnostic.severity,
        message=diagnostic.message,
        path=diagnostic.path,
        span=Span.of(diagnostic.range),
        definition=diagnostic.definition,
        related=tuple(FoundRelated(each.path, Span.of(each.range), each.message) for each in diagnostic.related),
        fixes=tuple(
            FoundFix(
                fix.title,
                fix.applicability,
                tuple(FoundEdit(edit.path, Span.of(edit.range), edit.text) for edit in fix.edits),
            )
            for fix in fixes
        ),
    )
