"""The command line's way through the engine: settings, files, environment, analysis, and results in plain data.

Owns `examine`. Invariant: files are read, never executed; one that cannot be read is a finding and the rest is checked.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from ts_lsp.cli.failure import CommandFailure
from ts_lsp.cli.options import Request, shown_path
from ts_lsp.cli.progress import files_checked
from ts_lsp.cli.results import (
    AttributeResult,
    DefinitionResult,
    EntryResult,
    FileResult,
    FirstError,
    Found,
    Outcome,
    ReachedFrom,
    Span,
    TypedValue,
    UnreachedResult,
    found,
)
from ts_lsp.cli.sharing import shares
from ts_lsp.project.environment import Environment, ModuleFinder, discover_environment, package_root
from ts_lsp.project.files import find_files, read_file
from ts_lsp.project.libraries import registered_operators
from ts_lsp.project.settings import Settings, load_settings
from ts_lsp.project.sources import DiskSources
from ts_lsp.records import dataclass, replace
from ts_lsp.rules.diagnostics import Diagnostic, RuleChoice, fixes_of
from ts_lsp.rules.files import file_diagnostics, unreadable_file
from ts_lsp.rules.registry import codes
from ts_lsp.semantic.analysis import Analysis, EntryFacts, FileFacts
from ts_lsp.semantic.facts import AttributeFact, DefinitionFacts
from ts_lsp.semantic.unreached import Unreached
from ts_lsp.syntax.ranges import CompilerRanges
from ts_lsp.syntax.source import first_line_of
from ts_lsp.torchdata.loader import load
from ts_lsp.types.display import annotation_form, operator_schema_text
from ts_lsp.types.model import UnknownType
from ts_lsp.values.known import PythonTarget
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    EntryPoint,
    FunctionValue,
    InstanceValue,
    ModuleObject,
    PartialValue,
    ScriptedValue,
    TorchValue,
    TracedValue,
    Value,
)
from ts_lsp.values.workspace import Workspace

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class _Project:
    """What holds for the whole request."""

    settings: Settings
    environment: Environment
    choice: RuleChoice
    torch_version: str
    notices: tuple[str, ...]


def examine(request: Request) -> Outcome:
    """Check what the request names."""
    project = _project(request)
    texts, unreadable, notices = _read_files(request, project)
    outcome = Outcome(project.torch_version, unreadable, (*project.notices, *notices))
    if request.jobs > 1 and len(texts) > 1:
        files = _examine_in_processes(request, project, texts)
    else:
        files = _examine_files(request, project, texts, list(texts))
    return replace(outcome, files=tuple(sorted((*outcome.files, *files), key=lambda file: file.path)))


def _project(request: Request) -> _Project:
    start = Path(request.stdin_filename or ".") if request.stdin is not None else Path(request.paths[0])
    settings, notices = load_settings(_existing(Path(os.path.abspath(start))))
    settings = _with_options(settings, request)
    environment, more = discover_environment(Path.cwd(), settings.python)
    version = settings.torch_version or environment.torch_version
    unknown = [code for code in (*settings.select, *settings.ignore, *settings.severity) if code not in codes()]
    notices += (*more, *(f"no rule is called `{code}` (settings)" for code in unknown))
    return _Project(
        settings,
        environment,
        RuleChoice.written(settings.select, settings.ignore, settings.severity),
        load(version).version,
        notices,
    )


def _existing(path: Path) -> Path:
    """The path, or the nearest folder above it that exists."""
    while not path.exists() and path.parent != path:
        path = path.parent
    return path


def _with_options(settings: Settings, request: Request) -> Settings:
    return replace(
        settings,
        scope=request.scope or settings.scope,
        entry_points=(*settings.entry_points, *request.entry_points),
        torch_version=request.torch_version or settings.torch_version,
        select=request.select or settings.select,
        ignore=(*settings.ignore, *request.ignore),
        severity=dict(settings.severity),  # a plain dict can be sent to other processes
    )


def _read_files(request: Request, project: _Project) -> tuple[dict[str, str], tuple[FileResult, ...], tuple[str, ...]]:
    """The texts by absolute path, the files without one, and messages."""
    if request.stdin is not None:
        return {os.path.abspath(request.stdin_filename or "<stdin>"): request.stdin}, (), ()
    given = [Path(path) for path in request.paths]
    missing = [path for path in given if not os.path.lexists(path)]
    files = find_files([path for path in given if path not in missing], project.settings)
    texts: dict[str, str] = {}
    unreadable = [_unreadable(str(path), "there is no such file or folder", project) for path in missing]
    for path in files.paths:
        content = read_file(path)
        if content.is_readable and content.problem is None:
            texts[str(path)] = content.text
        else:
            unreadable.append(_unreadable(str(path), content.problem or "it is no text", project))
    return texts, tuple(unreadable), files.messages


def _unreadable(path: str, reason: str, project: _Project) -> FileResult:
    shown = shown_path(path)
    return FileResult(shown, findings=tuple(map(found, unreadable_file(shown, reason, project.choice))))


def _examine_in_processes(request: Request, project: _Project, texts: dict[str, str]) -> list[FileResult]:
    """Every process knows all texts, and answers for a share of them, beyond which nothing is imported."""
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(request.jobs) as pool:
        answers = [pool.submit(_examine_files, request, project, texts, share) for share in shares(texts, request.jobs)]
        return [file for answer in answers for file in answer.result()]


def _examine_files(
    request: Request, project: _Project, texts: dict[str, str], share: Sequence[str]
) -> list[FileResult]:
    """The results of the files of the share, of which all entry points count."""
    environment = project.environment
    folders = dict.fromkeys((*map(package_root, map(Path, texts)), Path.cwd(), *environment.site_packages))
    torch = load(project.torch_version).with_libraries(partial(registered_operators, tuple(folders)))
    finder = ModuleFinder([Path.cwd()], environment)
    python = PythonTarget(version=environment.python_version or PythonTarget().version)
    workspace = Workspace(torch, DiskSources(finder), project.settings.entry_points, python)
    for path, text in texts.items():
        workspace.set_source(path, text)
    analysis = Analysis(torch, workspace)
    with files_checked(len(share)) as advance:
        checked = analysis.check(share, project.settings.scope, lambda path: advance())
    _tell_faults(analysis)
    return [_result(facts, analysis, request, project) for facts in checked]


def _tell_faults(analysis: Analysis) -> None:
    """Faults of our own, a line each on stderr; the definitions beside them keep their facts."""
    for fault in analysis.program.faults:
        if os.environ.get("TS_LSP_TRACEBACK"):
            raise fault.error
        where = f"{fault.qualname} in {shown_path(fault.path)}"
        print(f"ts-lsp: internal fault at {where}: {fault.error!r} (please report it)", file=sys.stderr)


def _result(facts: FileFacts, analysis: Analysis, request: Request, project: _Project) -> FileResult:
    source = analysis.workspace.source(facts.path)
    if source is None:
        raise CommandFailure(f"{facts.path}: its text got lost")
    units = analysis.workspace.units(facts.path)
    diagnostics = file_diagnostics(facts.path, source, facts.definitions, units, project.choice)
    return FileResult(
        path=shown_path(facts.path),
        text=source.text,
        entries=tuple(_entry(entry) for entry in facts.entries),
        definitions=tuple(
            _definition(each, request.with_values, facts.reached.get(each.node, ()))
            for each in facts.definitions
            if isinstance(each.node, (*_FUNCTIONS, ast.ClassDef))
        ),
        unreached=tuple(map(_unreached, facts.unreached)) if request.with_values else (),
        findings=tuple(_found(each, source.text, request.with_fixes) for each in diagnostics),
    )


def _found(diagnostic: Diagnostic, text: str, with_fixes: bool) -> Found:
    """The diagnostic as plain data, its paths as people expect them."""
    plain = found(diagnostic, fixes_of(diagnostic, text) if with_fixes else ())
    return replace(
        plain,
        path=shown_path(plain.path),
        related=tuple(replace(each, path=shown_path(each.path)) for each in plain.related),
        fixes=tuple(
            replace(fix, edits=tuple(replace(edit, path=shown_path(edit.path)) for edit in fix.edits))
            for fix in plain.fixes
        ),
    )


def _entry(facts: EntryFacts) -> EntryResult:
    entry = facts.entry
    target, path, line = _target(entry.target)
    return EntryResult(entry.line + 1, entry.kind, target, shown_path(path) if path else "", line, facts.verdict)


def _target(value: Value) -> tuple[str, str, int]:
    """The qualified name, file and 1-based first line of what an entry point compiles."""
    if isinstance(value, (ScriptedValue, TracedValue, InstanceValue, ModuleObject, PartialValue)):
        return _target(value.of)
    if isinstance(value, (FunctionValue, ClassValue)):
        node = value.node
        line = first_line_of(node) + 1 if isinstance(node, (*_FUNCTIONS, ast.ClassDef)) else 1
        return value.qualname, value.unit.path, value.unit.first_line + line
    if isinstance(value, TorchValue):
        return value.path, "", 0
    return value.name if isinstance(value, BuiltinValue) else "", "", 0


def _unreached(each: Unreached) -> UnreachedResult:
    name, _, line = _target(each.value)
    return UnreachedResult(name, each.kind, line, each.why)


def _attribute(each: AttributeFact) -> AttributeResult:
    shown = None if each.type is None or isinstance(each.type, UnknownType) else annotation_form(each.type)
    return AttributeResult(each.name, each.kind, shown, each.why)


def _reached_from(entry: EntryPoint) -> ReachedFrom:
    return ReachedFrom(shown_path(entry.unit.path), entry.line + 1)


def _definition(facts: DefinitionFacts, with_values: bool, entries: Sequence[EntryPoint] = ()) -> DefinitionResult:
    node, base = facts.node, facts.unit.first_line
    assert isinstance(node, (*_FUNCTIONS, ast.ClassDef))
    first = facts.first_error
    error = None
    if first is not None:
        unit = facts.first_error_unit or facts.unit
        error = FirstError(shown_path(unit.path), first.place.line + unit.first_line + 1, first.code)
    return DefinitionResult(
        qualname=facts.qualname,
        kind=facts.kind,
        line=base + first_line_of(node) + 1,
        end_line=base + (node.end_lineno or node.lineno),
        verdict=facts.verdict,
        first_error=error,
        schema=operator_schema_text(facts.schema) if facts.schema is not None else None,
        values=tuple(_values(facts)) if with_values else (),
        entries=tuple(sorted(map(_reached_from, entries))),
        attributes=tuple(map(_attribute, facts.attributes)) if with_values else (),
        unknown_reason=facts.unknown_reason,
    )


def _values(facts: DefinitionFacts) -> Iterator[TypedValue]:
    """The typed expressions over the compiler's own ranges."""
    if not isinstance(facts.node, _FUNCTIONS):
        return
    ranges = CompilerRanges(facts.unit.chunk, facts.node)
    for typed in facts.typed:
        if typed.role != "module" and not isinstance(typed.type, UnknownType):
            place = ranges.of(typed.node).moved(facts.unit.first_line)
            yield TypedValue(Span.of(place), annotation_form(typed.type))


def interpreter(path: str) -> str | None:
    """The Python of the environment that belongs to a path's project."""
    start = _existing(Path(os.path.abspath(path)))
    settings, _ = load_settings(start)
    environment, _ = discover_environment(start if start.is_dir() else start.parent, settings.python)
    return environment.interpreter
