"""Asking the twin about one function of a file whose text may have been changed in memory."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from scripts.wild.packages import Function
from ts_lsp.project.environment import ModuleFinder, discover_environment
from ts_lsp.project.sources import DiskSources
from ts_lsp.semantic.analysis import Analysis
from ts_lsp.semantic.functions import Compiled
from ts_lsp.torchdata.loader import load
from ts_lsp.types.display import operator_schema_text
from ts_lsp.values.known import PythonTarget
from ts_lsp.values.workspace import Workspace


@dataclass(frozen=True)
class TwinAnswer:
    """The twin's verdict (`ok`, `error`, `unknown`, `absent` or `crash`), where it stops, and its schema."""

    verdict: str
    schema: str = ""
    place: tuple[str, int] | None = None
    code: str = ""
    reason: str = ""
    seconds: float = 0.0


class Twins:
    """One engine for each package, so that a package sees torch as any program does."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        self._twin = Twin(folders)
        self._package = ""

    def judge(self, function: Function, text: str | None = None) -> TwinAnswer:
        """What the twin says about a function, in `text` where its module was changed."""
        package = function.module.partition(".")[0]
        if package != self._package:
            self._package, self._twin = package, Twin(self._folders)
        return self._twin.judge(function.path, text or function.text, function.name, function.node.lineno)


class Twin:
    """The engine over one workspace."""

    def __init__(self, packages: Sequence[Path] = ()) -> None:
        environment, _ = discover_environment(Path.cwd(), sys.executable)
        torch = load(version("torch"))
        workspace = Workspace(torch, DiskSources(ModuleFinder(packages, environment)), (), PythonTarget())
        self.analysis = Analysis(torch, workspace)

    def judge(self, path: Path, text: str, function: str, line: int | None = None) -> TwinAnswer:
        """What the twin says about a function at the top level of a file; `line` is that of its `def`."""
        start = time.perf_counter()
        try:
            answer = self._judge(str(path), text, function, line)
        except Exception:
            answer = TwinAnswer("crash", reason=traceback.format_exc())
        seconds = time.perf_counter() - start
        return TwinAnswer(answer.verdict, answer.schema, answer.place, answer.code, answer.reason, seconds)

    def _judge(self, path: str, text: str, function: str, line: int | None) -> TwinAnswer:
        known = self.analysis.workspace.source(path)
        if known is None or known.text != text:
            self.analysis.apply_change(path, text)
        found = [
            each
            for each in self.analysis.workspace.definitions(path).functions
            if each.qualname == function
            and each.owner is None
            and (line is None or each.unit.first_line + each.node.lineno == line)
        ]
        if not found:
            return TwinAnswer("absent")
        value = found[-1]
        if "unknown" in value.modifiers:
            return TwinAnswer("unknown", reason="a decorator that is not known")
        if value.overloads:
            return TwinAnswer("unknown", reason="overloads")
        return _answer(self.analysis.program.compile_function(value))


def _answer(compiled: Compiled) -> TwinAnswer:
    facts = compiled.facts
    if facts is None:
        return TwinAnswer("unknown", reason="not compiled")
    schema = operator_schema_text(facts.schema) if facts.schema is not None else ""
    error = facts.first_error
    if error is None:
        return TwinAnswer(facts.verdict, schema, reason=facts.unknown_reason)
    unit = facts.first_error_unit or facts.unit
    place = (unit.path, unit.first_line + error.place.line + 1)
    return TwinAnswer(facts.verdict, schema, place, error.code)
