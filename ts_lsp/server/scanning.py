"""The files of folders that may hand something to the compiler.

Owns `Scanner`. Invariant: the text decides, and a file is read again only when it changed; whatever has an entry point
for the analysis is found, also where only a name of another file leads to one. What cannot be read is left out.
"""

from __future__ import annotations

import logging
import os
import re
import stat
import sys
from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from pathlib import Path

from ts_lsp.project.files import search
from ts_lsp.project.settings import Settings
from ts_lsp.records import dataclass
from ts_lsp.values.entries.words import EntryWords, names_any

MOST_FILES = 100_000
"""Nobody's program has more: it is a whole disk that is looked through."""
_IMPORTS = re.compile(
    rb"(?:^|[;:\r\f])[ \t]*(?:from|import)\b((?:[^\n\\(]|\\\r?\n)*(?:\((?:[^)#]|#[^\n]*)*\))?[^\n]*)", re.MULTILINE
)
_WORD = re.compile(rb"\w+")
Stamp = tuple[int, int]
"""What tells one state of a file from another: time and size."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Glimpse:
    """What was seen of a file. `imports` are the words of its import statements."""

    stamp: Stamp
    counts: bool
    imports: tuple[str, ...]


class Scanner:
    """Looks through folders, and remembers what files said."""

    def __init__(self) -> None:
        self._glimpses: dict[str, _Glimpse] = {}
        self._settings: dict[str, Settings] = {}
        self.folders: frozenset[str] = frozenset()
        """Those of the files that there were last."""

    @property
    def known(self) -> int:
        """How many files there were last."""
        return len(self._glimpses)

    def scan(
        self, folders: Iterable[tuple[str, Settings]], names: Callable[[str], Collection[str]]
    ) -> Generator[int, None, tuple[str, ...]]:
        """Looks through folders, and after each file yields how many there were so far.

        `names` are those by which files have something compiled through another one, which is among what is found.
        """
        folders = list(folders)
        if dict(folders) != self._settings:
            self._settings, self._glimpses = dict(folders), {}
        glimpses = yield from self._look(folders)
        self._glimpses = glimpses
        self.folders = frozenset(map(os.path.dirname, glimpses))
        found = {path for path, glimpse in glimpses.items() if glimpse.counts}
        yield from _follow(glimpses, found, names)
        return tuple(each for each in glimpses if each in found)

    def _look(self, folders: Iterable[tuple[str, Settings]]) -> Generator[int, None, dict[str, _Glimpse]]:
        """What there is; of a file that did not change, what was seen before."""
        glimpses: dict[str, _Glimpse] = {}
        for folder, settings in folders:
            words = EntryWords(settings.entry_points)
            for path in map(str, search(Path(folder), settings, Path(folder))):
                glimpse = _glimpse(path, words, settings.scope, self._glimpses.get(path))
                if glimpse is not None:
                    glimpses[path] = self._glimpses[path] = glimpse
                yield len(glimpses)
                if len(glimpses) == MOST_FILES:
                    log.warning("%s: no more than %d files are looked at", folder, MOST_FILES)
                    break
        return glimpses


def _follow(
    glimpses: Mapping[str, _Glimpse], found: set[str], names: Callable[[str], Collection[str]]
) -> Generator[int, None, None]:
    """Adds the files that have something compiled through what they import from those found."""
    told: dict[str, set[str]] = {}
    for path in found:
        told[path] = {*names(path), *EntryWords().named_in(_read(path))}
        yield len(glimpses)
    importers = _importers(glimpses)
    pending = list(told)
    while pending:
        path = pending.pop()
        for other in importers.get(_module_name(path), ()) if told[path] else ():
            yield len(glimpses)
            names_one = names_any(_read(other), told[path])
            if names_one and other not in found:
                found.add(other)
                told[other] = told.get(other, set()) | set(names(other))
            if (names_one or _is_package(other)) and not told[path] <= told.setdefault(other, set()):
                told[other] |= told[path]
                pending.append(other)


def _glimpse(path: str, words: EntryWords, scope: str, known: _Glimpse | None) -> _Glimpse | None:
    stamp = stamp_of(path)
    if stamp is None:
        return None
    if known is not None and known.stamp == stamp:
        return known
    text = _read(path)
    counts = words.tell(text) or scope == "all" or (scope == "modules" and b"torch" in text)
    return _Glimpse(stamp, counts, _imported_words(text))


def stamp_of(path: str) -> Stamp | None:
    """The state of a file; None where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size) if stat.S_ISREG(status.st_mode) else None


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def _imported_words(text: bytes) -> tuple[str, ...]:
    found = {each for statement in _IMPORTS.findall(text) for each in _WORD.findall(statement)}
    return tuple(sys.intern(each.decode("utf-8", "replace")) for each in found)


def _importers(glimpses: Mapping[str, _Glimpse]) -> Mapping[str, list[str]]:
    """By the last part of a module's name the files that seem to import one of that name."""
    modules = {_module_name(path) for path in glimpses}
    found: dict[str, list[str]] = {}
    for path, each in glimpses.items():
        for word in each.imports:
            if word in modules:
                found.setdefault(word, []).append(path)
    return found


def _module_name(path: str) -> str:
    """The last part of the name that a file's module has."""
    folder, name = os.path.split(path)
    return os.path.basename(folder) if _is_package(path) else name.removesuffix(".py")


def _is_package(path: str) -> bool:
    """Whether a file is one that hands on what others define, also by the names of their modules alone."""
    return os.path.basename(path) == "__init__.py"
