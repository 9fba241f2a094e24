"""The options that several commands share, and the request they add up to."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from ts_lsp.cli.completions import rule_codes
from ts_lsp.records import dataclass

_Command = TypeVar("_Command", bound=Callable[..., Any])

SCOPES = ("scripted", "modules", "all")


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for. None means that the settings decide; `stdin` is the text of the path `-`."""

    paths: tuple[str, ...]
    scope: str | None = None
    entry_points: tuple[str, ...] = ()
    torch_version: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    stdin: str | None = None
    stdin_filename: str | None = None
    jobs: int = 1
    with_values: bool = False
    with_fixes: bool = True


def analysis_options(command: _Command) -> _Command:
    """The options that choose what is looked at and how."""
    for option in reversed(_ANALYSIS_OPTIONS):
        command = option(command)
    return command


_ANALYSIS_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATH]..."),
    click.option("--stdin-filename", metavar="PATH", help="The file whose text `-` stands for."),
    click.option(
        "--scope",
        type=click.Choice(SCOPES),
        help="What is checked: all that is reachable from an entry point (scripted, the default), every nn.Module "
        "too, or every function and class.",
    ),
    click.option(
        "--entry-point",
        "entry_points",
        multiple=True,
        metavar="NAME",
        help="A callable or decorator that counts as torch.jit.script: a dotted name or its last parts. Repeatable.",
    ),
    click.option("--torch-version", metavar="X.Y", help="Default: that of the project's environment, else the newest."),
    click.option(
        "--select",
        multiple=True,
        metavar="CODE",
        shell_complete=rule_codes,
        help="Report these rules only. Repeatable; commas allowed.",
    ),
    click.option(
        "--ignore",
        multiple=True,
        metavar="CODE",
        shell_complete=rule_codes,
        help="Do not report these rules. Repeatable; commas allowed.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        metavar="N",
        help="Processes that share the files.",
    ),
)


def listed_codes(values: tuple[str, ...], option: str) -> tuple[str, ...]:
    """Rule codes as given with commas or by repetition; an unknown one is a usage error."""
    from ts_lsp.rules.registry import codes

    given = tuple(code.strip() for value in values for code in value.split(",") if code.strip())
    for code in given:
        if code not in codes():
            raise click.BadParameter(f"no rule is called {code!r}{near_miss(code, codes())}", param_hint=option)
    return given


def near_miss(word: str, known: tuple[str, ...]) -> str:
    """`; did you mean ...?`, or nothing."""
    import difflib

    close = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def read_stdin(paths: tuple[str, ...]) -> str | None:
    """The text on stdin where `-` is among the paths."""
    if "-" not in paths:
        return None
    if len(paths) > 1:
        raise click.UsageError("`-` (stdin) cannot be given together with other paths")
    return sys.stdin.buffer.read().decode("utf-8", errors="replace")


def shown_path(path: str) -> str:
    """The path as people expect it: relative where the file lies below the current folder."""
    if not os.path.isabs(path):
        return path
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative
