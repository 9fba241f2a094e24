"""`ts-lsp check`: what torch.jit.script would refuse, for people and for other programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import click

from ts_lsp.cli.failure import CommandFailure
from ts_lsp.cli.options import Request, analysis_options, listed_codes, read_stdin
from ts_lsp.cli.results import Outcome
from ts_lsp.text import decode_source

_FORMATS = ("full", "concise", "json", "sarif", "github")


@click.command("check")
@analysis_options
@click.option(
    "--output-format",
    type=click.Choice(_FORMATS),
    default="full",
    show_default=True,
    help="For people: full, or concise with a line for each finding. For programs: json, sarif, or github, which makes "
    "annotations in a workflow.",
)
@click.option("--fix", is_flag=True, help="Apply the safe fixes.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option("--unsafe-fixes", is_flag=True, help="Let --fix and --diff use fixes that may change behaviour.")
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of listing them.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but findings.")
def command(
    paths: tuple[str, ...],
    stdin_filename: str | None,
    scope: str | None,
    entry_points: tuple[str, ...],
    torch_version: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    jobs: int,
    output_format: str,
    fix: bool,
    diff: bool,
    unsafe_fixes: bool,
    statistics: bool,
    quiet: bool,
) -> int:
    """Say what torch.jit.script would refuse in files, folders, or `-` for stdin.

    Without a PATH the current folder is checked. Ends with 1 where something was found.

    \b
    Examples:
      ts-lsp check src tests
      ts-lsp check --scope all library.py        every function, not only what is scripted
      ts-lsp check --diff --unsafe-fixes src     what could be mended
      ts-lsp check --output-format sarif . > findings.sarif
      git show HEAD:model.py | ts-lsp check - --stdin-filename model.py
    """
    from ts_lsp.cli.session import examine

    if fix and diff:
        raise click.UsageError("--fix and --diff exclude each other")
    request = Request(
        paths=paths or (".",),
        scope=scope,
        entry_points=entry_points,
        torch_version=torch_version,
        select=listed_codes(select, "--select"),
        ignore=listed_codes(ignore, "--ignore"),
        stdin=read_stdin(paths),
        stdin_filename=stdin_filename,
        jobs=jobs,
        with_fixes=not (statistics or output_format in ("concise", "github")) or fix or diff,
    )
    outcome = examine(request)
    print_notices(outcome)
    if fix or diff:
        return _rewrite(outcome, request, examine, unsafe=unsafe_fixes, write=fix, quiet=quiet)
    click.echo(_statistics(outcome) if statistics else _renderer(output_format)(outcome), nl=False)
    if not quiet:
        _summarise(outcome)
    return 1 if outcome.findings else 0


def print_notices(outcome: Outcome) -> None:
    for notice in outcome.notices:
        click.echo(f"ts-lsp: {notice}", err=True)


def _renderer(output_format: str) -> Callable[[Outcome], str]:
    if output_format == "full":
        from ts_lsp.cli.formats.full import full

        return full
    if output_format == "concise":
        from ts_lsp.cli.formats.concise import concise

        return concise
    if output_format == "json":
        from ts_lsp.cli.formats.as_json import findings_json

        return findings_json
    if output_format == "sarif":
        from ts_lsp.cli.formats.sarif import sarif

        return sarif
    from ts_lsp.cli.formats.github import github

    return github


def _statistics(outcome: Outcome) -> str:
    counts = Counter(found.code for found in outcome.findings)
    return "".join(
        f"{count:>6}  {code}\n" for code, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )


def _summarise(outcome: Outcome) -> None:
    """How much was looked at and found, on stderr."""
    entries = [entry for file in outcome.files for entry in file.entries]
    looked_at = f"{_count(len(outcome.files), 'file')}, {_count(len(entries), 'entry point')}"
    number = len(outcome.findings)
    verdict = f"{_count(number, 'finding')}" if number else "nothing found"
    click.echo(f"{verdict} in {looked_at} (torch {outcome.torch_version})", err=True)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _rewrite(
    outcome: Outcome,
    request: Request,
    examine: Callable[[Request], Outcome],
    *,
    unsafe: bool,
    write: bool,
    quiet: bool,
) -> int:
    """Apply or show fixes. With stdin, the mended text or the diff is the answer on stdout."""
    from ts_lsp.cli.rewriting import chosen_fixes, unified
    from ts_lsp.text import apply_edits

    fixes, edits_of = chosen_fixes(outcome.findings, unsafe)
    texts = {file.path: file.text for file in outcome.files}
    changed: dict[str, str] = {}
    for path, edits in edits_of.items():
        before = texts[path] if path in texts else _read(path)
        changed[path] = apply_edits(before, edits)
        if not write:
            click.echo(unified(path, before, changed[path]), nl=False)
    if not write:
        return 1 if outcome.findings else 0
    if request.stdin is not None:
        click.echo(changed.get(outcome.files[0].path, request.stdin), nl=False)
        return 1 if len(fixes) < len(outcome.findings) else 0
    for path, text in changed.items():
        _write(path, text)
    remaining = examine(request) if changed else outcome
    click.echo(_renderer("full")(remaining), nl=False)
    if not quiet:
        click.echo(f"{_count(len(fixes), 'fix').replace('fixs', 'fixes')} applied", err=True)
        _summarise(remaining)
    return 1 if remaining.findings else 0


def _read(path: str) -> str:
    return decode_source(Path(path).read_bytes()).text


def _write(path: str, text: str) -> None:
    """In the encoding that the file has, byte order mark included."""
    file = Path(path)
    encoding = decode_source(file.read_bytes()).encoding
    try:
        file.write_bytes(text.encode(encoding))
    except UnicodeEncodeError:
        raise CommandFailure(f"{path}: the fixed text cannot be written as {encoding}; nothing was changed") from None
