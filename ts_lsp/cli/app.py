"""The `ts-lsp` command: which subcommands there are, and what becomes of their faults.

Invariant: 0 nothing found, 1 findings, 2 usage error or internal fault; a fault is one line on stderr, never a
traceback.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys

import click

from ts_lsp import __version__
from ts_lsp.cli.failure import CommandFailure

_COMMANDS = {
    "check": "say what torch.jit.script would refuse, and why",
    "completions": "the script by which a shell completes this command",
    "dump": "verdicts, schemas, types and findings as JSON",
    "explain": "the page of a rule",
    "operators": "the builtins of a torch version and their schemas",
    "server": "the language server, for editors",
    "verify": "compare with the installed torch (runs the given files)",
}


class _LazyCommands(click.Group):
    """Imports a subcommand's module only when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command = importlib.import_module(f"ts_lsp.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(cls=_LazyCommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ts-lsp")
def main() -> None:
    """What torch.jit.script would say, without importing torch or running code.

    ts-lsp reads Python files, finds what they hand to the TorchScript compiler, and tells what that would refuse, on
    which line, and why. `ts-lsp COMMAND --help` explains a command.

    \b
    Examples:
      ts-lsp check                      look at the current folder
      ts-lsp check --fix src/model.py   mend what can be mended safely
      ts-lsp explain reassigned-type    read about a rule
      ts-lsp server                     what editors start

    Settings stand in the table [tool.ts-lsp] of pyproject.toml; options on the command line go before them. A comment
    `# ts-lsp: ignore[CODE]` silences a finding on its line.

    Ends with 0 where nothing was found, 1 where something was, and 2 where it could not be asked that way.
    """


def run() -> None:
    """Run the command line and leave the process with its exit code."""
    gc.set_threshold(200_000, 20, 50)  # trees and facts stay until the end: looking through them frees nothing
    sys.exit(exit_code(sys.argv[1:]))


def exit_code(arguments: list[str]) -> int:
    """Run the command line with these arguments; give the exit code it has earned."""
    try:
        result = main(args=arguments, prog_name="ts-lsp", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as help_wanted:
        click.echo(help_wanted.format_message())
        return 0
    except click.ClickException as fault:
        where = fault.ctx.command_path if isinstance(fault, click.UsageError) and fault.ctx else "ts-lsp"
        return _fail(f"{fault.format_message()} (see `{where} --help`)")
    except CommandFailure as failure:
        return _fail(str(failure))
    except (KeyboardInterrupt, click.exceptions.Abort):
        return _fail("interrupted")
    except BrokenPipeError:
        # Whoever read the answer has seen enough; the interpreter must not try to flush the rest of it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as fault:
        return _fail(f"{fault.strerror or fault}: {fault.filename}" if fault.filename else str(fault))
    except Exception as fault:
        if os.environ.get("TS_LSP_TRACEBACK"):
            raise
        text = " ".join(str(fault).split())
        return _fail(
            f"internal fault, {type(fault).__name__}: {text} (please report it; TS_LSP_TRACEBACK=1 shows where)"
        )


def _fail(message: str) -> int:
    print(f"ts-lsp: error: {' '.join(message.split())}", file=sys.stderr)
    return 2
