"""Operators that the compiled libraries of a package register, read from the bytes of the libraries.

Owns `registered_operators`. Invariant: nothing is loaded; a library that cannot be read registers nothing. Registering
takes the schema as text, and such texts stand in a library as they were written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

_SUFFIXES = frozenset({".so", ".pyd", ".dylib", ".dll"})
_ARROW = b") -> "
_SCHEMA = re.compile(rb"(?:(\w+)::)?(\w+(?:\.\w+)?\([\x20-\x7e]*\) -> [\x20-\x7e]+)")
_LONGEST = 4096


def registered_operators(folders: Iterable[Path], namespace: str) -> tuple[str, ...]:
    """The schemas that the libraries of the package `namespace` register under its name, without the name.

    `folders` are those from which packages are imported, the first that has the package counts.
    """
    package = next((each / namespace for each in folders if (each / namespace).is_dir()), None)
    return tuple(_registered(package)) if package is not None else ()


def _registered(package: Path) -> Iterator[str]:
    for library in sorted(_libraries(package)):
        try:
            content = library.read_bytes()
        except OSError:
            continue
        for text in _texts(content):
            found = _SCHEMA.fullmatch(text)
            if found is not None and (found[1] is None or found[1].decode() == package.name):
                yield found[2].decode()


def _libraries(package: Path) -> Iterator[Path]:
    try:
        yield from (each for each in package.iterdir() if each.suffix in _SUFFIXES and each.is_file())
    except OSError:
        return


def _texts(content: bytes) -> Iterator[bytes]:
    """The texts, ended by a zero byte, that have an arrow as schemas do."""
    position = content.find(_ARROW)
    while position != -1:
        start = content.rfind(b"\0", max(0, position - _LONGEST), position) + 1
        end = content.find(b"\0", position)
        if start and position < end < position + _LONGEST:
            yield content[start:end]
        position = content.find(_ARROW, max(end, position + 1))
