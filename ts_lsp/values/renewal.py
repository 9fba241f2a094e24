"""Edits that change no value: those inside the bodies of functions that evaluation has not looked into.

Owns `renewed`, which decides whether an edit is one, and if so moves the sites of definitions to the new text.
Invariant: afterwards everything that was evaluated is what evaluating the new text would give.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Sequence

from ts_lsp.records import dataclass, replace
from ts_lsp.syntax.grafting import FunctionNode, Graft, graft
from ts_lsp.syntax.parser import beyond_parsing, chunks_in_common
from ts_lsp.syntax.tree import Chunk, PlacedChunk, SourceFile
from ts_lsp.syntax.walking import walk_statements
from ts_lsp.values.bindings import DEFINITIONS, writes_names
from ts_lsp.values.calls import is_generator
from ts_lsp.values.import_order import import_statements
from ts_lsp.values.model import Site, Unit
from ts_lsp.values.module_state import texts_of_changes
from ts_lsp.values.patching import stores
from ts_lsp.weakcache import cached_weakly

_WORD = re.compile(r"\w+")
_TELLING_HEADER = re.compile(r"\b(?:property|setter|overload|_overload|_overload_method|interface)\b")
"""Decorators under which more than the compiler reads a body."""
_SIGNS = ("__getattr__", "globals()", "CompilationUnit", "nonlocal", "global")
"""Words that evaluation looks for in the text of a whole file."""
_MOST_CHANGED = 8


@dataclass(frozen=True, slots=True)
class Renewal:
    """The functions whose bodies changed or moved, by old and new node, the classes around them, and the chunks."""

    units: tuple[Unit, ...]
    file: SourceFile
    functions: tuple[tuple[Site[ast.AST], ast.AST], ...] = ()
    """The site of each function, and the node that was there before."""
    classes: tuple[tuple[ast.ClassDef, ast.ClassDef], ...] = ()


def renewed(
    units: Sequence[Unit], old: SourceFile, new: SourceFile, telling: frozenset[str], bound: Collection[str]
) -> Renewal | None:
    """Moves the definitions of a file from its old text to its new one; None where the edit may change a value.

    `telling` are the words that make a body one that hands something to the compiler, `bound` the names of the module.
    """
    front, back = chunks_in_common(old, new)
    before, after = old.chunks[front : len(old.chunks) - back], new.chunks[front : len(new.chunks) - back]
    grafts = _grafts(before, after, telling, bound)
    if grafts is None or _rest_on(grafts.values(), units[front : len(units) - back]):
        return None
    functions: list[tuple[Site[ast.AST], ast.AST]] = []
    with_code = iter([unit for unit, placed in zip(units[front:], before, strict=False) if _has_code(placed.chunk)])
    middle: list[Unit] = []
    chunks: list[PlacedChunk] = []
    for placed in after:
        if not _has_code(placed.chunk):
            before_it = (*units[:front], *middle)
            base = before_it[-1].base + before_it[-1].chunk.line_count + 1 if before_it else 0
            middle.append(Unit(units[0].path, units[0].module, placed.chunk, placed.first_line, base))
            chunks.append(placed)
            continue
        unit = next(with_code)
        unit.first_line = placed.first_line
        grown = grafts.get(placed.chunk)
        if grown is not None:
            functions.extend(_moved(unit, grown))
            placed = PlacedChunk(grown.chunk, placed.first_line)
        middle.append(unit)
        chunks.append(placed)
    tail = units[len(units) - back :]
    if tail and tail[0].first_line != new.chunks[-back].first_line:
        for unit, placed in zip(tail, new.chunks[len(new.chunks) - back :], strict=True):
            unit.first_line = placed.first_line
    file = replace(new, chunks=(*new.chunks[:front], *chunks, *new.chunks[len(new.chunks) - back :]))
    classes = tuple(pair for each in grafts.values() for pair in each.classes)
    return Renewal((*units[:front], *middle, *tail), file, tuple(functions), classes)


def _has_code(chunk: Chunk) -> bool:
    return bool(chunk.tree.body or chunk.problems)


def _grafts(
    before: Sequence[PlacedChunk], after: Sequence[PlacedChunk], telling: frozenset[str], bound: Collection[str]
) -> dict[Chunk, Graft] | None:
    """By new chunk what changed in it; None where a chunk changed in more than the bodies of functions."""
    old = [placed.chunk for placed in before if _has_code(placed.chunk)]
    new = [placed.chunk for placed in after if _has_code(placed.chunk)]
    if len(old) != len(new) or len(new) > _MOST_CHANGED:
        return None
    found: dict[Chunk, Graft] = {}
    for one, other in zip(old, new, strict=True):
        if one is other:
            continue
        grown = graft(one, other)
        if grown is None or not _is_silent(one, grown, telling, bound):
            return None
        found[other] = grown
    return found


def _rest_on(grafts: Iterable[Graft], units: Sequence[Unit]) -> bool:
    """Whether values rest on the body of a function that changed."""
    changed = {old for each in grafts for old, _ in each.functions}
    return any(site.is_followed for unit in units for node, site in unit.sites.items() if node in changed)


def _is_silent(old: Chunk, grown: Graft, telling: frozenset[str], bound: Collection[str]) -> bool:
    """Whether nothing outside of the bodies that changed can tell the difference."""
    if _signs(old, bound) != _signs(grown.chunk, bound):
        return False
    has_more = len(old.tree.body) > 1 or any(isinstance(each, ast.ClassDef) for each in old.tree.body)
    if has_more and (beyond_parsing(old) or beyond_parsing(grown.chunk)):
        return False  # Python's own refusals of one function hide those of the next
    if any(_TELLING_HEADER.search(_head(node, old)) for node, _ in grown.classes):
        return False
    return all(_tells_the_same(one, other, old, grown.chunk, telling) for one, other in grown.functions)


def _signs(chunk: Chunk, bound: Collection[str]) -> tuple[object, ...]:
    """What evaluation reads off the text of a chunk."""
    return _own_signs(chunk), frozenset(name for name in texts_of_changes(chunk) if name in bound)


@cached_weakly
def _own_signs(chunk: Chunk) -> tuple[object, ...]:
    text = chunk.text
    imports = import_statements(text) if "import" in text else ()
    return (*(word in text for word in _SIGNS), writes_names(text), imports)


def _head(node: ast.ClassDef | FunctionNode, chunk: Chunk) -> str:
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)]) - 1
    return "\n".join(chunk.lines.line(number) for number in range(first, node.body[0].lineno - 1))


def _tells_the_same(
    old: FunctionNode, new: FunctionNode, old_chunk: Chunk, new_chunk: Chunk, telling: frozenset[str]
) -> bool:
    """Whether two texts of one function mean the same to everything but the function's own check."""
    if old.name.startswith("__") and old.name.endswith("__"):
        return False
    head = _head(new, new_chunk)
    if _TELLING_HEADER.search(head) or (old.lineno != new.lineno and not telling.isdisjoint(_WORD.findall(head))):
        return False
    if _holds_more(old) or _holds_more(new) or _says(old, old_chunk, telling) or _says(new, new_chunk, telling):
        return False
    may_yield = "yield" in old_chunk.text or "yield" in new_chunk.text
    return stores(old) == stores(new) and not (may_yield and is_generator(old) != is_generator(new))


@cached_weakly
def _holds_more(node: FunctionNode) -> bool:
    """Whether a body holds definitions, or binds names elsewhere."""
    kinds = (*DEFINITIONS, ast.Global, ast.Nonlocal)
    return any(isinstance(each, kinds) for each in walk_statements(node) if each is not node)


def _says(node: FunctionNode, chunk: Chunk, telling: frozenset[str]) -> bool:
    """Whether the text of a body holds one of the words."""
    start, end = chunk.lines.offset(node.body[0].lineno - 1, 0), chunk.lines.offset(node.end_lineno or node.lineno, 0)
    return not telling.isdisjoint(_WORD.findall(chunk.text, start, end))


def _moved(unit: Unit, grown: Graft) -> list[tuple[Site[ast.AST], ast.AST]]:
    """The unit and its sites with the new text; gives the functions that changed."""
    unit.chunk = grown.chunk
    found: list[tuple[Site[ast.AST], ast.AST]] = []
    for old, new in (*grown.functions, *grown.classes):
        site = unit.sites.pop(old, None)
        if site is None:
            continue
        site.node, site.first = new, site.first or old
        if isinstance(site.first, DEFINITIONS):
            site.first.body = new.body  # tables of bindings hold it: the text from before is not to live on there
        unit.sites[new] = site
        unit.bodies.pop(old, None)
        if not isinstance(new, ast.ClassDef):
            found.append((site, old))
    return found
