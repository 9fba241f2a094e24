"""List, dict and tuple displays and comprehensions.

Owns how element types become a container's type, and what a type hint from the surroundings changes.
Invariant: hints reach a display itself and never the displays inside it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ts_lsp.records import dataclass
from ts_lsp.semantic import calls, expressions, iteration, targets
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.sugared import UNKNOWN_VALUE, Simple
from ts_lsp.types.model import (
    ANY,
    ANY_LIST,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    STR,
    TENSOR,
    DictType,
    ListType,
    NamedTupleType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
)
from ts_lsp.types.relations import DegenerateUnion, contains_unknown, equal, is_subtype, unify

DICT_KEYS = (INT, BOOL, FLOAT, COMPLEX, STR, TENSOR, DEVICE, ANY)


def tuple_elements(type_: Type) -> tuple[Type, ...] | None:
    """The element types of a tuple of any kind."""
    return type_.elements if isinstance(type_, (TupleType, NamedTupleType)) else None


def list_of(ctx: FunctionContext, types: Sequence[Type], hint: Type | None = None) -> Type:
    """The element type of a list of `types`: unified, as a Union where they differ."""
    unified: Type = types[0]
    for each in types[1:]:
        found = unify(unified, each, union=True, hint=hint)
        if found is None:
            ctx.saw_unknown = True
            return TENSOR
        unified = found
    return unified


@dataclass(frozen=True, slots=True)
class Hint:
    """A type hint as a display reads it: the one container type wanted, or the candidates of a Union.

    `cast` is the Union annotation the display's value takes as its type.
    """

    wanted: ListType | DictType | None = None
    candidates: tuple[ListType | DictType, ...] = ()
    cast: UnionType | None = None


def is_any(hint: Type | None) -> bool:
    """Whether a hint is `Any` or optional `Any`."""
    return hint == ANY or (isinstance(hint, OptionalType) and hint.element == ANY)


def read_hint(
    ctx: FunctionContext, node: ast.expr, hint: Type | None, kind: type[ListType] | type[DictType]
) -> Hint | None:
    """What `hint` says to a display of `kind`; None after reporting a hint of another kind.

    `Any` says nothing to a dict display and is of another kind to the others: the compiler takes it for their type.
    """
    takes_any = kind is DictType and not isinstance(node, ast.DictComp)
    if hint is None or contains_unknown(hint) or hint == ANY_LIST or (takes_any and is_any(hint)):
        return Hint()
    cast = hint if isinstance(hint, UnionType) else None
    if isinstance(hint, UnionType):
        candidates = tuple(each for each in hint.members if isinstance(each, kind))
        if len(candidates) == 1:
            return Hint(candidates[0], (), cast)
        if candidates:
            return Hint(None, candidates, cast)
    elif isinstance(hint, OptionalType):
        if isinstance(hint.element, UnionType):
            return read_hint(ctx, node, hint.element, kind)
        if isinstance(hint.element, kind):
            return Hint(hint.element)
        if hint.element == ANY_LIST:
            return Hint()
    elif isinstance(hint, kind):
        return Hint(hint)
    ctx.report("empty-container-hint", node, hint=hint, container="list" if kind is ListType else "dict")
    return None


def read_dict_hint(ctx: FunctionContext, node: ast.expr, hint: Type | None) -> Hint | None:
    """What `hint` says to `dict(...)`, which cannot choose among several Dict types of a Union.

    A hint without any Dict type is not refused here: a mapping is copied whatever is wanted.
    """
    inner = hint.element if isinstance(hint, OptionalType) else hint
    if not any(isinstance(each, DictType) for each in (inner.members if isinstance(inner, UnionType) else (inner,))):
        return Hint()
    read = read_hint(ctx, node, hint, DictType)
    if read is not None and read.candidates:
        ctx.report("empty-container-hint", node, hint=hint, container="dict")
        return None
    return read


def emit_list(ctx: FunctionContext, node: ast.expr, hint: Type | None) -> Simple:
    """A list display."""
    assert isinstance(node, ast.List)
    values = calls.emit_values(ctx, node.elts)
    read = read_hint(ctx, node, hint, ListType)
    if values is None or read is None:
        return UNKNOWN_VALUE
    if not values:
        if read.candidates:
            return ctx.report("empty-container-hint", node, hint=hint, container="list")
        wanted = read.cast or read.wanted
        return Simple(wanted or ListType(TENSOR), empty_list=wanted is None)
    try:
        element = list_of(ctx, [value.type for value in values], _element_hint(read))
    except DegenerateUnion:
        return ctx.report("degenerate-union", node)
    return _list_type(ctx, node, read, element, hint)


def _element_hint(read: Hint) -> Type | None:
    return read.wanted.element if isinstance(read.wanted, ListType) else None


def _list_type(ctx: FunctionContext, node: ast.expr, read: Hint, element: Type, hint: Type | None) -> Simple:
    if isinstance(read.wanted, ListType):
        if not is_subtype(element, read.wanted.element):
            return ctx.report("list-element-mismatch", node, hint=read.wanted, found=element)
        return Simple(read.cast or read.wanted)
    if read.candidates:
        fitting = [each for each in read.candidates if isinstance(each, ListType) and is_subtype(element, each.element)]
        if not fitting:
            return ctx.report("list-element-mismatch", node, hint=hint, found=element)
        return Simple(read.cast or fitting[0])
    return Simple(ListType(element))


def emit_dict(ctx: FunctionContext, node: ast.expr, hint: Type | None) -> Simple:
    """A dict display."""
    assert isinstance(node, ast.Dict)
    keys: list[Simple] = []
    values: list[Simple] = []
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        if key_node is None:
            expressions.emit(ctx, value_node)
            continue
        keys.append(expressions.emit(ctx, key_node))
        values.append(expressions.emit(ctx, value_node))
        if len(keys) > 1 and not mixable(keys[-2].type, keys[-1].type):
            ctx.report("dict-element-mismatch", key_node, part="key", expected=keys[-2].type, found=keys[-1].type)
            return UNKNOWN_VALUE
    read = read_hint(ctx, node, hint, DictType)
    if read is None:
        return UNKNOWN_VALUE
    if not keys:
        if read.candidates:
            return ctx.report("empty-container-hint", node, hint=hint, container="dict")
        return Simple(read.cast or read.wanted or DictType(STR, TENSOR))
    try:
        value_type = list_of(ctx, [each.type for each in values])
    except DegenerateUnion:
        return ctx.report("degenerate-union", node)
    return _dict_type(ctx, node, read, DictType(keys[0].type, value_type))


def mixable(first: Type, second: Type) -> bool:
    """Whether two keys are of one kind as the compiler compares them: by constructor only."""
    return type_kind(first) == type_kind(second) or contains_unknown(first) or contains_unknown(second)


def _dict_type(ctx: FunctionContext, node: ast.expr, read: Hint, found: DictType) -> Simple:
    wanted = read.candidates or ((read.wanted,) if read.wanted else ())
    if not wanted:
        if contains_unknown(found.key):
            return UNKNOWN_VALUE
        if not is_dict_key(found.key):
            return ctx.report("invalid-dict-key", node, key=found.key)
        return Simple(found)
    for each in wanted:
        if isinstance(each, DictType) and equal(found.key, each.key) and is_subtype(found.value, each.value):
            return Simple(read.cast or each)
    if contains_unknown(found):
        return Simple(read.cast or wanted[0])
    return ctx.report("dict-element-mismatch", node, part="dict", expected=wanted[0], found=found)


def is_dict_key(type_: Type) -> bool:
    """The key types a Dict may have."""
    return type_ in DICT_KEYS


def type_kind(type_: Type) -> str:
    """The compiler's kind of a type: its constructor without parameters."""
    name = getattr(type_, "name", None)
    return name if isinstance(name, str) else type(type_).__name__


def emit_comprehension(ctx: FunctionContext, node: ast.expr, hint: Type | None) -> Simple:
    """A list comprehension or generator expression (the compiler does not tell them apart)."""
    assert isinstance(node, (ast.ListComp, ast.GeneratorExp))
    if len(node.generators) > 1:
        return UNKNOWN_VALUE
    generator = node.generators[0]
    if not is_any(hint):
        read_hint(ctx, node, hint, ListType)  # refused before the iterable is looked at
    iterable = expressions.emit_sugared(ctx, generator.iter)
    return emit_comprehension_over(ctx, node, iterable, generator.iter, generator.target, node.elt, hint)


def emit_comprehension_over(
    ctx: FunctionContext,
    node: ast.expr,
    iterable: object,
    iterable_node: ast.expr,
    target: ast.expr | None,
    element: ast.expr | None,
    hint: Type | None,
) -> Simple:
    """The list of `element` for each item of `iterable`; without `element` the items themselves (`list(x)`)."""
    if is_any(hint):
        result = emit_comprehension_over(ctx, node, iterable, iterable_node, target, element, None)
        return result if result.is_unknown else ctx.report("empty-container-hint", node, hint=hint, container="list")
    read = read_hint(ctx, node, hint, ListType)
    ctx.record(node, BOOL, "join")
    items = iteration.items_of(ctx, iterable, node, iterable_node)
    if items is None or read is None:
        return UNKNOWN_VALUE
    ctx.environment.push()
    result = Simple(read.wanted or ListType(TENSOR))
    for index, item in enumerate(items.elements):
        if target is not None:
            targets.assign_loop_target(ctx, target, item, node, iterable_node, items.static)
        value = expressions.emit(ctx, element) if element is not None else expressions.as_value(ctx, item, node)
        if index == 0 and read.wanted is None and not read.candidates:
            read = Hint(ListType(value.type))
        result = _list_type(ctx, node, read, value.type, hint)
        if result.is_unknown:
            break
        if read.wanted is None and isinstance(result.type, ListType):
            read = Hint(result.type)
    ctx.environment.pop()
    return Simple(read.wanted) if read.wanted is not None and not result.is_unknown else result


def emit_dict_comprehension(ctx: FunctionContext, node: ast.expr, hint: Type | None) -> Simple:
    """A dict comprehension."""
    assert isinstance(node, ast.DictComp)
    if len(node.generators) > 1:
        return UNKNOWN_VALUE
    if is_any(hint):
        result = emit_dict_comprehension(ctx, node, None)
        return result if result.is_unknown else ctx.report("empty-container-hint", node, hint=hint, container="dict")
    generator = node.generators[0]
    read = read_hint(ctx, node, hint, DictType)
    iterable = expressions.emit_sugared(ctx, generator.iter)
    items = iteration.items_of(ctx, iterable, node, generator.iter)
    if items is None:
        return UNKNOWN_VALUE
    ctx.record(node, BOOL, "join")
    if read is None:
        return UNKNOWN_VALUE
    ctx.environment.push()
    first: DictType | None = None
    result = Simple(read.wanted or DictType(STR, TENSOR))
    for item in items.elements:
        targets.assign_loop_target(ctx, generator.target, item, node, generator.iter, items.static)
        found = DictType(expressions.emit(ctx, node.key).type, expressions.emit(ctx, node.value).type)
        result = _dict_comprehension_item(ctx, node, read, first, found)
        first = first or found
        if result.is_unknown:
            break
    ctx.environment.pop()
    return Simple(read.cast) if read.cast is not None and not result.is_unknown else result


def _dict_comprehension_item(
    ctx: FunctionContext, node: ast.expr, read: Hint, first: DictType | None, found: DictType
) -> Simple:
    """The dict's type after one more (key, value); keys must all have the first one's type."""
    if contains_unknown(found.key):
        return Simple(read.wanted) if read.wanted else UNKNOWN_VALUE
    if isinstance(found.key, UnionType) or (first is not None and first.key != found.key):
        expected = first if first is not None else found
        return ctx.report("dict-element-mismatch", node, part="key", expected=expected.key, found=found.key)
    if isinstance(read.wanted, DictType):
        if is_subtype(found.key, read.wanted.key) and is_subtype(found.value, read.wanted.value):
            return Simple(read.wanted)
        return ctx.report("dict-element-mismatch", node, part="dict", expected=read.wanted, found=found)
    if read.candidates:
        return _dict_type(ctx, node, read, found)
    if not is_dict_key(found.key):
        return ctx.report("invalid-dict-key", node, key=found.key)
    return Simple(found)
