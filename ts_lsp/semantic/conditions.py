"""Conditions: their value, what they teach about names, and whether the compiler decides them.

Owns `emit_condition`, which mirrors the compiler's way of reading `and`, `or`, `not`, `is None`, `isinstance` and
`hasattr`; and `refine`, which applies what was learnt to the current frame.
Invariant: only bare names are refined, and both sides of `and`/`or` are always checked.
"""

from __future__ import annotations

import ast

from ts_lsp.records import dataclass, field
from ts_lsp.semantic import attributes, calls, expressions, written_types
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.conversion import inserted
from ts_lsp.semantic.environment import Slot
from ts_lsp.semantic.facts import Refinement
from ts_lsp.semantic.sugared import Builtin, Literal, Simple, SpecialForm
from ts_lsp.types.model import (
    ANY,
    ANY_LIST,
    BOOL,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    STR,
    TENSOR,
    ClassType,
    DictType,
    EnumType,
    InterfaceType,
    OptionalType,
    SimpleType,
    Type,
    UnionType,
    UnknownType,
)
from ts_lsp.types.relations import contains_unknown, is_subtype, refine_isinstance, without_none

Learnt = dict[str, Type]

BOOLEAN_TYPES = (BOOL, INT, FLOAT, NUMBER, TENSOR, STR)


@dataclass(frozen=True, slots=True)
class Condition:
    """What a condition teaches when true and when false, and its value when the compiler knows it.

    `doubtful`: the branches that the compiler may drop, for all that is known here, because a type is unknown.
    """

    true: Learnt = field(default_factory=dict)
    false: Learnt = field(default_factory=dict)
    static: bool | None = None
    doubtful: frozenset[bool] = frozenset()


_BOTH = frozenset({True, False})


def emit_condition(ctx: FunctionContext, node: ast.expr) -> Condition:
    """Check a condition and say what it means for the branches."""
    if isinstance(node, ast.BoolOp):
        return _fold(ctx, node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = emit_condition(ctx, node.operand)
        ctx.record(node, BOOL)
        doubtful = frozenset(not branch for branch in inner.doubtful)
        return Condition(inner.false, inner.true, None if inner.static is None else not inner.static, doubtful)
    if isinstance(node, ast.Compare):
        special = _comparison(ctx, node)
        if special is not None:
            return special
    if isinstance(node, ast.Call):
        special = _call(ctx, node)
        if special is not None:
            return special
    value = expressions.emit(ctx, node)
    to_bool(ctx, value, node)
    doubtful = _BOTH if _may_be_constant(ctx, node, value) else frozenset()
    return Condition(static=_static_value(ctx, node, value), doubtful=doubtful)


def value_of(condition: Condition) -> Simple:
    """A condition as a value: a constant where the compiler decides it."""
    return Simple(BOOL, None if condition.static is None else Literal(condition.static))


def _static_value(ctx: FunctionContext, node: ast.expr, value: Simple) -> bool | None:
    literal = value.literal
    if literal is not None and value.type == BOOL and isinstance(literal.value, bool):
        return literal.value
    return None


def _may_be_constant(ctx: FunctionContext, node: ast.expr, value: Simple) -> bool:
    """Whether a condition may be a constant whose value is not known."""
    if value.is_hidden:
        return True
    is_read = isinstance(node, ast.Attribute) or (isinstance(node, ast.Name) and ctx.environment.find(node.id) is None)
    return value.is_unknown and is_read


def _fold(ctx: FunctionContext, node: ast.BoolOp) -> Condition:
    """`a and b and c` as the compiler folds it: to the left."""
    is_or = isinstance(node.op, ast.Or)
    left = emit_condition(ctx, node.values[0])
    for operand in node.values[1:]:
        left = _short_circuit(ctx, left, node.values[0], operand, is_or)
        ctx.record(node, BOOL)
    return left


def _short_circuit(
    ctx: FunctionContext, left: Condition, left_node: ast.expr, operand: ast.expr, is_or: bool
) -> Condition:
    ctx.environment.push()
    refine(ctx, left.false if is_or else left.true, left_node)
    right = emit_condition(ctx, operand)
    ctx.environment.pop()
    decisive = is_or
    if left.static is decisive or right.static is decisive:
        static: bool | None = decisive
    elif left.static is not None and right.static is not None:
        static = not decisive
    else:
        static = None
    doubtful = left.doubtful | right.doubtful
    if is_or:
        return Condition(_common(left.true, right.true), _joined(left.false, right.false), static, doubtful)
    return Condition(_joined(left.true, right.true), _common(left.false, right.false), static, doubtful)


def _joined(left: Learnt, right: Learnt) -> Learnt:
    """Both hold: a name with two different types is dropped."""
    joined = {name: type_ for name, type_ in left.items() if name not in right or right[name] == type_}
    joined.update({name: type_ for name, type_ in right.items() if name not in left})
    return joined


def _common(left: Learnt, right: Learnt) -> Learnt:
    """One of them holds: only what both teach alike, by the very same type object."""
    return {name: type_ for name, type_ in left.items() if name in right and _same_object(type_, right[name])}


def _same_object(left: Type, right: Type) -> bool:
    shared = (SimpleType, ClassType, EnumType, InterfaceType)
    return left is right or (isinstance(left, shared) and left == right)


def refine(ctx: FunctionContext, learnt: Learnt, condition: ast.expr) -> None:
    """Apply what a condition taught to the current frame."""
    for name, type_ in learnt.items():
        slot = ctx.environment.slot(name)
        before = slot.type if slot is not None else type_
        if slot is None or contains_unknown(before):
            continue
        outer = ctx.environment.find_outside(name) if ctx.environment.is_surely_outside(name) else None
        if isinstance(outer, Simple) and not is_subtype(type_, outer.type):
            ctx.report("reassigned-type", condition, name=name, before=outer.type, found=type_, refined=True)
            continue
        ctx.environment.store(name, Slot(type_, type_, slot.node, refined=True))
        ctx.refinements.append(Refinement(name, before, type_, condition))


def _comparison(ctx: FunctionContext, node: ast.Compare) -> Condition | None:
    """`is`, `is not`, `not in` and chains; None for an ordinary comparison."""
    if len(node.ops) > 1:
        return _chain(ctx, node)
    operator = node.ops[0]
    if isinstance(operator, (ast.Is, ast.IsNot)):
        return _identity(ctx, node, node.left, operator, node.comparators[0])
    if isinstance(operator, ast.NotIn):
        value = expressions.emit_simple_comparison(ctx, node, node.left, ast.In(), node.comparators[0])
        to_bool(ctx, value, node)
        ctx.record(node, BOOL)
        return Condition()
    return None


def _chain(ctx: FunctionContext, node: ast.Compare) -> Condition:
    """`a < b < c` is `(a < b) and (b < c)`, with `b` typed twice."""
    left = node.left
    result: Condition | None = None
    for operator, right in zip(node.ops, node.comparators, strict=True):
        if result is not None:
            ctx.environment.push()
            refine(ctx, result.true, node)
        link = _link(ctx, _link_node(left, operator, right), left, operator, right)
        if result is None:
            result = link
        else:
            ctx.environment.pop()
            static = False if False in (result.static, link.static) else None
            if result.static and link.static:
                static = True
            result = Condition(_joined(result.true, link.true), _common(result.false, link.false), static)
        left = right
    ctx.record(node, BOOL)
    assert result is not None
    return result


def _link_node(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> ast.Compare:
    """One comparison of a chain, where it stands."""
    link = ast.copy_location(ast.Compare(left, [operator], [right]), left)
    link.end_lineno, link.end_col_offset = right.end_lineno, right.end_col_offset
    return link


def _link(ctx: FunctionContext, node: ast.Compare, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Condition:
    if isinstance(operator, (ast.Is, ast.IsNot)):
        return _identity(ctx, node, left, operator, right)
    plain = ast.In() if isinstance(operator, ast.NotIn) else operator
    value = expressions.emit_simple_comparison(ctx, node, left, plain, right)
    to_bool(ctx, value, node)
    return Condition()


def _identity(
    ctx: FunctionContext, node: ast.Compare, left: ast.expr, operator: ast.cmpop, right: ast.expr
) -> Condition:
    left_value = expressions.emit(ctx, left)
    right_value = expressions.emit(ctx, right)
    ctx.record(node, BOOL)
    is_not = isinstance(operator, ast.IsNot)
    left_none, right_none = _none_state(left_value.type), _none_state(right_value.type)
    if "unknown" in (left_none, right_none):
        return Condition(doubtful=_BOTH)
    if left_none == "always" and right_none == "always":
        return Condition(static=not is_not)
    if {left_none, right_none} == {"always", "never"}:
        return Condition(static=is_not)
    learnt: Learnt = {}
    if left_none == "maybe" and right_none == "always" and isinstance(left, ast.Name):
        learnt = _not_none(left.id, left_value.type)
    elif right_none == "maybe" and left_none == "always" and isinstance(right, ast.Name):
        learnt = _not_none(right.id, right_value.type)
    return Condition(learnt, {}) if is_not else Condition({}, learnt)


def _not_none(name: str, type_: Type) -> Learnt:
    return {name: without_none(type_)}


def _none_state(type_: Type) -> str:
    """Whether a value of this type is None: `always`, `maybe`, `never`, or `unknown`."""
    if isinstance(type_, UnknownType):
        return "unknown"
    if type_ == NONE:
        return "always"
    if isinstance(type_, OptionalType) or (isinstance(type_, UnionType) and NONE in type_.members):
        return "maybe"
    return "never"


def _call(ctx: FunctionContext, node: ast.Call) -> Condition | None:
    """`isinstance`, `hasattr` and the calls whose value the compiler knows; None for any other call."""
    if isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "hasattr"):
        form: str | None = node.func.id
    else:
        form = _form_of(ctx, node)
    if form == "isinstance":
        if not calls.check_arity(ctx, node, "isinstance", 2, 2):
            return Condition()
        return emit_isinstance(ctx, node)
    if form == "hasattr" and isinstance(node.func, ast.Name):
        if not calls.check_arity(ctx, node, "hasattr", 2, 2):
            return Condition()
        return emit_hasattr(ctx, node)
    if form in STATIC_OPERATORS:
        expressions.emit(ctx, node)
        return Condition(static=STATIC_OPERATORS[form])
    return None


STATIC_OPERATORS = {"aten::is_scripting": True, "aten::has_torch_function": False}


def _form_of(ctx: FunctionContext, node: ast.Call) -> str | None:
    """The special form or operator a call's callee is."""
    findings = len(ctx.findings)
    callee = expressions.emit_sugared(ctx, node.func)
    if len(ctx.findings) != findings:
        return None
    if isinstance(callee, SpecialForm):
        return callee.name
    return callee.operator if isinstance(callee, Builtin) else None


def emit_hasattr(ctx: FunctionContext, node: ast.Call) -> Condition:
    """`hasattr(x, "name")`: always decided by the compiler."""
    target, name = node.args
    value = expressions.emit_sugared(ctx, target)
    ctx.record(node, BOOL)
    if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
        ctx.report("invalid-special-form", name, form="hasattr", reason="name-not-literal")
        return Condition()
    found = attributes.has_attribute(ctx, value, name.value, target)
    return Condition(static=found, doubtful=_BOTH if found is None else frozenset())


def emit_isinstance(ctx: FunctionContext, node: ast.Call) -> Condition:
    """`isinstance(x, T)`: refines, and may be decided by the compiler."""
    target, classes = node.args
    value = expressions.emit(ctx, target)
    ctx.record(node, BOOL)
    candidates = _candidate_types(ctx, classes)
    if candidates is None or value.is_unknown or any(contains_unknown(each) for each in candidates):
        return Condition(doubtful=_BOTH)
    true, false, static = refine_isinstance(value.type, candidates)
    learnt_true: Learnt = {}
    learnt_false: Learnt = {}
    if isinstance(target, ast.Name):
        if true is not None:
            learnt_true[target.id] = true
        if false is not None:
            learnt_false[target.id] = false
    return Condition(learnt_true, learnt_false, static)


def _candidate_types(ctx: FunctionContext, node: ast.expr) -> list[Type] | None:
    if isinstance(node, ast.Tuple):
        types: list[Type] = []
        failed = False
        for element in node.elts:
            inner = _candidate_types(ctx, element)
            failed = failed or inner is None
            types.extend(inner or ())
        return None if failed else types
    type_ = written_types.read(ctx, node)
    return None if type_ is None else [type_]


def to_bool(ctx: FunctionContext, value: Simple, node: ast.expr) -> None:
    """The implicit `bool(...)` of a condition."""
    type_ = value.type
    if type_ != BOOL:
        ctx.record(node, BOOL, "condition")
        ctx.conversions.extend(inserted(node, type_, BOOL))
    if (
        isinstance(type_, UnknownType)
        or type_ in BOOLEAN_TYPES
        or is_subtype(type_, ANY_LIST)
        or isinstance(type_, DictType)
    ):
        return
    if isinstance(type_, ClassType):
        result = attributes.boolean_of(ctx, value, node)
        if result is not None:
            return
    ctx.report("not-boolean", node, type=type_, is_any=type_ == ANY)
