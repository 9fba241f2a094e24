"""Python files on disk.

Owns finding and reading them. Invariant: nothing raises; what cannot be found or read is a message. Paths come back
absolute, sorted, each once, with symbolic links left as they are.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from pathspec import GitIgnoreSpec

from ts_lsp.project.settings import Settings
from ts_lsp.records import dataclass
from ts_lsp.text import decode_source

_NEVER_ENTERED = frozenset(
    {
        ".eggs",
        ".git",
        ".hg",
        ".ipynb_checkpoints",
        ".mypy_cache",
        ".nox",
        ".pytest_cache",
        ".ruff_cache",
        ".svn",
        ".tox",
        ".venv",
        "__pycache__",
        "__pypackages__",
        "node_modules",
        "site-packages",
    }
)
_SUFFIX = ".py"
_IGNORE_FILE = ".gitignore"


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """The files to look at, and for people what was asked for in vain."""

    paths: tuple[Path, ...]
    messages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of a file. `problem` says why it is not, or not surely, what Python would read."""

    text: str
    problem: str | None = None
    is_readable: bool = True


def read_file(path: Path) -> FileText:
    """The text of a source file, decoded as Python does."""
    try:
        data = path.read_bytes()
    except OSError as problem:
        return FileText("", problem.strerror or str(problem), is_readable=False)
    decoded = decode_source(data)
    return FileText(decoded.text, decoded.problem, not decoded.is_binary)


def find_files(paths: Sequence[Path], settings: Settings | None = None, root: Path | None = None) -> FoundFiles:
    """The Python files under `paths`. Files named themselves always count; folders are searched.

    `root` is the folder that the patterns of the settings are relative to (by default the searched folder).
    """
    chosen = settings or Settings()
    found: dict[Path, None] = {}
    messages: list[str] = []
    for path in paths:
        absolute = Path(os.path.abspath(path))
        if absolute.is_dir():
            inside = list(search(absolute, chosen, Path(os.path.abspath(root)) if root else absolute))
            found.update(dict.fromkeys(inside))
            if not inside:
                messages.append(f"{path}: no Python files in this folder")
        elif absolute.exists():
            found[absolute] = None
        else:
            messages.append(f"{path}: no such file or folder")
    return FoundFiles(tuple(sorted(found)), tuple(messages))


@dataclass(frozen=True, slots=True)
class _Patterns:
    """Patterns that hold below a folder, the later ones stronger."""

    folder: Path
    spec: GitIgnoreSpec

    def verdict(self, path: Path, is_folder: bool) -> bool | None:
        """True if the patterns match, False if they take a match back, None if they say nothing."""
        try:
            relative = path.relative_to(self.folder).as_posix()
        except ValueError:
            return None
        return self.spec.check_file(relative + "/" if is_folder else relative).include


def search(folder: Path, settings: Settings, root: Path) -> Iterator[Path]:
    """The Python files of a folder, one after the other. Patterns of the settings are relative to `root`."""
    exclude = _Patterns(root, GitIgnoreSpec.from_lines(settings.exclude)) if settings.exclude else None
    include = _Patterns(root, GitIgnoreSpec.from_lines(settings.include)) if settings.include else None
    pending = [(folder, tuple(_ignores_above(folder)))]
    while pending:
        here, ignores = pending.pop()
        files, folders = _entries(here)
        if "pyvenv.cfg" in files and here != folder:
            continue
        own = _ignore_file(here) if _IGNORE_FILE in files else None
        active = (*ignores, own) if own else ignores
        for name in files:
            path = here / name
            wanted = include.verdict(path, False) if include is not None else name.endswith(_SUFFIX)
            excluded = exclude is not None and exclude.verdict(path, False)
            if wanted and not excluded and not _ignored(path, False, active):
                yield path
        for name in reversed([each for each in folders if each not in _NEVER_ENTERED]):
            inner = here / name
            if not ((exclude is not None and exclude.verdict(inner, True)) or _ignored(inner, True, active)):
                pending.append((inner, active))


def _entries(folder: Path) -> tuple[list[str], list[str]]:
    """The names of files and folders, sorted; nothing for a folder that cannot be read.

    Links to folders are not followed; pipes and the like are no files; a link that leads nowhere is told of.
    """
    files: list[str] = []
    folders: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for each in entries:
                if each.is_symlink():
                    if os.path.isfile(each.path) or not os.path.exists(each.path):
                        files.append(each.name)
                elif each.is_dir():
                    folders.append(each.name)
                elif each.is_file():
                    files.append(each.name)
    except OSError:
        return [], []
    return sorted(files), sorted(folders)


def _ignored(path: Path, is_folder: bool, active: tuple[_Patterns, ...]) -> bool:
    for patterns in reversed(active):
        verdict = patterns.verdict(path, is_folder)
        if verdict is not None:
            return verdict
    return False


def _ignores_above(folder: Path) -> Iterator[_Patterns]:
    """The ignore files of the folders above that belong to the same repository, outermost first."""
    if (folder / ".git").exists():
        return
    above = list(folder.parents)
    repository = next((index for index, each in enumerate(above) if (each / ".git").exists()), None)
    if repository is not None:
        for each in reversed(above[: repository + 1]):
            patterns = _ignore_file(each)
            if patterns is not None:
                yield patterns


def _ignore_file(folder: Path) -> _Patterns | None:
    file = folder / _IGNORE_FILE
    if not file.is_file():
        return None
    lines = read_file(file).text.splitlines()
    try:
        return _Patterns(folder, GitIgnoreSpec.from_lines(lines))
    except ValueError:
        return None
