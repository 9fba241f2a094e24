"""`ts-lsp server`: the language server, for editors."""

from __future__ import annotations

import click

from ts_lsp.cli.failure import CommandFailure


@click.command("server", short_help="the language server, for editors")
@click.option("--stdio", is_flag=True, help="Speak over standard input and output (the default).")
@click.option("--tcp", metavar="HOST:PORT", help="Wait for one client on a port instead; 0 picks a free one.")
def command(stdio: bool, tcp: str | None) -> int:
    """Serve an editor: the language server protocol, until the client ends it.

    Editors start this by themselves: docs/editors.md tells how to set them up. `--tcp` is for those that rather
    connect, and for looking at what is said.
    """
    if stdio and tcp is not None:
        raise click.UsageError("--stdio and --tcp exclude each other")
    from ts_lsp.server import app

    if tcp is None:
        return app.serve_standard_streams()
    host, separator, port = tcp.rpartition(":")
    if not separator or not port.isdecimal() or int(port) > 65535:
        raise CommandFailure(f"--tcp {tcp}: expected HOST:PORT")
    return app.serve_socket(host.strip("[]") or "127.0.0.1", int(port))
