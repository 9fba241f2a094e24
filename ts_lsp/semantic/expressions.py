"""Expressions: from a tree to a value, in the compiler's order of evaluation.

Owns `emit` (a first-class value), `emit_sugared` (anything) and the literals, operators and comprehensions.
Invariant: an expression that is wrong is reported once and gives the unknown value.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from ts_lsp.semantic import attributes, calls, conditions, containers, lookup, subscripts, targets
from ts_lsp.semantic.context import MAXIMUM_DEPTH, FunctionContext
from ts_lsp.semantic.sugared import (
    UNKNOWN_VALUE,
    InterfaceModule,
    Literal,
    ModuleInstance,
    NamedArgument,
    PythonValue,
    Simple,
    Sugared,
    SugaredTuple,
)
from ts_lsp.types.model import (
    ANY,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    ClassType,
    TupleType,
    Type,
)
from ts_lsp.types.relations import unify

INT64 = 1 << 63

BINARY_OPERATORS: dict[type[ast.operator], tuple[str, str, str]] = {
    ast.Add: ("aten::add", "__add__", "+"),
    ast.Sub: ("aten::sub", "__sub__", "-"),
    ast.Mult: ("aten::mul", "__mul__", "*"),
    ast.Div: ("aten::div", "__truediv__", "/"),
    ast.Mod: ("aten::remainder", "__mod__", "%"),
    ast.Pow: ("aten::pow", "__pow__", "**"),
    ast.FloorDiv: ("aten::floordiv", "", "//"),
    ast.MatMult: ("aten::matmul", "", "@"),
    ast.BitAnd: ("aten::__and__", "__and__", "&"),
    ast.BitOr: ("aten::__or__", "__or__", "|"),
    ast.BitXor: ("aten::__xor__", "__xor__", "^"),
    ast.LShift: ("aten::__lshift__", "__lshift__", "<<"),
    ast.RShift: ("aten::__rshift__", "__rshift__", ">>"),
}

COMPARISONS: dict[type[ast.cmpop], tuple[str, str, str]] = {
    ast.Eq: ("aten::eq", "__eq__", "=="),
    ast.NotEq: ("aten::ne", "__ne__", "!="),
    ast.Lt: ("aten::lt", "__lt__", "<"),
    ast.LtE: ("aten::le", "__le__", "<="),
    ast.Gt: ("aten::gt", "__gt__", ">"),
    ast.GtE: ("aten::ge", "__ge__", ">="),
    ast.In: ("aten::__contains__", "__contains__", "in"),
}


def emit(ctx: FunctionContext, node: ast.expr, hint: Type | None = None) -> Simple:
    """The first-class value of `node`; sugar is an error here. `hint` is the type the surroundings want."""
    ctx.pending = node
    value = as_value(ctx, emit_sugared(ctx, node, hint), node)
    return Simple(ANY) if hint == ANY and not value.is_unknown else value


def emit_sugared(ctx: FunctionContext, node: ast.expr, hint: Type | None = None, target_count: int = 1) -> Sugared:
    """Whatever `node` stands for. `target_count` is how many names its value is unpacked into."""
    if ctx.depth > MAXIMUM_DEPTH:
        return ctx.unknown()
    ctx.depth += 1
    try:
        value = _dispatch(ctx, node, hint, target_count)
    finally:
        ctx.depth -= 1
    if isinstance(value, Simple):
        ctx.record(node, value.type)
    elif isinstance(value, ModuleInstance) and _is_picked(node):
        ctx.record(node, value.definition.type, "module")
    if ctx.program.probe is not None:
        ctx.program.probe.see(ctx, node, hint, value)
    return value


def _is_picked(node: ast.expr) -> bool:
    """Whether an expression picks a module out of others, by a loop or an index: its class is nowhere else to see."""
    return isinstance(node, ast.Subscript) or (isinstance(node, ast.Name) and node.id != "self")


def as_value(ctx: FunctionContext, value: Sugared, node: ast.AST) -> Simple:
    """`value` as a first-class value, or an error at `node`."""
    if isinstance(value, Simple):
        return value
    if isinstance(value, SugaredTuple):
        elements = tuple(as_value(ctx, element, node).type for element in value.elements)
        return Simple(TupleType(elements))
    if isinstance(value, ModuleInstance):
        return Simple(value.definition.type)
    if isinstance(value, InterfaceModule):
        return Simple(value.type)
    if isinstance(value, PythonValue):
        name = ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
        return ctx.report("captured-global", node, name=name, python_type=value.type_name, value=value.value)
    name = ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
    return ctx.report("used-as-value", node, kind=value.kind, name=name)


def _dispatch(ctx: FunctionContext, node: ast.expr, hint: Type | None, target_count: int) -> Sugared:
    if isinstance(node, ast.Name):
        if node.id == "Ellipsis":
            return ctx.report("invalid-ellipsis", node)
        return lookup.resolve_name(ctx, node.id, node)
    if isinstance(node, ast.Attribute):
        return attributes.emit_attribute(ctx, node)
    if isinstance(node, ast.Call):
        return calls.emit_call(ctx, node, hint, target_count)
    if isinstance(node, ast.Subscript):
        return subscripts.emit_subscript(ctx, node, hint)
    if isinstance(node, ast.NamedExpr):
        emit_sugared(ctx, node.value)
        targets.forget_targets(ctx, node.target)
        return UNKNOWN_VALUE
    emitter = _EMITTERS.get(type(node))
    if emitter is None:
        return UNKNOWN_VALUE if _refused_earlier(node) else ctx.unknown()
    return emitter(ctx, node, hint)


def _refused_earlier(node: ast.expr) -> bool:
    """Constructs that the subset check has already reported."""
    return isinstance(node, (ast.Lambda, ast.Yield, ast.YieldFrom, ast.Set, ast.SetComp, ast.Await, ast.FormattedValue))


def _constant(ctx: FunctionContext, node: ast.expr, hint: Type | None) -> Sugared:
    assert isinstance(node, ast.Constant)
    value = node.value
    if value is None:
        return Simple(NONE, Literal(None))
    if isinstance(value, bool):
        return Simple(BOOL, Literal(value))
    if isinstance(value, int):
        if value >= INT64:
            return ctx.report("integer-overflow", node, value=str(value))
        return Simple(INT, Literal(value))
    if isinstance(value, float):
        return Simple(FLOAT, Literal(value))
    if isinstance(value, complex):
        return Simple(COMPLEX, Literal(value))
    if isinstance(value, str):
        return Simple(STR, Literal(value))
    if value is Ellipsis:
        return ctx.report("invalid-ellipsis", node)
    return UNKNOWN_VALUE


def _joined_string(ctx: FunctionContext, node: ast.expr, hint: Type | None) -> Sugared:
    assert isinstance(node, ast.JoinedStr)
    for piece in node.values:
        if isinstance(piece, ast.FormattedValue):
            emit(ctx, piece.value)
    return Simple(STR)


def _binary(ctx: FunctionContext, node: ast.expr, hint: Type | None) -> Sugared:
    assert isinstance(node, ast.BinOp)
    operator, method, symbol = BINARY_OPERATORS[type(node.op)]
    left = emit(ctx, node.left)
    right = emit(ctx, node.right)
    return emit_operator(ctx, node, operator, method, symbol, (left, right), (node.left, node.right))


def emit_operator(
    ctx: FunctionContext,
    node: ast.AST,
    operator: str,
    method: str,
    symbol: str,
    values: tuple[Simple, ...],
    nodes: tuple[ast.expr, ...],
) -> Simple:
    """An operator applied to evaluated operands; the first one's class may define it."""
    first = values[0]
    if isinstance(first.type, ClassType) and method:
        return attributes.call_magic(ctx, node, first, method, values[1:], nodes[1:])
    if symbol == "%" and first.type == STR:
        return Simple(STR)
    if symbol == "+" and len(values) == 2:
        left, right = values[0].type, values[1].type
        left_elements, right_elements = containers.tuple_elements(left), containers.tuple_elements(right)
        if left_elements is not None and right_elements is not None:
            return Simple(TupleType(left_elements + right_elements))
        if (left_elements is not None and values[1].is_unknown) or (right_elements is not None and first.is_unknown):
            return UNKNOWN_VALUE  # two tuples, or a tuple that becomes a list
    arguments = [NamedArgument(value, expr) for value, expr in zip(values, nodes, strict=True)]
    return calls.call_operator(ctx, node, operator, arguments, (), symbol=symbol)


def _comparison(ctx: FunctionContext, node: ast.expr, hint: Type | None) -> Sugared:
    assert isinstance(node, ast.Compare)
    if len(node.ops) > 1 or isinstance(node.ops[0], ast.NotIn):
        conditions.emit_condition(ctx, node)
        return Simple(BOOL)
    if isinstance(node.ops[0], (ast.Is, ast.IsNot)):
        return conditions.value_of(conditions.emit_condition(ctx, node))
    return emit_simple_comparison(ctx, node, node.left, node.ops[0], node.comparators[0])


def emit_simple_comparison(
    ctx: FunctionContext, node: ast.AST, left: ast.expr, op: ast.cmpop, right: ast.expr
) -> Simple:
    """One `left op right` whose operator is an ordinary one (not `is`, not `not in`)."""
    operator, method, symbol = COMPARISONS[type(op)]
    left_value = emit(ctx, left)
    right_value = emit(ctx, right)
    if isinstance(op, ast.In):  # the container comes first for the operator, and yet is looked at last
        return emit_operator(ctx, node, operator, method, symbol, (right_value, left_value), (right, left))
    return emit_operator(ctx, node, operator, method, symbol, (left_value, right_value), (left, right))


def _unary(ctx: FunctionContext, node: ast.expr, hint: Type | None) -> Sugared:
    assert isinstance(node, ast.UnaryOp)
    if isinstance(node.op, ast.Not):
        conditions.emit_condition(ctx, node)
        return Simple(BOOL)
    value = emit(ctx, node.operand)
    if isinstance(node.op, ast.UAdd):
        return UNKNOWN_VALUE
    negative = isinstance(node.op, ast.USub)
    operator, method, symbol = ("aten::neg", "__neg__", "-") if negative else ("aten::bitwise_not", "__invert__", "~")
    result = emit_operator(ctx, node, operator, method, symbol, (value,), (node.operand,))
    folded = value.literal
    if negative and folded is not None and isinstance(folded.value, (int, float, complex)):
        return Simple(result.type, Literal(-folded.value))
    return result


def _boolean(ctx: FunctionContext, node: ast.expr, hint: Type | None) -> Sugared:
    conditions.emit_condition(ctx, node)
    return Simple(BOOL)


def _ternary(ctx: FunctionContext, node: ast.expr, hint: Type | None) -> Sugared:
    assert isinstance(node, ast.IfExp)
    condition = conditions.emit_condition(ctx, node.test)
    if condition.static is not None:
        return emit(ctx, node.body if condition.static else node.orelse, hint)
    ctx.environment.push()
    conditions.refine(ctx, condition.true, node.test)
    true = emit(ctx, node.body, hint)
    ctx.environment.pop()
    ctx.environment.push()
    conditions.refine(ctx, condition.false, node.test)
    false = emit(ctx, node.orelse, hint)
    ctx.environment.pop()
    if true.is_unknown or false.is_unknown:
        return UNKNOWN_VALUE
    unified = unify(true.type, false.type)
    if unified is None:
        related = (ctx.related("true-branch", node.body), ctx.related("false-branch", node.orelse))
        return ctx.report("ternary-type-mismatch", node, related=related, true=true.type, false=false.type)
    return Simple(unified)


def _tuple(ctx: FunctionContext, node: ast.expr, hint: Type | None) -> Sugared:
    assert isinstance(node, ast.Tuple)
    values = calls.emit_values(ctx, node.elts)
    if values is None:
        return UNKNOWN_VALUE
    return Simple(TupleType(tuple(value.type for value in values)), parts=tuple(values))


def _starred(ctx: FunctionContext, node: ast.expr, hint: Type | None) -> Sugared:
    return ctx.report("star-argument", node)


_EMITTERS: dict[type[ast.expr], Callable[[FunctionContext, ast.expr, Type | None], Sugared]] = {
    ast.Constant: _constant,
    ast.JoinedStr: _joined_string,
    ast.BinOp: _binary,
    ast.Compare: _comparison,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.IfExp: _ternary,
    ast.Tuple: _tuple,
    ast.Starred: _starred,
    ast.List: lambda ctx, node, hint: containers.emit_list(ctx, node, hint),
    ast.Dict: lambda ctx, node, hint: containers.emit_dict(ctx, node, hint),
    ast.ListComp: lambda ctx, node, hint: containers.emit_comprehension(ctx, node, hint),
    ast.GeneratorExp: lambda ctx, node, hint: containers.emit_comprehension(ctx, node, hint),
    ast.DictComp: lambda ctx, node, hint: containers.emit_dict_comprehension(ctx, node, hint),
}
