"""`python -m scripts.fuzz`: grow programs until the time is over, judge them twice, print where the verdicts differ.

The exit code is 1 when there are differences, 2 when there is no compiler to ask.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from scripts.fuzz.generation import Generator
from scripts.fuzz.judging import Difference, Judges
from scripts.fuzz.operators import Callables
from scripts.fuzz.shrinking import shrunk
from tests.oracle.client import Oracle, oracle_python
from ts_lsp.torchdata.loader import load


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    python = oracle_python()
    if python is None:
        print("fuzz: no torch here; set TS_LSP_ORACLE_PYTHON to an interpreter that has it", file=sys.stderr)
        return 2
    oracle = Oracle(python)
    judges = Judges(oracle)
    try:
        found, counts = _run(judges, options)
        print(_figures(found, counts))
        _print_kinds(found, judges, options)
    finally:
        oracle.close()
    return 1 if found else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to go on")
    parser.add_argument("--programs", type=int, help="how many programs at most")
    parser.add_argument("--batch", type=int, default=100, help="programs in one file")
    parser.add_argument("--kinds", type=int, default=20, help="how many kinds of difference to print")
    parser.add_argument("--examples", type=int, default=1, help="programs to print of each kind")
    return parser


def _run(judges: Judges, options: argparse.Namespace) -> tuple[list[Difference], Counter[str]]:
    generator = Generator(options.seed, Callables(load()))
    found: list[Difference] = []
    counts: Counter[str] = Counter()
    until = time.monotonic() + options.seconds
    while time.monotonic() < until and (options.programs is None or counts["programs"] < options.programs):
        differences, more = judges.differences([generator.program() for _ in range(options.batch)])
        found += differences
        counts += more
    return found, counts


def _figures(found: list[Difference], counts: Counter[str]) -> str:
    sorts = Counter(each.sort for each in found)
    total = counts["programs"]
    agreement = 100 * (total - len(found)) / total if total else 0.0
    parts = ", ".join(f"{sort} {number}" for sort, number in sorts.most_common()) or "none"
    return (
        f"{total} programs ({counts['compiler ok']} compile, {counts['unknown']} unknown to the twin, "
        f"{counts['compiler crash']} crash the compiler), {agreement:.2f} % agree; differences: {parts}"
    )


def _print_kinds(found: list[Difference], judges: Judges, options: argparse.Namespace) -> None:
    kinds: dict[str, list[Difference]] = {}
    for each in found:
        kinds.setdefault(each.kind, []).append(each)
    for kind, examples in sorted(kinds.items(), key=lambda item: -len(item[1]))[: options.kinds]:
        print(f"\n== {len(examples)} x {kind}")
        for example in examples[: options.examples]:
            small = shrunk(example, judges)
            print(small.program.text("f").rstrip())
            print(f"    compiler: {_told(small.compiler.line, small.compiler.reason, small.compiler.schema)}")
            print(f"    twin:     {_told(small.twin.line, small.twin.reason, small.twin.schema)}")


def _told(line: int | None, reason: str, schema: str) -> str:
    return schema if schema else f"line {line}: {reason}"


if __name__ == "__main__":
    sys.exit(main())
