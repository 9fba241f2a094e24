"""Sessions in real editors, each set up as docs/editors.md says.

Owns `EDITORS` and `held`, which lets one of them go through a session. Invariant: every editor is a person's own
program with its own means (`neovim.lua`, `emacs.el`, `ale.vim`, `jupyter_session.py`); it opens `PROGRAM` with the
rule `IGNORED` left out by a setting of the client, and then, one after the other:

- looks at the diagnostics;
- hovers over `copied`;
- writes `.app` behind the last `copied` of a line of its own, asks for completions, and takes that back;
- applies the fix that writes `0.0`, if it has such;
- has hints shown, if it has such;
- renames `copied` to `fresh`.

What it saw it writes as JSON. Places are told as the text that stands there, so that no two counts of columns have to
be compared: before each place stand characters that are longer in UTF-8, and in UTF-16, than in code points.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
PROGRAM = '''\
from typing import List

import torch


@torch.jit.script
def total_of(values: List[float]) -> float:
    """Σ of all values."""
    unit = "é😋"; total = 0
    for value in values:
        mark = "é😋"; total += value
    return total


@torch.jit.script
def doubled(values: List[float]) -> List[float]:
    text = "é😋"; copied = values.copy()
    text = "é😋"; copied
    return copied
'''
IGNORED = "return-type-mismatch"
PATIENCE = 240
"""Seconds. A session takes one or two, and a dozen in a browser."""


@dataclass(frozen=True)
class Editor:
    """`command` is None where the editor, or an addition that it needs, is missing or too old."""

    name: str
    command: Callable[[], Sequence[str] | None]
    encoding: str | None
    """What columns are counted in, where the editor tells."""
    has_fixes: bool = True
    has_hints: bool = True


def held(editor: Editor, folder: Path) -> Mapping[str, Any]:
    """What an editor saw in a session of its own, with nothing of this user's about it."""
    command = editor.command()
    assert command is not None, f"{editor.name} is not installed: make test-{editor.name} installs it"
    opened, seen = folder / "project" / "opened.py", folder / "seen.json"
    opened.parent.mkdir()
    opened.write_text(PROGRAM, encoding="utf-8")
    (opened.parent / "pyproject.toml").touch()
    environment = os.environ | {
        "PATH": f"{_server(folder)}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        **{f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")},
        "LC_ALL": "C.UTF-8",
        "EDITORS": str(ROOT / "editors"),
        "OPENED": str(opened),
        "SEEN": str(seen),
        "IGNORED": IGNORED,
    }
    done = subprocess.run(
        command,
        cwd=opened.parent,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    problem = seen.with_name("seen.json.problem")
    told = f"{problem.read_text() if problem.exists() else ''}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    assert (done.returncode, seen.exists()) == (0, True), f"{editor.name} ended with {done.returncode}: {told}"
    found: dict[str, Any] = json.loads(seen.read_text(encoding="utf-8"))
    return found


def _server(folder: Path) -> Path:
    """A folder with a `ts-lsp` that is the one under test, wherever it may be installed."""
    programs = folder / "bin"
    programs.mkdir()
    program = programs / "ts-lsp"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m ts_lsp "$@"\n')
    program.chmod(0o755)
    return programs


def _neovim() -> Sequence[str] | None:
    beside = Path(sys.executable).parent / "nvim"
    program = str(beside) if beside.exists() else shutil.which("nvim")
    if program is None or _first_line(program, "--version").split()[1] < "v0.11":
        return None
    return [program, "--clean", "--headless", "-n", "-i", "NONE", "-c", f"luafile {HERE / 'neovim.lua'}"]


def _emacs() -> Sequence[str] | None:
    program = shutil.which("emacs")
    if program is None or int(_first_line(program, "--version").split()[2].partition(".")[0]) < 29:
        return None
    return [program, "-Q", "--batch", "-l", str(HERE / "emacs.el")]


def _vim() -> Sequence[str] | None:
    program, addition = shutil.which("vim"), Path("/usr/share/vim-ale")
    if program is None or not addition.is_dir():
        return None
    setting = f"let $ALE = '{addition}'"
    return [program, "-Nu", "NONE", "-i", "NONE", "-n", "-es", "--cmd", setting, "-S", str(HERE / "ale.vim")]


def _jupyter() -> Sequence[str] | None:
    python, chromium = ROOT / ".editors" / "jupyter" / "bin" / "python", shutil.which("chromium")
    if not python.exists() or chromium is None:
        return None
    return ["env", f"CHROMIUM={chromium}", str(python), str(HERE / "jupyter_session.py")]


def _first_line(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


EDITORS = (
    Editor("neovim", _neovim, "utf-8"),
    Editor("emacs", _emacs, "utf-32"),
    Editor("vim", _vim, None, has_hints=False),
    Editor("jupyter", _jupyter, None, has_fixes=False, has_hints=False),
)
