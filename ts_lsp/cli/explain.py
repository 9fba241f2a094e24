"""`ts-lsp explain`: the page of a rule in the terminal."""

from __future__ import annotations

import sys

import click

from ts_lsp.cli.completions import rule_codes
from ts_lsp.cli.options import near_miss


@click.command("explain")
@click.argument("code", required=False, shell_complete=rule_codes)
def command(code: str | None) -> int:
    """Show the page of the rule CODE; without one, the list of all rules."""
    from ts_lsp.rules.registry import codes, find_rule, page

    if code is None:
        click.echo("".join(f"{each:<32} {_summary(each)}\n" for each in codes()), nl=False)
        return 0
    rule = find_rule(code)
    if rule is None:
        raise click.BadParameter(f"no rule is called {code!r}{near_miss(code, codes())}", param_hint="CODE")
    _show(f"# {code}\n\n*{rule.severity}, {rule.category}*\n\n{page(code)}\n")
    return 0


def _summary(code: str) -> str:
    from ts_lsp.rules.registry import find_rule

    rule = find_rule(code)
    return rule.summary if rule else ""


def _show(markdown: str) -> None:
    """Typeset on a terminal, as it is written elsewhere."""
    if not sys.stdout.isatty():
        click.echo(markdown, nl=False)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(markdown))
