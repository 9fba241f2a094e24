"""Programs as the evaluation of values has them: texts held in memory.

Owns `workspace`. Invariant: the main file is `main.py`; nothing is read from disk.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from ts_lsp.torchdata.loader import load
from ts_lsp.values.model import ConstantValue, DictValue, FunctionValue, SequenceValue, Value
from ts_lsp.values.workspace import Workspace


@dataclass(frozen=True)
class Source:
    path: str
    name: str
    text: str
    is_package: bool = False
    external: bool = False


class Files:
    """A reader over sources held in memory, by dotted name."""

    def __init__(self, *sources: Source) -> None:
        self.sources = {source.name: source for source in sources}

    def find_module(self, dotted: str, importing_path: str) -> Source | None:
        return self.sources.get(dotted)

    def module_name(self, path: str) -> tuple[str, bool]:
        for source in self.sources.values():
            if source.path == path:
                return source.name, source.is_package
        return path.removesuffix(".py"), False


def workspace(text: str, *sources: Source, entry_points: tuple[str, ...] = ()) -> Workspace:
    """A world whose main file is `main.py`."""
    world = Workspace(load(), Files(*sources), entry_points)
    world.set_source("main.py", textwrap.dedent(text))
    return world


def names(text: str, *sources: Source) -> dict[str, Value | None]:
    """Every name of the main file as seen when the file is finished."""
    world = workspace(text, *sources)
    scope = world.scope("main.py")
    assert scope is not None
    return {name: scope.lookup(name) for name in scope.names()}


def function(world: Workspace, qualname: str, occurrence: int = 0) -> FunctionValue:
    found = [each for each in world.definitions("main.py").functions if each.qualname == qualname]
    return found[occurrence]


def describe(value: Value | None) -> object:
    """The Python object that a value stands for; the value itself where it is no plain data."""
    if isinstance(value, ConstantValue):
        return value.value
    if isinstance(value, SequenceValue):
        parts = [describe(element) for element in value.elements]
        return tuple(parts) if value.kind == "tuple" else parts if value.kind == "list" else set(parts)
    if isinstance(value, DictValue):
        return {describe(key): describe(item) for key, item in value.items}
    return value


def is_plain(value: object) -> bool:
    """Whether a described value is data of Python through and through."""
    if isinstance(value, (tuple, list, set)):
        return all(is_plain(part) for part in value)
    if isinstance(value, dict):
        return all(is_plain(part) for pair in value.items() for part in pair)
    return value is None or type(value) in (bool, int, float, str)
