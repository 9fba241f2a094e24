"""`ts-lsp operators`: the builtins of a torch version, their schemas, and in which versions they exist."""

from __future__ import annotations

import click

from ts_lsp.cli.completions import operator_names


@click.command("operators")
@click.argument("name", required=False, shell_complete=operator_names)
@click.option("--torch-version", metavar="X.Y", help="The version to ask for. Default: the newest known.")
def command(name: str | None, torch_version: str | None) -> int:
    """Show the schemas of the operator NAME (`aten::add` or `add`); without one, list the names of all operators."""
    from ts_lsp.torchdata.loader import available_versions, load

    torch = load(torch_version)
    if name is None:
        click.echo("".join(f"{each}\n" for each in torch.operator_names()), nl=False)
        return 0
    symbols = [name] if "::" in name else _symbols(name, torch.operator_names())
    shown = False
    for symbol in symbols:
        lifetime = [version for version in available_versions() if load(version).has_operator(symbol)]
        if not lifetime:
            continue
        shown = True
        click.echo(click.style(f"{symbol} ({_lifetime(lifetime, available_versions())})", bold=True))
        for text in torch.schema_texts(symbol):
            click.echo(f"  {text}")
        if not torch.has_operator(symbol):
            click.echo(f"  (not in torch {torch.version})")
    if not shown:
        similar = torch.similar_operators(name if "::" in name else f"aten::{name}")
        hint = f"; similar: {', '.join(similar[:5])}" if similar else ""
        raise click.BadParameter(f"no operator is called {name!r}{hint}", param_hint="NAME")
    return 0


def _symbols(name: str, known: tuple[str, ...]) -> list[str]:
    """The operators of that name in any namespace; `aten` also where only an older version has it."""
    found = [symbol for symbol in known if symbol.partition("::")[2] == name]
    return found or [f"aten::{name}", f"prim::{name}"]


def _lifetime(having: list[str], available: tuple[str, ...]) -> str:
    """Since and until which of the known versions an operator exists."""
    if having == list(available):
        return f"in all known versions, {available[0]} to {available[-1]}"
    since = "" if having[0] == available[0] else f"since {having[0]} or shortly before"
    until = "" if having[-1] == available[-1] else f"until {having[-1]} or shortly after"
    return ", ".join(part for part in (since, until) if part)
