"""What has changed on disk, for a client that does not tell.

Owns `DiskWatch`. Invariant: a look costs one `stat` for each file and folder; a folder is read only when it changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from ts_lsp.server.scanning import Stamp, stamp_of

_SETTINGS = frozenset({"pyproject.toml", ".gitignore"})


class DiskWatch:
    """Remembers how files and folders were last."""

    def __init__(self) -> None:
        self._files: dict[str, Stamp | None] = {}
        self._folders: dict[str, tuple[int, frozenset[str]]] = {}

    def changed_files(self, paths: Iterable[str]) -> list[str]:
        """Those of the files that are others now, or came or went, or were not looked at before."""
        return [path for path in paths if self._is_other(path)]

    def _is_other(self, path: str) -> bool:
        stamp = stamp_of(path)
        is_known = self._files.get(path, ...) == stamp
        self._files[path] = stamp
        return not is_known

    def came_or_went(self, folders: Iterable[str]) -> list[str]:
        """The paths of sources, settings and folders that are new or gone in folders that were looked at before."""
        return [os.path.join(folder, name) for folder in folders for name in self._new_or_gone(folder)]

    def _new_or_gone(self, folder: str) -> frozenset[str]:
        time, names = self._folders.get(folder, (-1, frozenset()))
        try:
            now = os.stat(folder).st_mtime_ns
        except OSError:
            now = 0
        if now == time:
            return frozenset()
        there = frozenset(_names(folder))
        self._folders[folder] = now, there
        return there ^ names if time != -1 else frozenset()


def _names(folder: str) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            for each in entries:
                counts = each.name.endswith(".py") or each.name in _SETTINGS
                if counts or (not each.name.startswith((".", "__pycache__")) and each.is_dir()):
                    yield each.name
    except OSError:
        return
