"""The two verdicts on programs, and where they differ.

Owns `Verdict`, `Judges` and `Difference`. Invariant: a verdict depends on the program alone, not on those judged with
it in one file.
"""

from __future__ import annotations

import re
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scripts.fuzz.generation import Program
from scripts.fuzz.grammar import PREAMBLE
from tests.oracle.client import Answer, Oracle, OracleCrash
from tests.oracle.probe import type_name
from tests.twin import ProgramFiles
from ts_lsp.semantic.analysis import Analysis
from ts_lsp.torchdata.loader import load
from ts_lsp.types.display import operator_schema_text
from ts_lsp.values.workspace import Workspace

_MAIN = "main.py"
# Two failing branches in a function that returns Any: whether it compiles hangs on which constants were merged before.
_LOST = "IndexError: Argument passed to at() was not in the map"


@dataclass(frozen=True)
class Verdict:
    """`verdict`: `ok`, `error`, `unknown`, `crash` or `lost` (the compiler fails for no reason in the program).

    `line` counts from the function's `def`, which is line 0.
    """

    verdict: str
    line: int | None = None
    schema: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Difference:
    """A program on which the two disagree. `sort`: `crash`, `verdict`, `line` or `schema`."""

    program: Program
    sort: str
    twin: Verdict
    compiler: Verdict

    @property
    def kind(self) -> str:
        """What programs with the same cause probably have in common."""
        if self.sort == "schema":
            return f"schema: {self.compiler.schema} is {self.twin.schema}"
        twin = self.twin.reason or self.twin.verdict
        return f"{self.sort}: compiler {_general(self.compiler.reason) or 'ok'} / twin {twin}"


class Judges:
    """The twin in this process and the compiler in another."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle

    def differences(self, programs: Sequence[Program]) -> tuple[list[Difference], Counter[str]]:
        """Where the two disagree, and how many programs were judged, compile, and are unknown to the twin."""
        found: list[Difference] = []
        counts: Counter[str] = Counter()
        for program, twin, compiler in zip(programs, twins(programs), self.compilers(programs), strict=True):
            counts["programs"] += 1
            counts[f"compiler {compiler.verdict}"] += 1
            counts["unknown"] += twin.verdict == "unknown"
            sort = difference_of(twin, compiler)
            if sort and len(programs) > 1:
                # The compiler remembers failures of what it compiled before; only what it says afresh counts.
                found += self.differences([program])[0]
                continue
            if sort:
                found.append(Difference(program, sort, twin, compiler))
        return found, counts

    def compilers(self, programs: Sequence[Program]) -> list[Verdict]:
        """The compiler's verdicts. A program that takes the compiler's process down has the verdict `crash`."""
        text, firsts = assembled(programs)
        names = [_name(index) for index in range(len(programs))]
        try:
            answer = self._oracle.judge({_MAIN: text}, _MAIN, "all", names)
        except OracleCrash:
            if len(programs) == 1:
                return [Verdict("crash")]
            half = len(programs) // 2
            return self.compilers(programs[:half]) + self.compilers(programs[half:])
        return _read(answer, firsts)


def assembled(programs: Sequence[Program]) -> tuple[str, list[int]]:
    """One file with all programs, and the 0-based line of each one's `def`."""
    text, firsts = PREAMBLE, []
    for index, program in enumerate(programs):
        firsts.append(text.count("\n"))
        text += program.text(_name(index)) + "\n\n"
    return text, firsts


def _name(index: int) -> str:
    return f"f_{index}"


def _read(answer: Answer, firsts: Sequence[int]) -> list[Verdict]:
    if answer.import_failure is not None:
        raise ValueError(f"the programs cannot be imported: {answer.import_failure}")
    verdicts: dict[str, Verdict] = {}
    for entry, first in zip(answer.entries, firsts, strict=True):
        if entry.verdict == "ok":
            schema = _signature((entry.schemas or {}).get(entry.name, ""))
            verdicts[entry.name] = Verdict("ok", None, schema)
            continue
        place = entry.place({_MAIN: ""})
        line = None if place is None else place[1] - 1 - first
        reason = f"{entry.exception}: {entry.message}"
        verdicts[entry.name] = Verdict("lost" if reason.startswith(_LOST) else "error", line, "", reason)
    return [verdicts[_name(index)] for index in range(len(firsts))]


def twins(programs: Sequence[Program]) -> list[Verdict]:
    """The twin's verdicts. A program that raises an exception in it has the verdict `crash`."""
    text, firsts = assembled(programs)
    workspace = Workspace(load(), ProgramFiles({_MAIN: text}))
    workspace.set_source(_MAIN, text)
    try:
        (facts,) = Analysis(load(), workspace).check([_MAIN], "all")
    except Exception:
        if len(programs) == 1:
            return [Verdict("crash", reason=traceback.format_exc().strip().rpartition("\n")[2])]
        half = len(programs) // 2
        return twins(programs[:half]) + twins(programs[half:])
    verdicts: dict[str, Verdict] = {}
    for definition in facts.definitions:
        error, unit = definition.first_error, definition.first_error_unit or definition.unit
        name = definition.qualname
        if not re.fullmatch(r"f_\d+", name):
            continue
        if definition.verdict == "ok" and definition.schema is not None:
            verdicts[name] = Verdict("ok", None, _signature(operator_schema_text(definition.schema)))
        elif error is not None:
            line = error.place.line + unit.first_line - firsts[int(name[2:])]
            verdicts[name] = Verdict("error", line, "", error.code)
        else:
            verdicts[name] = Verdict("unknown", None, "", f"unknown ({definition.unknown_reason})")
    return [verdicts[_name(index)] for index in range(len(programs))]


def difference_of(twin: Verdict, compiler: Verdict) -> str:
    """How two verdicts differ; empty when they agree, or one side does not commit itself."""
    if twin.verdict == "crash":
        return "crash"
    if twin.verdict == "unknown" or compiler.verdict in ("lost", "crash"):
        return ""
    if twin.verdict != compiler.verdict:
        return "verdict"
    if compiler.line is not None and twin.line != compiler.line:
        return "line"
    return "schema" if twin.schema != compiler.schema else ""


def _signature(schema: str) -> str:
    return type_name(schema[schema.index("(") :]) if "(" in schema else schema


def _general(message: str) -> str:
    """A message without what names this one program's types, names and numbers."""
    message = re.sub(r"'[^']*'", "'…'", message)
    message = re.sub(r"\b(?:[\w.]+\[[^\n]*\]|Tensor|int|float|str|bool|complex)\b", "…", message)
    return re.sub(r"\bp\d+|\bv\d+|\d+", "…", message)[:150]
