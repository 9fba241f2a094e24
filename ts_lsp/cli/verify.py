"""`ts-lsp verify`: the twin's verdicts beside those of the installed torch.

Invariant: the given files are executed, in a process of the chosen Python, and only after the user has agreed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ts_lsp.cli.failure import CommandFailure
from ts_lsp.cli.options import Request, shown_path
from ts_lsp.records import dataclass

_PROGRAM = Path(__file__).with_name("compile_with_torch.py")


@dataclass(frozen=True, slots=True)
class Verdict:
    """One side's answer for one definition that is handed to the compiler."""

    verdict: str
    error_line: int | None = None
    message: str = ""


@click.command("verify")
@click.argument("paths", nargs=-1, type=click.Path(), required=True, metavar="PATH...")
@click.option("--python", metavar="PYTHON", help="The Python whose torch compiles. Default: the project's, else this.")
@click.option("--yes", is_flag=True, help="Execute the files without asking.")
@click.option("--json", "as_json", is_flag=True, help="Write only what torch refuses, as JSON.")
@click.option("--timeout", default=600, show_default=True, metavar="SECONDS", help="How long the compiler may take.")
def command(paths: tuple[str, ...], python: str | None, yes: bool, as_json: bool, timeout: int) -> int:
    """Compile PATHs with the installed torch, and show where it and ts-lsp differ. THIS EXECUTES THE FILES.

    Compared is what the files hand to torch.jit.script while they are imported. Ends with 1 where the two differ.
    """
    from ts_lsp.cli.session import examine, interpreter
    from ts_lsp.project.files import find_files

    found = find_files([Path(path) for path in paths])
    if not found.paths:
        raise CommandFailure("; ".join(found.messages) or "no Python files were given")
    chosen = python or interpreter(paths[0]) or sys.executable
    files = [str(path) for path in found.paths]
    _ask(files, chosen, yes)
    answer = _compile(chosen, files, timeout)
    if as_json:
        refused = [each for file in answer["files"] for each in _refused(file)]
        click.echo(json.dumps(refused))
        return 1 if refused else 0
    outcome = examine(Request(paths=tuple(files), torch_version=answer["torch_version"], with_fixes=False))
    click.echo(f"torch {answer['torch_version']} ({chosen}) beside ts-lsp for torch {outcome.torch_version}")
    differences = 0
    for theirs, ours in _paired(answer, outcome.files):
        differences += _show_file(theirs, ours)
    click.echo(f"{differences} difference{'' if differences == 1 else 's'}", err=True)
    return 1 if differences else 0


def _ask(files: list[str], python: str, yes: bool) -> None:
    what = f"{len(files)} file{'' if len(files) == 1 else 's'}"
    click.echo(f"verify executes {what} with {python}:", err=True)
    for path in files[:20]:
        click.echo(f"  {shown_path(path)}", err=True)
    if not yes and not click.confirm("Execute?", err=True):
        raise CommandFailure("nothing was executed")


def _compile(python: str, files: list[str], timeout: int) -> dict[str, Any]:
    try:
        done = subprocess.run(
            [python, str(_PROGRAM), *files], capture_output=True, text=True, timeout=timeout, check=False
        )
    except FileNotFoundError:
        raise CommandFailure(f"there is no Python at {python}: name one with --python") from None
    except subprocess.TimeoutExpired:
        raise CommandFailure(f"the files ran for more than {timeout} seconds: raise --timeout") from None
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        last = (done.stderr.strip().splitlines() or ["it printed nothing"])[-1]
        raise CommandFailure(f"{python} could not compile the files: {last}")
    answer: dict[str, Any] = json.loads(lines[-1])
    return answer


def _refused(file: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What torch refuses of a file, at 0-based lines of the files where it says the mistakes are."""
    if file["fault"]:
        yield {"path": file["path"], "line": 0, "target": file["path"], "message": file["fault"]}
    for call in file["calls"]:
        if call["verdict"] == "error":
            line = max(0, (call.get("error_line") or call["line"]) - 1)
            path = call.get("error_path") or call["path"] or file["path"]
            yield {"path": path, "line": line, "target": call["target"], "message": call["message"]}


def _paired(answer: dict[str, Any], files: Any) -> list[tuple[dict[str, Any], Any]]:
    ours = {file.path: file for file in files}
    return [(theirs, ours.get(shown_path(theirs["path"]))) for theirs in answer["files"]]


def _show_file(theirs: dict[str, Any], ours: Any) -> int:
    """Print a line for each definition either side speaks of; give the number of differences."""
    path = shown_path(theirs["path"])
    compiler = {
        (call["target"], call["line"]): Verdict(call["verdict"], call.get("error_line"), call.get("message", ""))
        for call in theirs["calls"]
        if call["path"] and shown_path(call["path"]) == path
    }
    twin = _twin_verdicts(ours)
    click.echo(click.style(f"{path}: {len(compiler)} compiled by torch, {len(twin)} seen by ts-lsp", bold=True))
    if theirs["fault"]:
        click.echo(f"  the file did not run to its end: {theirs['fault']}")
    differences = 0
    for key in sorted({*compiler, *twin}, key=lambda each: each[1]):
        differences += _show_definition(key, compiler.get(key), twin.get(key))
    return differences


def _twin_verdicts(ours: Any) -> dict[tuple[str, int], Verdict]:
    if ours is None:
        return {}
    lines = {(each.qualname, each.line): each.first_error for each in ours.definitions}
    verdicts = {}
    for entry in ours.entries:
        if entry.target_path == ours.path:
            error = lines.get((entry.target, entry.target_line))
            verdicts[entry.target, entry.target_line] = Verdict(
                entry.verdict, error.line if error else None, error.code if error else ""
            )
    return verdicts


def _show_definition(key: tuple[str, int], compiler: Verdict | None, twin: Verdict | None) -> int:
    name, line = key
    same = _agree(compiler, twin)
    mark = click.style("same", fg="green") if same else click.style("DIFFERS", fg="red", bold=True)
    click.echo(f"  {line:>5}  {name:<32}  torch: {_told(compiler):<16}  ts-lsp: {_told(twin):<16}  {mark}")
    if not same and compiler is not None and compiler.message:
        click.echo(f"         torch says: {' '.join(compiler.message.split())[:200]}")
    if not same and twin is not None and twin.message:
        click.echo(f"         ts-lsp says: {twin.message}")
    return 0 if same else 1


def _agree(compiler: Verdict | None, twin: Verdict | None) -> bool:
    """A definition that only one side came across is no difference: a file may script inside its functions."""
    if compiler is None or twin is None or twin.verdict == "unknown":
        return True
    if compiler.verdict != twin.verdict:
        return False
    return compiler.error_line is None or compiler.error_line == twin.error_line


def _told(verdict: Verdict | None) -> str:
    if verdict is None:
        return "not reached"
    return f"{verdict.verdict}, line {verdict.error_line}" if verdict.error_line else verdict.verdict
