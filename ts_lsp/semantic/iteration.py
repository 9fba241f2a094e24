"""What can be walked, and how.

Owns `items_of`: a dynamic iterable has one element type and its loop body is checked once, a static one (tuples,
module containers, and zips of them) is unrolled and checked per element.
Invariant: mixing both in one zip is an error at the call that mixes them.
"""

from __future__ import annotations

import ast

from ts_lsp.records import dataclass
from ts_lsp.semantic import module_values
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.sugared import (
    UNKNOWN_VALUE,
    EnumClass,
    IterableTree,
    ModuleInstance,
    ModuleItems,
    PythonValue,
    RangeIterable,
    Simple,
    Sugared,
    SugaredTuple,
)
from ts_lsp.types.model import INT, STR, TENSOR, DictType, ListType, NamedTupleType, TupleType, Type, UnknownType


@dataclass(frozen=True, slots=True)
class Items:
    """The elements a loop sees: one stand-in for a dynamic iterable, each element for a static one."""

    elements: tuple[Sugared, ...]
    static: bool


def element_of(type_: Type) -> Type | None:
    """The element type of a dynamic iterable; None where the type cannot be walked so."""
    if isinstance(type_, ListType):
        return type_.element
    if isinstance(type_, DictType):
        return type_.key
    if type_ in (TENSOR, STR):
        return type_
    return None


def static_length(value: Sugared) -> int | None:
    """How many elements an unrolled iterable has; None for a dynamic one."""
    if isinstance(value, Simple) and isinstance(value.type, (TupleType, NamedTupleType)):
        return len(value.type.elements)
    if isinstance(value, SugaredTuple):
        return len(value.elements)
    if isinstance(value, (RangeIterable, IterableTree)):
        return value.length
    return None


def as_iterable(ctx: FunctionContext, value: Sugared, place: ast.AST, node: ast.expr) -> Sugared | None:
    """`value` if it can be walked; None after reporting at `place` that it cannot."""
    if isinstance(value, ModuleItems):
        return SugaredTuple(value.elements)
    if isinstance(value, ModuleInstance):
        found = module_values.iterable(ctx, value)
        if found is None:
            ctx.report("not-iterable", place, kind="module", name=ast.unparse(node))
        return found if found is not UNKNOWN_VALUE else None
    if isinstance(value, (RangeIterable, IterableTree, SugaredTuple, EnumClass)):
        return value
    if isinstance(value, Simple):
        if isinstance(value.type, UnknownType):
            return None
        if static_length(value) is not None or element_of(value.type) is not None:
            return value
        ctx.report("not-iterable", place, type=value.type, name=ast.unparse(node))
        return None
    if isinstance(value, PythonValue):
        ctx.report("captured-global", place, name=ast.unparse(node), python_type=value.type_name, value=value.value)
        return None
    ctx.report("not-iterable", place, kind=value.kind, name=ast.unparse(node))
    return None


def items_of(ctx: FunctionContext, value: object, place: ast.AST, node: ast.expr) -> Items | None:
    """The elements of `value`; errors stand at `place` (the whole loop or comprehension)."""
    assert isinstance(value, Sugared)
    iterable = as_iterable(ctx, value, place, node)
    if iterable is None:
        return Items((UNKNOWN_VALUE,), static=False) if _is_unknown(value) else None
    length = static_length(iterable)
    if length is None:
        return Items((element_at(iterable, 0),), static=False)
    return Items(tuple(element_at(iterable, index) for index in range(length)), static=True)


def _is_unknown(value: object) -> bool:
    return isinstance(value, Simple) and isinstance(value.type, UnknownType)


def element_at(iterable: Sugared, index: int) -> Sugared:
    """Element `index` of an iterable (any index of a dynamic one)."""
    if isinstance(iterable, RangeIterable):
        return Simple(INT)
    if isinstance(iterable, IterableTree):
        return SugaredTuple(tuple(element_at(child, index) for child in iterable.children))
    if isinstance(iterable, SugaredTuple):
        return iterable.elements[index]
    if isinstance(iterable, EnumClass):
        return Simple(iterable.type)
    if isinstance(iterable, Simple):
        if isinstance(iterable.type, (TupleType, NamedTupleType)):
            return Simple(iterable.type.elements[index])
        element = element_of(iterable.type)
        if element is not None:
            return Simple(element)
    return UNKNOWN_VALUE


def join_lengths(ctx: FunctionContext, children: tuple[Sugared, ...], call: ast.Call, name: str) -> IterableTree | None:
    """A zip of `children`; None after reporting that static and dynamic ones are mixed."""
    lengths = [static_length(child) for child in children]
    known = [length for length in lengths if length is not None]
    if known and len(known) != len(lengths):
        ctx.report("mixed-zip", call)
        return None
    return IterableTree(children, min(known) if known else None, name)
