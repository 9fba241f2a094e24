"""`python -m scripts.wild.models PACKAGE`: compare the twin with the compiler on the models of torchvision or timm.

Owns the facts of the compiler, kept in a folder so that every model is made once, and the figures of the twin:
errors, what the methods of a model's modules came to, what is unknown and why, and the time.
Figures and the rows of the models go to stdout, progress to stderr.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from ts_lsp.project.environment import ModuleFinder, discover_environment
from ts_lsp.project.libraries import registered_operators
from ts_lsp.project.sources import DiskSources
from ts_lsp.semantic.analysis import Analysis
from ts_lsp.semantic.facts import DefinitionFacts
from ts_lsp.semantic.functions import Compiled
from ts_lsp.semantic.modules import ModuleDefinition
from ts_lsp.torchdata.loader import load
from ts_lsp.types.display import operator_schema_text
from ts_lsp.values.known import PythonTarget
from ts_lsp.values.model import ClassValue
from ts_lsp.values.workspace import Workspace

_REPOSITORY = Path(__file__).resolve().parents[2]
_MANGLED = re.compile(r"\.___torch_mangle_\d+")
_VARIANT = re.compile(r"__\d+$")
_SHOWN = 25

Pair = tuple[str, str]
"""A class and the name of a method."""


@dataclass(frozen=True)
class Model:
    """A model and what the compiler did with it; `methods` leaves out what stands in the text of torch."""

    expression: str
    verdict: str
    message: str = ""
    seconds: float = 0.0
    methods: dict[Pair, frozenset[str]] = field(default_factory=dict)

    @property
    def program(self) -> str:
        return program(self.expression)


@dataclass(frozen=True)
class Judged:
    """What the twin says of a model: the verdict of the whole, the errors, and the methods by what became of them."""

    model: Model
    verdict: str
    errors: tuple[str, ...]
    pairs: dict[Pair, str]
    reasons: tuple[str, ...]
    schemas: tuple[str, ...]
    seconds: float

    def count(self, verdict: str) -> int:
        return sum(each == verdict for each in self.pairs.values())


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    models = [each for each in facts(options.package, options) if options.only in each.expression]
    if options.oracle_only:
        return 0
    twin = ModelTwin(options.oracle_python)
    judged: list[Judged] = []
    for model in models:
        if model.verdict == "ok" or (options.refused and model.verdict == "error"):
            judged.append(twin.judge(model))
            print(_row(judged[-1]), flush=True)
    _report(judged, models)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="wild.models", description=__doc__)
    parser.add_argument("package", choices=("torchvision", "timm"))
    parser.add_argument("--oracle-python", type=Path, required=True, help="the Python that has the packages and torch")
    parser.add_argument("--facts", type=Path, default=_REPOSITORY / ".wild" / "models", help="where facts are kept")
    parser.add_argument("--only", default="", help="part of the expressions of the models to look at")
    parser.add_argument("--oracle-only", action="store_true", help="only gather the facts")
    parser.add_argument("--refused", action="store_true", help="also judge models that the compiler refuses")
    return parser


def program(expression: str) -> str:
    """The file that scripts a model."""
    package = expression.partition("(")[0].rpartition(".")[0]
    return f"import torch\nimport {package}\n\nmodel = {expression}\ntorch.jit.script(model)\n"


def facts(package: str, options: argparse.Namespace) -> Iterator[Model]:
    """The models of a package with the compiler's answers, which are asked for once and kept."""
    options.facts.mkdir(parents=True, exist_ok=True)
    kept, listed = options.facts / f"{package}.jsonl", options.facts / f"{package}.json"
    answers: dict[str, dict[str, Any]] = {}
    if kept.exists():
        rows = (json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines())
        answers = {row["expression"]: row for row in rows}
    oracle = _Oracle(options.oracle_python)
    if not listed.exists():
        listed.write_text(json.dumps(oracle.ask({"list": package})), encoding="utf-8")
    for expression in json.loads(listed.read_text(encoding="utf-8")):
        if expression not in answers and options.only in expression:
            print(f"models: {expression}", file=sys.stderr)
            answers[expression] = {"expression": expression, **oracle.ask({"program": program(expression)})}
            with kept.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(answers[expression]) + "\n")
        if expression in answers:
            yield _model(answers[expression])
    oracle.close()


def _model(row: dict[str, Any]) -> Model:
    methods: dict[Pair, frozenset[str]] = {}
    for owner, method, defining, schema in row.get("methods", ()):
        if not defining.startswith("torch."):
            pair = (owner, _VARIANT.sub("", method))
            methods[pair] = methods.get(pair, frozenset()) | {_plain_schema(schema)}
    return Model(row["expression"], row["verdict"], row.get("message", ""), row.get("seconds", 0.0), methods)


def _plain_schema(schema: str) -> str:
    """A schema from its first parenthesis on, without the numbers of instances."""
    plain = _MANGLED.sub("", schema)
    return plain[plain.index("(") :]


class _Oracle:
    """The process that has torch and the packages; started when first asked, and again after it ended."""

    def __init__(self, python: Path) -> None:
        self._python = python
        self._process: subprocess.Popen[str] | None = None

    def ask(self, request: dict[str, Any]) -> Any:
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            self.close()
            return {"verdict": "skipped", "message": "the compiler's process ended"}
        return json.loads(line)

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _start(self) -> subprocess.Popen[str]:
        program = Path(__file__).with_name("model_process.py")
        self._process = subprocess.Popen(
            [str(self._python), "-W", "ignore", str(program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        return self._process


class ModelTwin:
    """The engine over one workspace, which reads the packages of the oracle's environment."""

    def __init__(self, python: Path) -> None:
        environment, _ = discover_environment(Path.cwd(), str(python))
        torch = load(environment.torch_version).with_libraries(partial(registered_operators, environment.site_packages))
        finder = ModuleFinder((), environment)
        target = PythonTarget(version=environment.python_version or PythonTarget().version)
        self.analysis = Analysis(torch, Workspace(torch, DiskSources(finder), (), target))

    def judge(self, model: Model) -> Judged:
        start = time.process_time()
        path = str(_REPOSITORY / "model.py")
        self.analysis.apply_change(path, model.program)
        entries = self.analysis.check([path])[0].entries
        seconds = time.process_time() - start
        compiled = self.analysis.program.functions
        methods = [(owner, each) for (_, owner, _), each in compiled.items() if isinstance(owner, ModuleDefinition)]
        found = [*(each.facts for each in entries), *(each.facts for each in compiled.values())]
        errors = (_error(each) for each in found if each is not None and each.first_error is not None)
        verdicts = _verdicts(methods)
        return Judged(
            model,
            entries[0].verdict if entries else "absent",
            tuple(dict.fromkeys(errors)),
            {pair: verdicts.get(pair, "absent") for pair in model.methods},
            _reasons(self.analysis),
            tuple(_schema_differences(model, methods)),
            seconds,
        )


def _verdicts(methods: Iterable[tuple[ModuleDefinition, Compiled]]) -> dict[Pair, str]:
    """The worst verdict of each method over the instances of its class."""
    order = ("ok", "unknown", "error")
    found: dict[Pair, str] = {}
    for owner, compiled in methods:
        verdict = compiled.facts.verdict if compiled.facts is not None else "unknown"
        pair = _pair(owner, compiled)
        if pair is not None:
            found[pair] = max(verdict, found.get(pair, "ok"), key=order.index)
    return found


def _pair(owner: ModuleDefinition, compiled: Compiled) -> Pair | None:
    value = owner.value
    return (f"{value.unit.module}.{value.qualname}", compiled.value.name) if isinstance(value, ClassValue) else None


def _error(facts: DefinitionFacts) -> str:
    assert facts.first_error is not None
    unit = facts.first_error_unit or facts.unit
    line = unit.first_line + facts.first_error.place.line + 1
    return f"{facts.first_error.code} at {unit.path}:{line} ({facts.qualname})"


def _reasons(analysis: Analysis) -> tuple[str, ...]:
    """Why definitions and modules are unknown, each at its own place."""
    program = analysis.program
    found = [(each.value.qualname, each.unknown_reason) for each in program.functions.values() if each.saw_unknown]
    classes = (each for each in program.module_definitions.values() if each.saw_unknown)
    found.extend((f"class {each.type.qualname}", each.unknown_reason) for each in classes)
    return tuple(dict.fromkeys(f"{name}: {reason or '?'}" for name, reason in found))


def _schema_differences(model: Model, methods: Sequence[tuple[ModuleDefinition, Compiled]]) -> Iterator[str]:
    """Methods of which both sides are sure, and whose schemas are not the same."""
    found: dict[Pair, set[str]] = {}
    for owner, compiled in methods:
        pair = _pair(owner, compiled)
        facts = compiled.facts
        if pair is not None and facts is not None and facts.verdict == "ok" and facts.schema is not None:
            found.setdefault(pair, set()).add(_plain_schema(operator_schema_text(facts.schema)))
    for pair, schemas in found.items():
        wanted = model.methods.get(pair)
        if wanted is not None and not schemas <= wanted:
            yield f"{'.'.join(pair)}: {sorted(schemas - wanted)[0]}, not {sorted(wanted)[0]}"


def _row(judged: Judged) -> str:
    counts = " ".join(f"{name} {judged.count(name)}" for name in ("ok", "unknown", "absent", "error"))
    errors = "".join(f"\n    {each}" for each in judged.errors)
    return f"{judged.seconds:6.2f} s  {judged.verdict:7} {counts}  {judged.model.expression}{errors}"


def _report(judged: Sequence[Judged], models: Sequence[Model]) -> None:
    for title, rows in (
        ("unknown", Counter(reason for each in judged for reason in each.reasons)),
        ("absent", Counter(".".join(pair) for each in judged for pair, v in each.pairs.items() if v == "absent")),
        ("other schemas", Counter(row for each in judged for row in each.schemas)),
    ):
        print(f"\n{title}:")
        for row, count in rows.most_common(_SHOWN):
            print(f"  {count:4} {row}")
    accepted = [each for each in judged if each.model.verdict == "ok"]
    total = Counter(verdict for each in accepted for verdict in each.pairs.values())
    figures = {
        "models": len(models),
        "skipped": sum(each.verdict == "skipped" for each in models),
        "accepted and judged": len(accepted),
        "with false alarms": sum(bool(each.errors) for each in accepted),
        "ok as a whole": sum(each.verdict == "ok" for each in accepted),
        "with nine methods of ten ok": sum(each.count("ok") >= 0.9 * len(each.pairs) for each in accepted),
        "methods": sum(total.values()),
        **total,
        "slowest (seconds)": max((round(each.seconds, 1) for each in accepted), default=0),
    }
    print("\n" + "\n".join(f"{name}: {count}" for name, count in figures.items()))


if __name__ == "__main__":
    sys.exit(main())
