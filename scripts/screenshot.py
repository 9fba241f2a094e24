"""Draws what `ts-lsp check` says in a terminal, for the readme: `python -m scripts.screenshot` writes `PICTURE`.

Invariant: nothing in the picture is fetched from elsewhere when it is looked at.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "images" / "check.svg"
PROGRAM = "examples/mistakes.py"
_WIDTH = 142
_FONT_FACE = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def said() -> str:
    """What the command writes to a terminal, colours included."""
    call = "import sys; from ts_lsp.cli.app import main; main(sys.argv[1:], 'ts-lsp', color=True)"
    command = [sys.executable, "-c", call, "check", "--quiet", PROGRAM]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout


def drawn(output: str) -> str:
    """The picture of a terminal with the command and its output."""
    with Path("/dev/null").open("w") as nowhere:
        console = Console(record=True, width=_WIDTH, file=nowhere, force_terminal=True, color_system="standard")
        console.print(Text.assemble(("$ ", "bold green"), f"ts-lsp check {PROGRAM}"))
        console.print(Text.from_ansi(output.rstrip()))
        picture = console.export_svg(title="ts-lsp", unique_id="check")
    return _FONT_FACE.sub("", picture)


def main() -> int:
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(drawn(said()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
