"""The order in which the modules of a package are executed when files import them.

Owns `import_order`, which reads import statements off the text, so that nothing needs to be parsed. Invariant: a module
comes after what it imports, except for cycles; imports inside of functions count, too.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator

from ts_lsp.records import dataclass, field
from ts_lsp.values.surroundings import ModuleSource

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]*)|import[ \t]+([^\n#;]+))", re.MULTILINE
)
_NAME = re.compile(r"[\w.]+")
_MOST_MODULES = 3_000


Finder = Callable[[str, str], "ModuleSource | None"]
"""The module of an absolute dotted name as seen from a file."""


def import_order(roots: Iterable[ModuleSource], packages: frozenset[str], find: Finder) -> list[ModuleSource]:
    """The modules of some top-level packages that executing `roots` executes, in the order in which they end."""
    walk = _Walk(packages, find)
    for root in roots:
        walk.packages_around(root)
        walk.visit(root)
    return walk.order


@dataclass(slots=True)
class _Walk:
    packages: frozenset[str]
    find: Finder
    order: list[ModuleSource] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def visit(self, root: ModuleSource) -> None:
        """Depth first, without recursion."""
        if root.path in self.seen:
            return
        self.seen.add(root.path)
        open_modules = [(root, self._imports(root))]
        while open_modules:
            module, imports = open_modules[-1]
            found = next((each for each in imports if each.path not in self.seen), None)
            if found is None:
                self.order.append(module)
                open_modules.pop()
            elif len(self.seen) < _MOST_MODULES:
                self.seen.add(found.path)
                open_modules.append((found, self._imports(found)))
            else:
                return

    def packages_around(self, module: ModuleSource) -> None:
        """Importing a module executes the packages it lies in first."""
        for dotted in _prefixes(module.name)[:-1]:
            found = self.find(dotted, module.path) if dotted.partition(".")[0] in self.packages else None
            if found is not None:
                self.visit(found)

    def _imports(self, module: ModuleSource) -> Iterator[ModuleSource]:
        for dotted, names in imported(module.text, module.name, module.is_package):
            if dotted.partition(".")[0] not in self.packages:
                continue
            last: ModuleSource | None = None
            for prefix in _prefixes(dotted):
                last = self.find(prefix, module.path)
                if last is not None:
                    yield last
            if last is not None and last.is_package:
                inner = (self.find(f"{dotted}.{name}", module.path) for name in names)
                yield from (each for each in inner if each is not None)


def _prefixes(dotted: str) -> list[str]:
    parts = dotted.split(".")
    return [".".join(parts[: count + 1]) for count in range(len(parts))]


def import_statements(text: str) -> tuple[tuple[str, ...], ...]:
    """What the import statements of a text say, wherever they stand."""
    return tuple(match.groups(default="") for match in _IMPORT.finditer(text))


@functools.lru_cache(maxsize=_MOST_MODULES)
def imported(text: str, name: str, is_package: bool) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The absolute names of the modules that a text imports, with the names it takes from each."""
    return tuple(_imported(text, name, is_package))


def _imported(text: str, name: str, is_package: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    for match in _IMPORT.finditer(text):
        dots, module, names, plain = match.groups()
        if plain is not None:
            for part in plain.split(","):
                first = _NAME.search(part)
                if first is not None:
                    yield first.group(), ()
            continue
        parts = name.split(".")
        up = len(dots) - 1 if is_package else len(dots)
        if up > len(parts):
            continue
        base = parts[: len(parts) - up] if dots else []
        dotted = ".".join([*base, *([module] if module else [])])
        taken = (_NAME.search(part) for part in names.strip("()").split(","))
        if dotted:
            yield dotted, tuple(each.group() for each in taken if each is not None)
