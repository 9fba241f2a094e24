"""Assignment: every way a value gets a name or a place.

Owns plain, annotated, tuple, starred, attribute, subscript and augmented assignment, and loop targets.
Invariant: the order of evaluation is the compiler's (right side first, then targets left to right), and a name of an
outer frame only takes a value of its type.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ts_lsp.semantic import attributes, calls, expressions, subscripts, written_types
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.conversion import fit, inserted
from ts_lsp.semantic.environment import Slot
from ts_lsp.semantic.facts import Related
from ts_lsp.semantic.overloads import Arguments, Match, match_one
from ts_lsp.semantic.sugared import (
    UNKNOWN_VALUE,
    NamedArgument,
    PythonValue,
    Simple,
    Sugared,
    SugaredTuple,
)
from ts_lsp.types.model import (
    TENSOR,
    UNKNOWN,
    ClassType,
    DictType,
    ListType,
    NamedTupleType,
    TupleType,
    Type,
    UnknownType,
)
from ts_lsp.types.relations import is_subtype


def store(
    ctx: FunctionContext, name: str, value: Sugared, node: ast.AST, declared: Type | None = None, clear: bool = True
) -> None:
    """Bind `name`; a name of an outer frame keeps its type. Errors stand at `node`, the target."""
    outer = ctx.environment.find_outside(name)
    if outer is not None and ctx.environment.is_surely_outside(name):
        if declared is not None:
            ctx.report("annotation-in-inner-block", node, name=name, declared=declared)
            return
        if not isinstance(value, Simple) or not isinstance(outer, Simple):
            kind = value.kind if not isinstance(value, Simple) else outer.kind
            ctx.report("rebound-non-value", node, name=name, kind=kind)
            return
        value = _fit_outer(ctx, name, value, outer.type, node)
    if not isinstance(value, Simple):
        ctx.environment.store_sugar(name, value)
        return
    if declared is not None and not is_subtype(value.type, declared):
        ctx.report("annotation-mismatch", node, name=name, declared=declared, found=value.type)
        ctx.environment.store(name, Slot(declared, declared, node))
        return
    type_ = declared if declared is not None else value.type
    ctx.environment.store(name, Slot(type_, value.type, node))
    ctx.bind(name, node, type_, declared is not None)
    ctx.record(node, type_, "target")


def _fit_outer(ctx: FunctionContext, name: str, value: Simple, outer: Type, node: ast.AST) -> Simple:
    converted = fit(value, outer)
    if is_subtype(converted, outer):
        ctx.conversions.extend(inserted(node, value.type, converted))
        return Simple(converted)
    slot = ctx.environment.slot(name)
    related: tuple[Related, ...] = ()
    if slot is not None and slot.node is not None:
        related = (ctx.related("first-assignment", slot.node, type=outer),)
    ctx.report("reassigned-type", node, related=related, name=name, before=outer, found=value.type)
    return Simple(outer)


def assign(ctx: FunctionContext, statement: ast.Assign) -> None:
    """`a = b = value`."""
    if len(statement.targets) == 1:
        _assign_single(ctx, statement, statement.targets[0], statement.value, None)
        return
    value = expressions.emit_sugared(ctx, statement.value)
    for target in statement.targets:
        assign_value(ctx, target, value, statement, statement.value)


def assign_annotated(ctx: FunctionContext, statement: ast.AnnAssign) -> None:
    """`a: T = value`."""
    if statement.value is None:
        return
    _assign_single(ctx, statement, statement.target, statement.value, statement.annotation)


def _assign_single(
    ctx: FunctionContext, statement: ast.stmt, target: ast.expr, value: ast.expr, annotation: ast.expr | None
) -> None:
    if isinstance(target, ast.Name):
        declared = written_types.read(ctx, annotation) if annotation is not None else None
        failed = annotation is not None and declared is None
        found = expressions.emit_sugared(ctx, value, declared)
        store(ctx, target.id, UNKNOWN_VALUE if failed else found, target, declared)
    elif isinstance(target, ast.Tuple):
        _assign_tuple_expression(ctx, target, value)
    elif isinstance(target, ast.Attribute):
        hint = written_types.read(ctx, annotation) if annotation is not None else None
        owner = expressions.emit_sugared(ctx, target.value)
        found = expressions.as_value(ctx, expressions.emit_sugared(ctx, value, hint), value)
        attributes.set_attribute(ctx, owner, target, found, statement)
    elif isinstance(target, ast.Subscript):
        found = expressions.emit(ctx, value)
        subscripts.assign_subscript(ctx, target, found, value, statement)
    else:
        if isinstance(target, ast.Starred):
            ctx.report("starred-target", target, reason="alone")
        else:
            ctx.report("list-target", target)
        expressions.emit_sugared(ctx, value)
        forget_targets(ctx, target)


def _refuse_target(ctx: FunctionContext, target: ast.expr) -> None:
    forget_targets(ctx, target)
    if isinstance(target, ast.Starred):
        ctx.report("starred-target", target, reason="alone")
    else:
        ctx.report("list-target", target)


def starred_count(ctx: FunctionContext, target: ast.Tuple, place: ast.AST) -> bool | None:
    """Whether a tuple target has a star; None after reporting that its targets are not ones."""
    normal = stars = 0
    for element in target.elts:
        if isinstance(element, (ast.Name, ast.Subscript, ast.Tuple, ast.Attribute)):
            normal += 1
        elif isinstance(element, ast.Starred):
            stars += 1
        else:
            ctx.report("list-target", element)
            return None
    if stars > 1 or (stars and not normal):
        ctx.report("starred-target", place, reason="several" if stars > 1 else "alone")
        return None
    return bool(stars)


def _assign_tuple_expression(ctx: FunctionContext, target: ast.Tuple, value: ast.expr) -> None:
    starred = starred_count(ctx, target, target)
    if starred is None:
        expressions.emit_sugared(ctx, value)
        forget_targets(ctx, target)
        return
    wanted = len(target.elts) - (1 if starred else 0)
    found = expressions.emit_sugared(ctx, value, target_count=wanted)
    _unpack_into(ctx, target, found, value, wanted, starred)


def forget_targets(ctx: FunctionContext, target: ast.expr) -> None:
    """Bind every name of a target to the unknown value, so that one mistake stays one."""
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            ctx.environment.store(node.id, Slot(UNKNOWN, UNKNOWN, node))


def as_tuple(ctx: FunctionContext, value: Sugared, place: ast.AST, size: int | None) -> Sequence[Sugared] | None:
    """The elements of `value` when it is unpacked; `size` is how many a list must give."""
    if isinstance(value, SugaredTuple):
        return value.elements
    if isinstance(value, Simple):
        type_ = value.type
        if isinstance(type_, UnknownType):
            return None
        if isinstance(type_, (TupleType, NamedTupleType)):
            return [Simple(element) for element in type_.elements]
        if isinstance(type_, ListType) and size is not None:
            return [Simple(type_.element)] * size
        reason = "list-size" if isinstance(type_, ListType) else "not-tuple"
        ctx.report("unpack-non-tuple", place, type=type_, reason=reason)
        return None
    if isinstance(value, PythonValue):
        ctx.report("captured-global", place, name=ast.unparse(place), python_type=value.type_name, value=value.value)
        return None
    ctx.report("unpack-non-tuple", place, kind=value.kind, reason="not-value")
    return None


def _unpack_into(
    ctx: FunctionContext, target: ast.Tuple, value: Sugared, place: ast.AST, wanted: int, starred: bool
) -> None:
    elements = as_tuple(ctx, value, place, None if starred else wanted)
    if elements is None:
        forget_targets(ctx, target)
        return
    if len(elements) < wanted or (len(elements) > wanted and not starred):
        ctx.report("unpack-count", target, wanted=wanted, found=len(elements), starred=starred)
        forget_targets(ctx, target)
        return
    index = 0
    for each in target.elts:
        if isinstance(each, ast.Starred):
            matched = len(elements) - wanted
            _store_star(ctx, each, elements[index : index + matched])
            index += matched
        else:
            assign_value(ctx, each, elements[index], place, place)
            index += 1


def _store_star(ctx: FunctionContext, target: ast.Starred, elements: Sequence[Sugared]) -> None:
    if not isinstance(target.value, ast.Name):
        ctx.report("starred-target", target.value, reason="not-name")
        return
    types = tuple(expressions.as_value(ctx, each, target).type for each in elements)
    store(ctx, target.value.id, Simple(TupleType(types)), target.value)


def assign_value(
    ctx: FunctionContext, target: ast.expr, value: Sugared, statement: ast.AST, value_node: ast.AST
) -> None:
    """Give an evaluated value to a target. Errors of attribute and item targets stand at `statement`."""
    if isinstance(target, ast.Name):
        store(ctx, target.id, value, target)
    elif isinstance(target, ast.Tuple):
        starred = starred_count(ctx, target, target)
        if starred is None:
            forget_targets(ctx, target)
            return
        _unpack_into(ctx, target, value, value_node, len(target.elts) - (1 if starred else 0), starred)
    elif isinstance(target, ast.Attribute):
        owner = expressions.emit_sugared(ctx, target.value)
        found = _simple(ctx, value, value_node)
        attributes.set_attribute(ctx, owner, target, found, statement)
    elif isinstance(target, ast.Subscript):
        found = _simple(ctx, value, value_node)
        node = value_node if isinstance(value_node, ast.expr) else target
        subscripts.assign_subscript(ctx, target, found, node, statement)
    else:
        _refuse_target(ctx, target)


def _simple(ctx: FunctionContext, value: Sugared, node: ast.AST) -> Simple:
    return value if isinstance(value, Simple) else expressions.as_value(ctx, value, node)


def assign_loop_target(
    ctx: FunctionContext, target: ast.expr, item: Sugared, place: ast.AST, iterable: ast.expr, static: bool = False
) -> None:
    """Bind a loop's target to one element; errors stand at the whole loop (at the target when it is unrolled)."""
    if isinstance(target, ast.Starred):
        ctx.report("starred-target", place, reason="alone")
        return
    if not static and isinstance(item, SugaredTuple):
        item = Simple(TupleType(tuple(_simple(ctx, each, place).type for each in item.elements)))
    where = target if static else place
    assign_value(ctx, target, item, where, where)


def assign_augmented(ctx: FunctionContext, statement: ast.AugAssign) -> None:
    """`target op= value`."""
    target = statement.target
    if isinstance(statement.op, (ast.FloorDiv, ast.MatMult)):
        return
    if isinstance(target, ast.Name):
        current = expressions.emit(ctx, target)
        result = _augment(ctx, statement, current)
        store(ctx, target.id, result, target)
    elif isinstance(target, ast.Attribute):
        owner = expressions.emit_sugared(ctx, target.value)
        current = expressions.as_value(ctx, attributes.attribute_of(ctx, owner, target.attr, target), target)
        result = _augment(ctx, statement, current)
        if not current.is_unknown:
            attributes.set_attribute(ctx, owner, target, result, statement)
    else:
        _augment_subscript(ctx, statement, target)


IN_PLACE = {
    ast.Add: "aten::add_",
    ast.Sub: "aten::sub_",
    ast.Div: "aten::div_",
    ast.Mult: "aten::mul_",
    ast.Mod: "aten::fmod_",
    ast.BitOr: "aten::bitwise_or",
    ast.BitAnd: "aten::bitwise_and",
    ast.BitXor: "aten::bitwise_xor",
    ast.LShift: "aten::__ilshift__",
    ast.RShift: "aten::__irshift__",
    ast.Pow: "aten::pow",
}

PLAIN = {
    ast.Add: "aten::add",
    ast.Sub: "aten::sub",
    ast.Div: "aten::div",
    ast.Mult: "aten::mul",
    ast.Mod: "aten::fmod",
    ast.BitOr: "aten::__or__",
    ast.BitAnd: "aten::__and__",
    ast.BitXor: "aten::__xor__",
    ast.LShift: "aten::__lshift__",
    ast.RShift: "aten::__rshift__",
    ast.Pow: "aten::pow",
}

AUGMENTED_METHODS = {
    ast.Add: ("__iadd__", "__add__"),
    ast.Sub: ("__isub__", "__sub__"),
    ast.Div: ("__itruediv__", "__truediv__"),
    ast.Mult: ("__imul__", "__mul__"),
    ast.Mod: ("__imod__", "__mod__"),
}


def _operator_for(statement: ast.AugAssign, type_: Type) -> str:
    in_place = type_ == TENSOR or isinstance(type_, ListType)
    return (IN_PLACE if in_place else PLAIN)[type(statement.op)]


def _augment(ctx: FunctionContext, statement: ast.AugAssign, current: Simple) -> Simple:
    if isinstance(current.type, ClassType):
        return _augment_instance(ctx, statement, current, current.type)
    value = expressions.emit(ctx, statement.value)
    if current.is_unknown or value.is_unknown:
        return UNKNOWN_VALUE
    target = statement.target
    arguments = [NamedArgument(current, target), NamedArgument(value, statement.value)]
    return calls.call_operator(ctx, statement, _operator_for(statement, current.type), arguments, ())


def _augment_instance(ctx: FunctionContext, statement: ast.AugAssign, current: Simple, type_: ClassType) -> Simple:
    methods = AUGMENTED_METHODS.get(type(statement.op))
    if methods is None:
        return ctx.report("unsupported-operand", statement, types=(type_,), symbol="augmented")
    value = expressions.emit(ctx, statement.value)
    for method in methods:
        if attributes.has_method(ctx, type_, method):
            return attributes.call_magic(ctx, statement, current, method, (value,), (statement.value,))
    return ctx.report("unsupported-operand", statement, types=(type_, value.type), symbol="augmented")


def _augment_subscript(ctx: FunctionContext, statement: ast.AugAssign, target: ast.expr) -> None:
    if not isinstance(target, ast.Subscript):
        return
    base = expressions.emit(ctx, target.value)
    if base.is_unknown:
        expressions.emit(ctx, statement.value)
        return
    if base.type == TENSOR:
        item = subscripts.index_tensor(ctx, target, base)
        value = expressions.emit(ctx, statement.value)
        arguments = [NamedArgument(item, target), NamedArgument(value, statement.value)]
        calls.call_operator(ctx, statement, _operator_for(statement, TENSOR), arguments, ())
        return
    indices = subscripts.indices_of(target)
    if len(indices) != 1:
        place = subscripts.place_of(ctx, indices)
        ctx.report("slice-assignment", target, place=place, type=base.type, augmented=True)
        return
    if not isinstance(base.type, (ListType, DictType)):
        ctx.report("subscript-assignment", target, type=base.type, augmented=True)
        return
    if isinstance(indices[0], ast.Slice):
        ctx.report("slice-assignment", target, type=base.type, augmented=True)
        return
    _augment_item(ctx, statement, target, base, indices[0])


def _augment_item(
    ctx: FunctionContext, statement: ast.AugAssign, target: ast.Subscript, base: Simple, index_node: ast.expr
) -> None:
    index = expressions.emit(ctx, index_node)
    value = expressions.emit(ctx, statement.value)
    container = NamedArgument(base, target.value)
    index_argument = NamedArgument(index, index_node)
    item = calls.call_operator(ctx, statement, "aten::__getitem__", [container, index_argument], ())
    if item.is_unknown or value.is_unknown:
        return
    chooser = base.type.element if isinstance(base.type, ListType) else getattr(base.type, "key", TENSOR)
    arguments = [NamedArgument(item, target), NamedArgument(value, statement.value)]
    result = calls.call_operator(ctx, statement, _operator_for(statement, chooser), arguments, ())
    if not result.is_unknown:
        stored = [container, index_argument, NamedArgument(result, statement.value)]
        subscripts.match_store(ctx, statement, "aten::_set_item", stored, base.type, value=result.type)


def delete(ctx: FunctionContext, statement: ast.Delete) -> None:
    """`del name`, `del container[index]`."""
    for target in statement.targets:
        if isinstance(target, ast.Subscript):
            _delete_item(ctx, target)
        elif isinstance(target, ast.Name):
            if not ctx.environment.forget(target.id):
                ctx.report("undefined-name", target, name=target.id, deleted=True)
        else:
            ctx.report("invalid-delete", target, reason="target")


def _delete_item(ctx: FunctionContext, target: ast.Subscript) -> None:
    """`del container[index]`; of several indices the compiler takes the first one."""
    index_node = target.slice
    if isinstance(index_node, ast.Tuple) and index_node.elts:
        index_node = index_node.elts[0]
    if isinstance(index_node, ast.Slice):
        ctx.report("invalid-delete", target, reason="slice", type=expressions.emit(ctx, target.value).type)
        return
    base = expressions.emit(ctx, target.value)
    index = expressions.emit(ctx, index_node)
    if base.is_unknown or index.is_unknown:
        return
    if isinstance(base.type, ClassType):
        if not attributes.has_method(ctx, base.type, "__delitem__"):
            ctx.report("invalid-delete", target, reason="no-delitem", type=base.type)
            return
        attributes.call_magic(ctx, target, base, "__delitem__", (index,), (index_node,))
        return
    arguments = Arguments((NamedArgument(base, target.value), NamedArgument(index, index_node)))
    schemas = ctx.program.torch.schemas("aten::Delete") if isinstance(base.type, (ListType, DictType)) else ()
    if not any(isinstance(match_one(schema, arguments, False), Match) for schema in schemas):
        ctx.unfit_deletes.append((target, base.type, index.type))
