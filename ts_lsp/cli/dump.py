"""`ts-lsp dump`: everything the engine knows of the given files, as JSON for programs or as text for people."""

from __future__ import annotations

import click

from ts_lsp.cli.options import Request, analysis_options, listed_codes, read_stdin


@click.command("dump")
@click.option(
    "--output-format",
    type=click.Choice(("json", "text")),
    default="json",
    show_default=True,
    help="JSON for programs; text says for people what compiles because of what, and what does not and why.",
)
@analysis_options
def command(
    paths: tuple[str, ...],
    output_format: str,
    stdin_filename: str | None,
    scope: str | None,
    entry_points: tuple[str, ...],
    torch_version: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    jobs: int,
) -> int:
    """Print verdicts, schemas, the type of every expression and all findings, and why each definition compiles.

    Lines and columns count from 1, columns in code points, ends are exclusive.

    \b
    Examples:
      ts-lsp dump --output-format text model.py
      ts-lsp dump model.py | jq '.files[].definitions[].schema'
    """
    from ts_lsp.cli.check import print_notices
    from ts_lsp.cli.formats.as_json import dump_json
    from ts_lsp.cli.formats.as_text import dump_text
    from ts_lsp.cli.session import examine

    outcome = examine(
        Request(
            paths=paths or (".",),
            scope=scope,
            entry_points=entry_points,
            torch_version=torch_version,
            select=listed_codes(select, "--select"),
            ignore=listed_codes(ignore, "--ignore"),
            stdin=read_stdin(paths),
            stdin_filename=stdin_filename,
            jobs=jobs,
            with_values=True,
        )
    )
    print_notices(outcome)
    click.echo(dump_json(outcome) if output_format == "json" else dump_text(outcome), nl=False)
    return 1 if outcome.findings else 0
