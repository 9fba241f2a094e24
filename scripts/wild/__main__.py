"""`python -m scripts.wild`: compare the twin with the compiler on functions in the wild and on changes of them.

Progress goes to stderr, figures to stdout, and the differences, grouped, to a report in the cache.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from scripts.wild.compiler import Compiler
from scripts.wild.mutations import mutants
from scripts.wild.packages import Function, fetch, package_functions, torch_functions
from scripts.wild.report import Comparison, changed_lines, figures, write_report
from scripts.wild.twin import Twins

_REPOSITORY = Path(__file__).resolve().parents[2]
_LONGEST = 150


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    options.cache.mkdir(parents=True, exist_ok=True)
    (options.cache / ".gitignore").write_text("*\n")
    functions = list(torch_functions())
    folders = []
    if not options.torch_only:
        folders = [fetch(options.cache)]
        functions += package_functions(folders[0])
    functions = [each for each in functions if options.only in each.module]
    compiler = Compiler(options.cache, folders)
    twin = Twins(folders)
    try:
        plain = list(_plain(functions, compiler, twin))
        print(figures("as they stand", plain))
        changed = list(_changed(plain, compiler, twin, options))
        print(figures("mutated", changed))
    finally:
        compiler.close()
    write_report(options.report or options.cache / "report.md", options.cache / "differences.jsonl", [*plain, *changed])
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="wild", description=__doc__)
    parser.add_argument("--functions", type=int, default=150, help="how many accepted functions are changed")
    parser.add_argument("--mutants", type=int, default=20, help="how many changes of each")
    parser.add_argument("--edits", type=int, default=1, help="how many changes at once")
    parser.add_argument("--seed", default="0", help="another one draws other functions and changes")
    parser.add_argument("--only", default="", help="part of the names of the modules to look at")
    parser.add_argument("--torch-only", action="store_true", help="fetch no packages")
    parser.add_argument("--cache", type=Path, default=_REPOSITORY / ".wild", help="where everything is kept")
    parser.add_argument("--report", type=Path, help="differences as Markdown (default: in the cache)")
    return parser


def _plain(functions: Iterable[Function], compiler: Compiler, twin: Twins) -> Iterable[Comparison]:
    """Every function as it stands."""
    for number, function in enumerate(functions):
        if number % 200 == 0:
            print(f"wild: {number} functions, now {function.module}", file=sys.stderr)
        verdict = compiler.judge(function)
        if verdict.verdict != "skipped":
            answer = twin.judge(function)
            yield Comparison(function, "as it stands", function.node.lineno, f"def {function.name}", verdict, answer)


def _changed(
    plain: Iterable[Comparison], compiler: Compiler, twin: Twins, options: argparse.Namespace
) -> Iterable[Comparison]:
    """Changes of functions that the compiler accepts, drawn evenly from the modules."""
    accepted = [each.function for each in plain if each.verdict.verdict == "ok" and _is_suitable(each.function)]
    chosen = _evenly(accepted, options.functions, options.seed)
    for number, function in enumerate(chosen):
        if number % 20 == 0:
            print(f"wild: {number} of {len(chosen)} functions changed", file=sys.stderr)
        seed = f"{options.seed} {function.module} {function.name}"
        for mutant in mutants(function.text, function.node, options.mutants, options.edits, seed):
            verdict = compiler.judge(function, mutant.source)
            if verdict.verdict != "skipped":
                answer = twin.judge(function, mutant.text)
                change = changed_lines(function, mutant.text)
                yield Comparison(function, mutant.kind, mutant.line, change, verdict, answer)
        twin.judge(function)


def _is_suitable(function: Function) -> bool:
    node = function.node
    return not node.decorator_list and (node.end_lineno or node.lineno) - node.lineno <= _LONGEST


def _evenly(functions: Iterable[Function], number: int, seed: str) -> list[Function]:
    """Some functions, in turn from each module; sorted so that a module's come together."""
    drawing = random.Random(seed)
    by_module: dict[str, list[Function]] = defaultdict(list)
    for each in functions:
        by_module[each.module].append(each)
    for group in by_module.values():
        drawing.shuffle(group)
    chosen: list[Function] = []
    while by_module and len(chosen) < number:
        for module in sorted(by_module):
            chosen.append(by_module[module].pop())
            if not by_module[module]:
                del by_module[module]
    return sorted(chosen[:number], key=lambda each: (each.module, each.node.lineno))


if __name__ == "__main__":
    sys.exit(main())
