"""How far a change of values spreads: from the chunks that changed to those that may see it, by the names they mention.

Owns `outdated` and what decides whether names are enough to tell. Invariant: a chunk that is not among the outdated
ones denotes what it did before; whatever cannot be followed by names makes everything outdated.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from ts_lsp.records import dataclass
from ts_lsp.syntax.parser import chunks_in_common
from ts_lsp.syntax.tree import Chunk, SourceFile
from ts_lsp.values.bindings import (
    DEFINITIONS,
    MUTATORS,
    UNIT_SPAN,
    BindingTable,
    ImportedModule,
    ImportedName,
    unit_table,
    writes_names,
)
from ts_lsp.values.model import Unit
from ts_lsp.weakcache import cached_weakly

_WORD = re.compile(r"\w+")
_BLIND = frozenset({"globals", "vars", "locals", "eval", "exec", "getattr", "setattr", "delattr", "__dict__", "sys"})
"""Words of code that may reach names which it does not mention."""
_UNTRACEABLE = re.compile(
    r"\b(?:__getattr__|__future__|CompilationUnit|nonlocal|global|exec|setattr)\b|^from\s+\S+\s+import\s+\*", re.M
)


@dataclass(frozen=True, slots=True)
class Replaced:
    """The units of a file after an edit: those at the front and back are as they were."""

    units: tuple[Unit, ...]
    old: tuple[Unit, ...]
    new: tuple[Unit, ...]


def replaced_units(units: Sequence[Unit], old: SourceFile, new: SourceFile) -> Replaced | None:
    """The units of a new text, as far as they are new; None where names cannot tell what they change."""
    if not units:
        return None
    front, back = chunks_in_common(old, new)
    gone = units[front : len(units) - back]
    after = new.chunks[front : len(new.chunks) - back]
    if any(_is_untraceable(chunk) for chunk in (*(each.chunk for each in gone), *(each.chunk for each in after))):
        return None
    low = units[front - 1].base if front else 0
    high = units[len(units) - back].base if back else low + (len(after) + 1) * UNIT_SPAN
    step = (high - low) // (len(after) + 1)
    chunks = [placed.chunk for placed in after] + [unit.chunk for unit in units[max(front - 1, 0) : front]]
    if any(step <= chunk.line_count + 1 for chunk in chunks):
        return None  # no room for its positions
    made = tuple(
        Unit(units[0].path, units[0].module, placed.chunk, placed.first_line, low + step * number)
        for number, placed in enumerate(after, 1)
    )
    return Replaced((*units[:front], *made, *units[len(units) - back :]), tuple(gone), made)


def _is_untraceable(chunk: Chunk) -> bool:
    return _UNTRACEABLE.search(chunk.text) is not None or writes_names(chunk.text)


def outdated(changed: Iterable[Unit], modules: Mapping[str, Surroundings]) -> dict[str, set[Unit]]:
    """By path the units of modules that may see what changed units bind or change.

    `modules` are those that import the changed one, directly or not, and itself.
    """
    found: dict[str, set[Unit]] = {path: set() for path in modules}
    names: set[str] = set()
    for unit in changed:
        own = modules[unit.path].own_names if unit.path in modules else frozenset()
        names |= bound_names(unit.chunk) | (touched_names(unit.chunk) & own)
    grew = True
    while grew:
        grew = False
        for path, module in modules.items():
            for unit in module.units:
                if unit in found[path] or not _mentions_any(unit.chunk, names):
                    continue
                found[path].add(unit)
                fresh = bound_names(unit.chunk) | (touched_names(unit.chunk) & module.own_names)
                grew = grew or not fresh <= names
                names |= fresh
    return found


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A module that may see a change: its units, and the names it binds by other means than imports."""

    units: Sequence[Unit]
    own_names: frozenset[str]


def own_names(table: BindingTable) -> frozenset[str]:
    """The names that a module binds by other means than imports."""
    imports = (ImportedModule, ImportedName)
    return frozenset(
        name for name, found in table.bindings.items() if not all(isinstance(each.source, imports) for each in found)
    )


def _mentions_any(chunk: Chunk, names: Collection[str]) -> bool:
    words = _words(chunk)
    return not words.isdisjoint(names) or not words.isdisjoint(_BLIND)


@cached_weakly
def _words(chunk: Chunk) -> frozenset[str]:
    return frozenset(_WORD.findall(chunk.text))


@cached_weakly
def bound_names(chunk: Chunk) -> frozenset[str]:
    """The names that a chunk binds at the top level of its module."""
    return frozenset(unit_table(Unit("", "", chunk, 0)).bindings)


@cached_weakly
def touched_names(chunk: Chunk) -> frozenset[str]:
    """The names whose objects a chunk may change: by storing into them, or by handing them to what it calls."""
    names: set[str] = set()
    for statement in chunk.tree.body:
        is_definition = isinstance(statement, DEFINITIONS)
        for each in ast.walk(statement):
            if isinstance(getattr(each, "ctx", None), (ast.Store, ast.Del)):
                names.update(_root(each))
            elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in MUTATORS:
                names.update(_root(each.func))
            elif isinstance(each, ast.Call) and not is_definition:
                names.update(_root(each.func))
                parts = (*each.args, *(keyword.value for keyword in each.keywords))
                names.update(inner.id for part in parts for inner in ast.walk(part) if isinstance(inner, ast.Name))
        for decorator in getattr(statement, "decorator_list", ()):
            names.update(each.id for each in ast.walk(decorator) if isinstance(each, ast.Name))
    return frozenset(names)


def _root(node: ast.AST) -> Iterator[str]:
    """The name that an attribute or element belongs to in the end."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id
