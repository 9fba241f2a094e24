"""`python -m scripts.bench`: everything in one run, as tables of medians and 95th percentiles in milliseconds.

The same seed gives the same files and the same keystrokes. Peers are fetched when they are asked for the first time.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys

from scripts.bench import commands, sessions, workspaces
from scripts.bench.client import ServerFailure
from scripts.bench.figures import NOTHING, milliseconds, table
from scripts.bench.generation import program
from scripts.bench.peers import OURS, PEERS, available

SIZES = (200, 1000, 5000)
_PARTS = ("check", "server", "memory", "workspace")
QUICK = sessions.Plan(starts=2, keystrokes=60, requests=15, seconds=6.0)


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    texts = {size: program(size, options.seed) for size in options.sizes}
    lines = " / ".join(str(text.count("\n")) for text in texts.values())
    print(f"files of {lines} lines, seed {options.seed}; {os.cpu_count()} CPUs, Python {platform.python_version()}")
    if "check" in options.parts:
        _print_commands(texts, options)
    if "server" in options.parts:
        _print_sessions(texts, options)
    if "memory" in options.parts:
        _print_endurance(texts, options)
    if "workspace" in options.parts:
        _print_workspace(options)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    names = [peer.name for peer in PEERS]
    parser.add_argument("--peers", default=",".join(names), help=f"some of {','.join(names)}, or none")
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a minute or two without peers")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sizes", type=_numbers, default=SIZES, metavar="N,N", help="lines of the files")
    parser.add_argument("--edits", type=int, default=10_000, help="how long the storm is that memory has to stand")
    parser.add_argument("--parts", type=_words, default=_PARTS, metavar=",".join(_PARTS))
    return parser


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _print_commands(texts: dict[int, str], options: argparse.Namespace) -> None:
    rounds = 3 if options.quick else 9
    rows = [
        _runs_row(f"python -c '{code}'", commands.starting(code, rounds))
        for code in ("pass", "import pygls.lsp.server", "import torch")
    ]
    for size, text in texts.items():
        own, real = commands.check(text, rounds), commands.scripting(text, 1 if options.quick else 3)
        ratio = f"{own.cpu.median / real.cpu.median:.2f}" if own is not None and real is not None else "-"
        rows.append((*_runs_row(f"ts-lsp check, {size} lines", own)[:-1], ratio))
        rows.append(_runs_row(f"torch scripts it, {size} lines", real))
    print(table("cold runs, ms (median / p95)", ("", "wall", "CPU", "peak MiB", "CPU / torch's"), rows), flush=True)
    jobs = commands.two_jobs(200, 100, 1 if options.quick else 3, options.seed)
    if jobs is not None:
        one, two = (each.wall.median for each in jobs)
        print(f"\nts-lsp check of 200 files: {one:.2f} s with --jobs 1, {two:.2f} s with --jobs 2: {one / two:.2f} x")


def _runs_row(name: str, runs: commands.Runs | None) -> tuple[str, ...]:
    if runs is None:
        return name, "-", "-", "-", "-"
    return name, str(runs.wall), str(runs.cpu), f"{runs.mebibytes:.0f}", ""


def _print_sessions(texts: dict[int, str], options: argparse.Namespace) -> None:
    plan = QUICK if options.quick else sessions.Plan()
    chosen = [peer for peer in PEERS if peer.name in options.peers.split(",")]
    servers = [OURS]
    for peer, problem in available(chosen):
        if problem:
            print(f"without {peer.name}: {problem}")
        else:
            servers.append(peer)
    for size, text in texts.items():
        reports: dict[str, sessions.Report] = {}
        for peer in servers:
            reports[peer.name] = sessions.measure(peer, text, plan, options.seed)
            if reports[peer.name].failure:
                print(f"{peer.name}, {size} lines: {reports[peer.name].failure}", file=sys.stderr)
        print(_waiting_table(size, reports), flush=True)
        print(_requests_table(size, reports), flush=True)


def _waiting_table(size: int, reports: dict[str, sessions.Report]) -> str:
    head = ("", "start", "its CPU", "keystroke", "its CPU", "ts-lsp's / its", "peak MiB")
    own = reports[OURS.name].keystroke
    rows = []
    for name, report in reports.items():
        keystroke = report.keystroke
        ratio = f"{own.median / keystroke.median:.2f}" if own.seconds and keystroke.seconds else "-"
        cpu = milliseconds(report.keystroke_cpu) if keystroke.seconds else "-"
        start_cpu = milliseconds(report.start_cpu.median) if report.start_cpu.seconds else "-"
        rows.append((name, str(report.start), start_cpu, str(keystroke), cpu, ratio, f"{report.peak:.0f}"))
    return table(f"{size} lines: to the diagnostics, ms (median / p95)", head, rows)


def _requests_table(size: int, reports: dict[str, sessions.Report]) -> str:
    names = list(dict.fromkeys(name for report in reports.values() for name in report.requests))
    head = ("", *reports)
    rows = [(name, *(_request(report, name) for report in reports.values())) for name in names]
    return table(f"{size} lines: requests, ms (median / p95; share that is answered, if not all)", head, rows)


def _request(report: sessions.Report, name: str) -> str:
    series = report.requests.get(name, NOTHING)
    share = report.answered.get(name, 0.0)
    if not series.seconds or not share:
        return "-"
    return str(series) if share == 1.0 else f"{series} ({share:.0%})"


def _print_endurance(texts: dict[int, str], options: argparse.Namespace) -> None:
    edits = min(options.edits, 1000) if options.quick else options.edits
    size, text = max(texts.items())
    try:
        memory, keystrokes = sessions.endurance(OURS, text, edits, 10, options.seed)
    except ServerFailure as failure:
        print(f"{edits} edits of {size} lines: {failure}", file=sys.stderr)
        return
    print(f"\nts-lsp, {edits} edits of {size} lines, {keystrokes} ms each; resident MiB before and along the way:")
    print("  " + "  ".join(f"{each:.1f}" for each in memory))


def _print_workspace(options: argparse.Namespace) -> None:
    files = 2_000 if options.quick else 20_000
    try:
        found = workspaces.scan(OURS, files, 50, options.seed)
    except ServerFailure as failure:
        print(f"{files} files: {failure}", file=sys.stderr)
        return
    print(
        f"\nts-lsp in a workspace of {files} files, 50 of them scripted: first diagnostics after {found.first:.2f} s,"
    )
    print(f"  all scanned and checked after {found.whole:.1f} s and {found.cpu:.1f} s of CPU, typing between included;")
    print(f"  {found.during} ms a keystroke meanwhile, {found.after} ms after it; peak {found.mebibytes:.0f} MiB")


if __name__ == "__main__":
    sys.exit(main())
