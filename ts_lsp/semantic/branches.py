"""`if` statements and where branches and loops join again.

Owns the choice of a branch the compiler decides, the join of two branches' names, and what is known after a loop.
Invariant: a name set in one branch only, or to types that do not unify, is missing afterwards: an error only where it
is used, unless it was visible before.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ts_lsp.semantic import conditions, statements
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.environment import Frame, MissingName, Slot
from ts_lsp.semantic.facts import DroppedBranch
from ts_lsp.semantic.sugared import UNKNOWN_VALUE, Simple, Sugared
from ts_lsp.syntax.walking import walk_statements
from ts_lsp.types.model import BOOL, INT, NUMBER, OptionalType, Type, UnionType
from ts_lsp.types.relations import DegenerateUnion, contains_unknown, unify


def emit_if(ctx: FunctionContext, statement: ast.If) -> None:
    """An `if` with its `elif`s and `else`."""
    condition = conditions.emit_condition(ctx, statement.test)
    if condition.static is not None:
        taken = statement.body if condition.static else statement.orelse
        dropped = statement.orelse if condition.static else statement.body
        conditions.refine(ctx, condition.true if condition.static else condition.false, statement.test)
        if dropped:
            ctx.dropped.append(DroppedBranch(tuple(dropped), statement.test))
        statements.emit_block(ctx, taken)
        return
    if condition.doubtful:
        _emit_undecided(ctx, statement, condition)
        return
    true = _branch(ctx, statement, condition.true, statement.body)
    false = _branch(ctx, statement, condition.false, statement.orelse)
    join(ctx, statement, true, false)
    _record_jump(ctx, statement, true, false)


def _emit_undecided(ctx: FunctionContext, statement: ast.If, condition: conditions.Condition) -> None:
    """An `if` that the compiler may decide, in a way that is not known: nothing that either branch does is certain."""
    ctx.unknown("a condition that the compiler may decide")
    frames = []
    for is_true, learnt, body in (
        (True, condition.true, statement.body),
        (False, condition.false, statement.orelse),
    ):
        forget = ctx.checkpoint()
        frames.append(_branch(ctx, statement, learnt, body, is_uncertain=True))
        if is_true in condition.doubtful:
            forget()
    true, false = frames
    outer = ctx.environment.frame
    outer.returns = true.returns and false.returns
    if any(frame.returns or frame.may_return for frame in frames):
        outer.may_return = ctx.uncertain_flow = True
        ctx.merged_return = UNKNOWN_VALUE.type if ctx.declared_return is None else ctx.declared_return
    _forget_bound(ctx, frames, frames)


def _forget_bound(ctx: FunctionContext, frames: Sequence[Frame], ends: Sequence[Frame]) -> None:
    """Names bound in frames that may not be there: of the type they have at all ends, or not known."""
    outer = ctx.environment.frame
    bound = {name for frame in frames for name, slot in frame.slots.items() if not slot.refined}
    for name in bound.union(*(frame.sugar for frame in frames)):
        found = [_visible(frame, name) for frame in ends if not frame.returns]
        types = {each.type if isinstance(each, Simple) else UNKNOWN_VALUE.type for each in found}
        type_ = types.pop() if len(types) == 1 else UNKNOWN_VALUE.type
        node = _node_of(name, *frames)
        outer.sugar.pop(name, None)
        ctx.environment.store(name, Slot(type_, type_, node))


def _record_jump(ctx: FunctionContext, statement: ast.If, *frames: Frame) -> None:
    """Where a branch may leave, the compiler's if also gives whether it did, and the returned value."""
    if any(frame.returns for frame in frames) and ctx.merged_return is not None:
        ctx.record(statement, ctx.merged_return, "join")
    if any(isinstance(node, (ast.Break, ast.Continue, ast.Return)) for node in walk_statements(statement)):
        ctx.record(statement, BOOL, "join")
        if ctx.merged_return is not None:
            ctx.record(statement, ctx.merged_return, "join")


def _branch(
    ctx: FunctionContext,
    statement: ast.If,
    learnt: conditions.Learnt,
    body: list[ast.stmt],
    is_uncertain: bool = False,
) -> Frame:
    ctx.environment.push(is_uncertain)
    conditions.refine(ctx, learnt, statement.test)
    statements.emit_block(ctx, body)
    return ctx.environment.pop()


def join(ctx: FunctionContext, statement: ast.stmt, true: Frame, false: Frame) -> None:
    """Bring the names of two branches into the frame around them; errors stand at the whole statement."""
    frame = ctx.environment.frame
    if true.returns and false.returns:
        frame.returns = True
        return
    mutated: set[str] = set()
    for own, other, side in ((true, false, "false"), (false, true, "true")):
        for name in own.slots:
            if other.returns or _visible(other, name) is not None:
                mutated.add(name)
            else:
                ctx.environment.missing[name] = MissingName("possibly-undefined", statement, {"branch": side})
    for name in sorted(mutated):
        _join_name(ctx, statement, name, true, false)


def _visible(frame: Frame, name: str) -> Sugared | None:
    for each in frame.chain():
        found = each.own(name)
        if found is not None:
            return found
    return None


def _join_name(ctx: FunctionContext, statement: ast.stmt, name: str, true: Frame, false: Frame) -> None:
    true_type = _branch_type(ctx, statement, name, true)
    false_type = _branch_type(ctx, statement, name, false)
    if true_type is None and false_type is None:
        return
    if true_type is None or false_type is None:
        unified: Type | None = true_type if true_type is not None else false_type
    else:
        unified = _unify(ctx, name, true_type, false_type)
    node = _node_of(name, true, false) or statement
    if unified is None:
        data: dict[str, object] = {"true": true_type, "false": false_type}
        if ctx.environment.find(name) is not None:
            ctx.report("branch-type-mismatch", statement, name=name, details=data)
            unknown = UNKNOWN_VALUE.type
            ctx.environment.store(name, Slot(unknown, unknown, node))
        else:
            ctx.environment.missing[name] = MissingName("branch-type-mismatch", statement, data)
        return
    stored = _stored(name, true, false) or unified
    ctx.environment.store(name, Slot(unified, stored, node))
    ctx.record(statement, unified, "join")
    if stored != unified:
        ctx.record(statement, stored, "join")


def _stored(name: str, true: Frame, false: Frame) -> Type | None:
    """The type of the value itself, which may be narrower than what the name is declared as."""
    found = [slot.stored for frame in (true, false) if not frame.returns and (slot := _slot(frame, name)) is not None]
    if len(found) != 2:
        return found[0] if found else None
    try:
        return unify(found[0], found[1], union=True)
    except DegenerateUnion:
        return None


def _slot(frame: Frame, name: str) -> Slot | None:
    return next((each.slots[name] for each in frame.chain() if name in each.slots), None)


def _branch_type(ctx: FunctionContext, statement: ast.stmt, name: str, frame: Frame) -> Type | None:
    """A name's type at the end of a branch; None where the branch leaves."""
    if frame.returns:
        return None
    found = _visible(frame, name)
    if found is None:
        return None
    if isinstance(found, Simple):
        return found.type
    ctx.report("used-as-value", statement, kind=found.kind, name=name)
    return UNKNOWN_VALUE.type


def _node_of(name: str, *frames: Frame) -> ast.AST | None:
    for frame in frames:
        slot = frame.slots.get(name)
        if slot is not None and slot.node is not None:
            return slot.node
    return None


def _unify(ctx: FunctionContext, name: str, true: Type, false: Type) -> Type | None:
    outer = ctx.environment.find(name)
    full = outer.type if isinstance(outer, Simple) else None
    as_union = isinstance(full, (UnionType, OptionalType)) or full == NUMBER
    try:
        return unify(true, false, union=as_union)
    except DegenerateUnion:
        return None


def end_loop(ctx: FunctionContext, statement: ast.For | ast.While) -> None:
    """Leave a loop's frame. A name whose stored values before and at the end of the body do not unify fails late."""
    body = ctx.environment.pop()
    if body.is_uncertain:
        _forget_bound(ctx, [body], [body, ctx.environment.frame])
        return
    ctx.record(statement, BOOL, "join")
    ctx.record(statement, INT, "join")
    for name, slot in body.slots.items():
        outer = ctx.environment.slot(name)
        if outer is None or contains_unknown(outer.stored) or contains_unknown(slot.stored):
            continue
        ctx.record(statement, slot.type, "join")
        carried = unify(outer.stored, slot.stored)
        if carried is None:
            ctx.late.append((statement, name, outer.stored, slot.stored))
        elif name in ctx.environment.frame.slots:
            ctx.environment.store(name, Slot(outer.type, carried, outer.node))
