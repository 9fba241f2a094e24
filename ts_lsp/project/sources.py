"""Source of modules from disk, for the evaluation of imports.

Owns `DiskSources`. Invariant: all reading of workspace and library files for imports happens here, when asked for.
"""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path

from ts_lsp.project.environment import ModuleFinder, package_root
from ts_lsp.project.files import read_file
from ts_lsp.records import dataclass


@dataclass(frozen=True)
class DiskModule:
    """A module found on disk; its text is read when asked for. A namespace package has a folder and no text."""

    path: str
    name: str
    is_package: bool
    external: bool

    @cached_property
    def text(self) -> str:
        return "" if os.path.isdir(self.path) else read_file(Path(self.path)).text


class DiskSources:
    """Finds and reads the modules that files import."""

    def __init__(self, finder: ModuleFinder) -> None:
        self._finder = finder
        self._modules: dict[tuple[str, Path], DiskModule] = {}

    def find_module(self, dotted: str, importing_path: str) -> DiskModule | None:
        """The module of an absolute dotted name as a file would import it; None without Python source."""
        found = self._finder.find_module(dotted, Path(os.path.abspath(importing_path)))
        if found is None:
            return None
        known = self._modules.get((dotted, found))
        if known is None:
            is_package = found.name == "__init__.py" or found.is_dir()
            known = DiskModule(str(found), dotted, is_package, self._finder.is_external(found))
            self._modules[dotted, found] = known
        return known

    def refresh(self) -> None:
        """Looks and reads again: files on disk have changed."""
        self._finder.refresh()
        self._modules.clear()

    def module_name(self, path: str) -> tuple[str, bool]:
        """The dotted name a file has from its package's root, and whether it is a package's `__init__.py`."""
        file = Path(os.path.abspath(path))
        parts = list(file.relative_to(package_root(file)).with_suffix("").parts)
        is_package = parts[-1] == "__init__" and len(parts) > 1
        return ".".join(parts[:-1] if is_package else parts), is_package
