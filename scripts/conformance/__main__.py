"""`python -m scripts.conformance`: fetch the tests, ask the product about them, print the figures.

The facts that the compiler gave are committed; `--record` makes them anew with the torch of this interpreter.
Progress goes to stderr. The exit code is 1 when a figure falls short of a threshold, 2 when nothing could be scored.
"""

from __future__ import annotations

import argparse
import fnmatch
import subprocess
import sys
from pathlib import Path

from scripts.conformance.compare import Comparison, compare
from scripts.conformance.facts import read_facts
from scripts.conformance.figures import count, table
from scripts.conformance.product import Product
from scripts.conformance.report import differences, markdown, write_json_lines
from scripts.conformance.sources import SourcesUnavailable, test_folder

_REPOSITORY = Path(__file__).resolve().parents[2]
_FACTS = _REPOSITORY / "tests/conformance/data/jit_calls.jsonl.xz"
_THRESHOLDS = ("verdict", "line", "types", "typed", "schemas", "attributes")


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    options.cache.mkdir(parents=True, exist_ok=True)
    (options.cache / ".gitignore").write_text("*\n")
    try:
        root = options.source or test_folder(options.cache)
        if options.record:
            _record(root, options)
    except SourcesUnavailable as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError:
        print("conformance: recording failed; it needs torch, numpy, pytest and expecttest", file=sys.stderr)
        return 2
    comparisons = _score(options, root.resolve())
    print(table(comparisons))
    return _fall_short(options, comparisons)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="conformance", description=__doc__)
    parser.add_argument("--record", action="store_true", help="run the tests and write the facts anew")
    parser.add_argument("--calls", type=Path, default=_FACTS, help="the recorded facts")
    parser.add_argument("--source", type=Path, help="an unpacked test folder, instead of fetching one")
    parser.add_argument("--dump-cmd", default="python -m ts_lsp dump", help="the command under test")
    parser.add_argument("--only", default="*", help="pattern of the test files to score, and to record")
    parser.add_argument("--jobs", type=int, default=2, help="processes of the product at a time")
    parser.add_argument("--cache", type=Path, default=_REPOSITORY / ".conformance", help="where everything is kept")
    parser.add_argument("--details", type=Path, help="differences as JSON lines (default: in the cache)")
    parser.add_argument("--report", type=Path, help="differences as Markdown (default: in the cache)")
    for name in _THRESHOLDS:
        parser.add_argument(f"--min-{name}", type=float, default=0.0, metavar="PERCENT")
    parser.add_argument("--max-false", type=int, metavar="N")
    return parser


def _record(root: Path, options: argparse.Namespace) -> None:
    """In a process of its own, so that torch and the forks stay out of this one."""
    paths = [str(path.resolve()) for path in (root, options.cache / "recorded", options.calls)]
    command = [sys.executable, "-B", "-m", "scripts.conformance.record", *paths, options.only]
    subprocess.run(command, cwd=_REPOSITORY, check=True)


def _score(options: argparse.Namespace, root: Path) -> list[Comparison]:
    facts = [
        fact
        for fact in read_facts(options.calls)
        if fact.get("line") and fnmatch.fnmatch(fact["file"], options.only) and (root / fact["file"]).is_file()
    ]
    files = sorted({fact["file"] for fact in facts})
    texts = {file: (root / file).read_text(errors="replace") for file in files}
    product = Product(options.dump_cmd, _REPOSITORY / "ts_lsp", options.cache / "dumps")
    print(f"{len(facts)} facts in {len(files)} files", file=sys.stderr)
    answers = product.answers(root, files, options.jobs)
    for file, answer in answers.items():
        if answer.dump is None:
            print(f"no answer for {file}: {answer.fault}", file=sys.stderr)
    comparisons = list(compare(facts, answers, texts))
    found = list(differences(comparisons))
    write_json_lines(options.details or options.cache / "differences.jsonl", found, texts)
    report = options.report or options.cache / "differences.md"
    report.write_text(markdown(comparisons, found, answers, texts))
    print(f"{len(found)} differences: {report}", file=sys.stderr)
    return comparisons


def _fall_short(options: argparse.Namespace, comparisons: list[Comparison]) -> int:
    figures = count(one for one in comparisons if one.kind != "method")
    if not figures.judged:
        print("conformance: no definition to judge", file=sys.stderr)
        return 2
    shares = figures.percentages()
    short = [name for name in _THRESHOLDS if shares[name] < getattr(options, f"min_{name}")]
    if options.max_false is not None and figures.false_alarms > options.max_false:
        short.append("false alarms")
    if short:
        print(f"conformance: short of the threshold: {', '.join(short)}", file=sys.stderr)
    return bool(short)


if __name__ == "__main__":
    sys.exit(main())
