"""`ts-lsp completions`: what a shell needs to complete this command.

Owns the script, which click writes, and what is offered for rule codes and builtins.
"""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem, get_completion_class

_SHELLS = ("bash", "zsh", "fish")
_VARIABLE = "_TS_LSP_COMPLETE"


@click.command("completions")
@click.argument("shell", type=click.Choice(_SHELLS))
def command(shell: str) -> int:
    """Print the script that makes SHELL complete commands, options, rule codes and paths.

    \b
    bash:  ts-lsp completions bash > ~/.local/share/bash-completion/completions/ts-lsp
    zsh:   ts-lsp completions zsh > a file `_ts-lsp` in a folder of $fpath
    fish:  ts-lsp completions fish > ~/.config/fish/completions/ts-lsp.fish

    The script asks ts-lsp itself, so it holds for later versions, too.
    """
    from ts_lsp.cli.app import main

    found = get_completion_class(shell)
    assert found is not None, "click knows every shell of the choice"
    completing = found(main, {}, "ts-lsp", _VARIABLE)
    click.echo(completing.source_template % completing.source_vars())
    return 0


def rule_codes(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The rules whose code goes on as begun; the last one where several are listed with commas."""
    from ts_lsp.rules.registry import codes

    before, comma, last = begun.rpartition(",")
    return [CompletionItem(f"{before}{comma}{code}") for code in codes() if code.startswith(last)]


def operator_names(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The builtins of the newest torch whose name goes on as begun, with and without `aten::`."""
    from ts_lsp.torchdata.loader import load

    names = load(None).operator_names()
    short = (name.partition("::")[2] for name in names if "::" not in begun)
    return [CompletionItem(name) for name in dict.fromkeys([*short, *names]) if name.startswith(begun)]
