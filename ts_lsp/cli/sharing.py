"""How files are shared out among processes.

Owns `shares`. Invariant: files that may import one another, directly or through others, come into the same share, so
that whoever checks it meets all that compiles because of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import PurePath

from ts_lsp.values.import_order import imported


def shares(texts: Mapping[str, str], count: int) -> list[list[str]]:
    """The paths in at most `count` lists with about as much text in each."""
    found: list[list[str]] = [[] for _ in range(count)]
    sizes = [0] * count
    for group in sorted(_groups(texts), key=lambda paths: -sum(len(texts[path]) for path in paths)):
        emptiest = sizes.index(min(sizes))
        found[emptiest] += group
        sizes[emptiest] += sum(len(texts[path]) for path in group)
    return [share for share in found if share]


def _groups(texts: Mapping[str, str]) -> list[list[str]]:
    """Files that name each other in import statements, by the last parts of their names alone: rather too many."""
    named = defaultdict(list)
    for path in texts:
        named[_name(path)].append(path)
    leaders = {path: path for path in texts}

    def leader(path: str) -> str:
        while leaders[path] != path:
            leaders[path] = path = leaders[leaders[path]]
        return path

    for path, text in texts.items():
        parts = PurePath(path).with_suffix("").parts[1:]
        for dotted, names in imported(text, ".".join(parts), _is_package(path)):
            for word in {*dotted.split("."), *names}:
                for other in named.get(word, ()):
                    leaders[leader(other)] = leader(path)
    groups = defaultdict(list)
    for path in texts:
        groups[leader(path)].append(path)
    return list(groups.values())


def _is_package(path: str) -> bool:
    return PurePath(path).stem == "__init__"


def _name(path: str) -> str:
    return PurePath(path).parent.name if _is_package(path) else PurePath(path).stem
