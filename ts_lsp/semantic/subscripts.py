"""Subscripts and slices, read and written.

Owns tensor indexing, tuple indexing and slicing, and the element operators of lists, dicts and strings.
Invariant: only a tensor takes several indices, and a tuple only literals (unless all its elements have one type).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ts_lsp.semantic import attributes, calls, expressions, module_values
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.overloads import Arguments, Match, match
from ts_lsp.semantic.sugared import (
    UNKNOWN_VALUE,
    Literal,
    ModuleInstance,
    NamedArgument,
    Simple,
    SliceObject,
    Sugared,
    SugaredTuple,
)
from ts_lsp.text import Range
from ts_lsp.types.model import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    STR,
    TENSOR,
    ClassType,
    DictType,
    ListType,
    NamedTupleType,
    OptionalType,
    TupleType,
    Type,
)
from ts_lsp.types.relations import contains_unknown, is_subtype

OPTIONAL_TENSOR = OptionalType(TENSOR)
NUMERIC = (INT, BOOL, FLOAT, COMPLEX, NUMBER)


def indices_of(node: ast.Subscript) -> Sequence[ast.expr]:
    """The indices as the compiler counts them: a tuple in brackets is several."""
    if isinstance(node.slice, ast.Tuple) and node.slice.elts:
        return node.slice.elts
    return [node.slice]


def place_of(ctx: FunctionContext, indices: Sequence[ast.expr]) -> Range:
    """From the first index to the last, without the parentheses of a tuple."""
    first, last = ctx.place(indices[0]), ctx.place(indices[-1])
    return Range(first.line, first.column, last.end_line, last.end_column)


def emit_subscript(ctx: FunctionContext, node: ast.Subscript, hint: Type | None) -> Sugared:
    """`base[index]`."""
    base = expressions.emit_sugared(ctx, node.value)
    indices = indices_of(node)
    if isinstance(base, ModuleInstance) and len(indices) == 1:
        return _module_subscript(ctx, node, base, indices[0], hint)
    if len(indices) != 1:
        return _multiple(ctx, node, expressions.as_value(ctx, base, node.value))
    index = indices[0]
    if isinstance(index, ast.Slice):
        return _slice(ctx, node, expressions.as_value(ctx, base, node.value), index)
    value = expressions.as_value(ctx, base, node.value)
    if is_ellipsis(index):
        if value.type == TENSOR or not value.is_unknown:
            ctx.report("invalid-ellipsis", index)
        return UNKNOWN_VALUE
    return _single(ctx, node, value, index)


def _module_subscript(
    ctx: FunctionContext, node: ast.Subscript, base: ModuleInstance, index: ast.expr, hint: Type | None
) -> Sugared:
    if isinstance(index, ast.Slice):
        if base.definition.saw_unknown:
            return ctx.unknown("slice of a module")
        if base.definition.container not in module_values.SLICEABLE:
            return ctx.report("not-subscriptable", node, type=base.definition.type, is_module=True)
        return _slice(ctx, node, Simple(module_values.slice_types(base.definition)), index)
    return module_values.subscript(ctx, node, base, expressions.emit_sugared(ctx, index), hint)


def _single(ctx: FunctionContext, node: ast.Subscript, base: Simple, index_node: ast.expr) -> Sugared:
    index = expressions.emit_sugared(ctx, index_node)
    if isinstance(index, SliceObject):
        bounds = [index.start, index.stop, index.step]
        if isinstance(base.type, (TupleType, NamedTupleType)):
            # Other than in `t[None:2]`, a None in `slice(None, 2)` is a bound that is left out.
            bounds = [None if bound is not None and bound.type == NONE else bound for bound in bounds]
        return _apply_slice(ctx, node.value, base, bounds)
    if isinstance(index, SugaredTuple):
        index = expressions.as_value(ctx, index, index_node)
    if not isinstance(index, Simple):
        return expressions.as_value(ctx, index, node.value)
    if base.is_unknown:
        return UNKNOWN_VALUE
    if isinstance(base.type, (TupleType, NamedTupleType)):
        return _tuple_index(ctx, node, base.type.elements, base.type, index)
    if base.type == TENSOR:
        return _tensor_index(ctx, node, base, [index_node])
    return _item(ctx, node, base, index, index_node)


def _item(ctx: FunctionContext, node: ast.Subscript, base: Simple, index: Simple, index_node: ast.expr) -> Sugared:
    """An element of a list, string, dict or class instance."""
    if isinstance(base.type, ClassType):
        return attributes.call_magic(ctx, node, base, "__getitem__", (index,), (index_node,))
    if not (isinstance(base.type, (ListType, DictType)) or base.type == STR):
        return ctx.report("not-subscriptable", node, type=base.type)
    arguments = [NamedArgument(base, node.value), NamedArgument(index, index_node)]
    if index.is_unknown:
        return Simple(element_type(base.type))
    return calls.call_operator(ctx, node, "aten::__getitem__", arguments, (), symbol="[]")


def element_type(type_: Type) -> Type:
    """What indexing a list, dict or string gives."""
    if isinstance(type_, ListType):
        return type_.element
    return type_.value if isinstance(type_, DictType) else type_


def _tuple_index(
    ctx: FunctionContext, node: ast.Subscript, elements: tuple[Type, ...], type_: Type, index: Simple
) -> Simple:
    if index.is_unknown:
        return UNKNOWN_VALUE
    if index.type != INT:
        return ctx.report("tuple-index", node, type=type_, found=index.type, reason="not-int")
    literal = index.literal
    if literal is None:
        if elements and all(is_subtype(each, elements[0]) for each in elements):
            return Simple(elements[0])
        return ctx.report("tuple-index", node, type=type_, reason="not-literal")
    position = literal.value
    assert isinstance(position, int)
    adjusted = position + len(elements) if position < 0 else position
    if not 0 <= adjusted < len(elements):
        return ctx.report("tuple-index", node, type=type_, reason="range", index=position, length=len(elements))
    return Simple(elements[adjusted])


def _slice(ctx: FunctionContext, node: ast.Subscript, base: Simple, slice_node: ast.Slice) -> Simple:
    bounds = [
        expressions.emit(ctx, bound) if bound is not None else None
        for bound in (slice_node.lower, slice_node.upper, slice_node.step)
    ]
    return _apply_slice(ctx, node, base, bounds, (slice_node.lower, slice_node.upper, slice_node.step))


def _apply_slice(
    ctx: FunctionContext,
    place: ast.expr,
    base: Simple,
    bounds: Sequence[Simple | None],
    written: Sequence[ast.expr | None] = (None, None, None),
) -> Simple:
    """A slice with these bounds; `written` is where they stand, as far as they do."""
    if base.is_unknown:
        return UNKNOWN_VALUE
    if isinstance(base.type, (TupleType, NamedTupleType)):
        return _tuple_slice(ctx, place, base.type.elements, bounds)
    none, one = Simple(NONE, Literal(None)), Simple(INT, Literal(1))
    dimension = [NamedArgument(Simple(INT, Literal(0)), place)] if base.type == TENSOR else []
    values = zip(bounds, (none, none, one), written, strict=True)
    given = [NamedArgument(value or default, node or place) for value, default, node in values]
    arguments = [NamedArgument(base, place), *dimension, *given]
    return calls.call_operator(ctx, place, "aten::slice", arguments, (), symbol="[:]")


def _tuple_slice(
    ctx: FunctionContext,
    place: ast.expr,
    elements: tuple[Type, ...],
    bounds: Sequence[Simple | None],
) -> Simple:
    known: list[int | None] = []
    for bound in bounds:
        if bound is None:
            known.append(None)
            continue
        if bound.is_unknown:
            return UNKNOWN_VALUE
        literal = bound.literal
        if literal is None or not isinstance(literal.value, int) or isinstance(literal.value, bool):
            return ctx.report("tuple-slice", place, found=bound.type)
        known.append(literal.value)
    if known[2] == 0:
        return ctx.report("tuple-slice", place, reason="zero-step")
    return Simple(TupleType(elements[slice(*known)]))


def _multiple(ctx: FunctionContext, node: ast.Subscript, base: Simple) -> Simple:
    if base.is_unknown:
        return UNKNOWN_VALUE
    if base.type != TENSOR:
        return ctx.report("not-subscriptable", node, type=base.type, several=True)
    return _tensor_index(ctx, node, base, indices_of(node))


def index_tensor(ctx: FunctionContext, node: ast.Subscript, base: Simple) -> Simple:
    """The part of a tensor that an assignment writes to."""
    return _tensor_index(ctx, node, base, indices_of(node))


def _tensor_index(ctx: FunctionContext, node: ast.Subscript, base: Simple, indices: Sequence[ast.expr]) -> Simple:
    """The compiler's walk over a tensor's indices: forward to an ellipsis, then backward from the end."""
    ellipses = [position for position, each in enumerate(indices) if is_ellipsis(each)]
    if len(ellipses) > 1:
        return ctx.report("tensor-index", node, reason="several-ellipses")
    first = ellipses[0] if ellipses else len(indices)
    order = [*range(first), *range(len(indices) - 1, first, -1)]
    slices: dict[int, SliceObject] = {}
    for position in order:
        if not _check_index(ctx, node, indices, position, position > first, slices):
            return UNKNOWN_VALUE
    for position, index in enumerate(indices):
        result = Simple(TENSOR)
        if isinstance(index, ast.Slice):
            result = _slice(ctx, node, result, index)
        elif position in slices:
            found = slices[position]
            result = _apply_slice(ctx, node, result, (found.start, found.stop, found.step))
        if result.is_unknown:
            return UNKNOWN_VALUE
    return Simple(TENSOR)


def is_ellipsis(node: ast.expr) -> bool:
    """`...` or the name `Ellipsis` in a subscript."""
    if isinstance(node, ast.Name):
        return node.id == "Ellipsis"
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _check_index(
    ctx: FunctionContext,
    node: ast.Subscript,
    indices: Sequence[ast.expr],
    position: int,
    after_ellipsis: bool,
    slices: dict[int, SliceObject],
) -> bool:
    """One index of a tensor; slices are checked once all kinds are known, those that are objects from `slices`."""
    index = indices[position]
    if isinstance(index, ast.Slice):
        return True
    value = expressions.emit_sugared(ctx, index)
    if isinstance(value, SliceObject):
        slices[position] = value
        return True
    found = expressions.as_value(ctx, value, index).type
    if contains_unknown(found) or found in (INT, NONE) or isinstance(found, ListType):
        if isinstance(found, ListType) and after_ellipsis:
            ctx.report("tensor-index", node, reason="after-ellipsis")
            return False
        return True
    if is_subtype(found, OPTIONAL_TENSOR):
        if after_ellipsis:
            ctx.report("tensor-index", node, reason="after-ellipsis")
            return False
        return True
    ctx.report("tensor-index", node, reason="type", found=found)
    return False


def getitem_with(ctx: FunctionContext, node: ast.Call, index: Simple) -> Simple:
    """`tensor.__getitem__(index)`: only tensors are taken as indices here."""
    if index.is_unknown or is_subtype(index.type, OPTIONAL_TENSOR):
        return Simple(TENSOR)
    elements = index.type.elements if isinstance(index.type, TupleType) else ()
    if elements and all(is_subtype(each, OPTIONAL_TENSOR) for each in elements):
        return Simple(TENSOR)
    return ctx.report("tensor-index", node, reason="type", found=index.type)


def assign_subscript(
    ctx: FunctionContext, target: ast.Subscript, value: Simple, value_node: ast.expr, statement: ast.AST
) -> None:
    """`base[index] = value`; errors stand at the statement."""
    base = expressions.emit(ctx, target.value)
    if base.is_unknown:
        return
    if base.type == TENSOR:
        _assign_tensor(ctx, target, base, value, value_node, statement)
        return
    indices = indices_of(target)
    if len(indices) != 1:
        ctx.report("slice-assignment", target, place=place_of(ctx, indices), type=base.type)
        return
    if isinstance(indices[0], ast.Slice):
        ctx.report("slice-assignment", target, type=base.type)
        return
    if isinstance(base.type, (TupleType, NamedTupleType)):
        ctx.report("subscript-assignment", target, type=base.type)
        return
    index = expressions.emit(ctx, indices[0])
    if isinstance(base.type, ClassType):
        if not attributes.has_method(ctx, base.type, "__setitem__"):
            ctx.report("subscript-assignment", statement, type=base.type, reason="no-setitem")
            return
        attributes.call_magic(ctx, statement, base, "__setitem__", (index, value), (indices[0], value_node))
        return
    arguments = [NamedArgument(base, target.value), NamedArgument(index, indices[0]), NamedArgument(value, value_node)]
    match_store(ctx, statement, "aten::_set_item", arguments, base.type, index=index.type, value=value.type)


def _assign_tensor(
    ctx: FunctionContext,
    target: ast.Subscript,
    base: Simple,
    value: Simple,
    value_node: ast.expr,
    statement: ast.AST,
) -> None:
    found = _tensor_index(ctx, target, base, indices_of(target))
    ctx.record(target, TENSOR, "target")
    if found.is_unknown or value.is_unknown:
        return
    converted = Simple(TENSOR) if value.type in NUMERIC else value
    arguments = [NamedArgument(found, target), NamedArgument(converted, value_node)]
    match_store(ctx, statement, "aten::copy_", arguments, base.type, value=value.type)


def match_store(
    ctx: FunctionContext,
    statement: ast.AST,
    operator: str,
    arguments: Sequence[NamedArgument],
    type_: Type,
    **data: object,
) -> None:
    """Match an operator that writes an element; errors stand at the statement."""
    given = Arguments(tuple(arguments))
    outcome = match(ctx.program.torch.schemas(operator), given)
    if isinstance(outcome, Match):
        ctx.conversions.extend(outcome.conversions(given))
        calls.record_result(ctx, statement, outcome)
    elif not given.has_unknown:
        ctx.report("subscript-assignment", statement, type=type_, reason="types", details=data)
