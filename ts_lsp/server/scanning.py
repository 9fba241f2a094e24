"""The files of folders that may hand something to the compiler.

Owns `files_that_may_script`. Invariant: the text decides, nothing is parsed; what cannot be read is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ts_lsp.project.files import find_files
from ts_lsp.project.settings import Settings

_TORCH = b"torch"


def files_that_may_script(folders: Iterable[tuple[str, Settings]]) -> list[str]:
    """The absolute paths of all files of folders that speak of torch, each once."""
    found: dict[str, None] = {}
    for folder, settings in folders:
        for path in find_files([Path(folder)], settings).paths:
            if may_script(path):
                found[str(path)] = None
    return list(found)


def may_script(path: Path) -> bool:
    """Whether a file speaks of torch: one that does not compiles nothing of its own."""
    try:
        return _TORCH in path.read_bytes()
    except OSError:
        return False
