"""Statements, in the compiler's order.

Owns the dispatch over statements, `return`, `raise`, `assert`, `with`, and loops.
Invariant: what follows a return or raise in its block is not looked at, as in the compiler.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ts_lsp.semantic import branches, conditions, expressions, iteration, targets, written_types
from ts_lsp.semantic.class_definitions import ClassDefinition, ContextDefinition
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.conversion import fit, inserted
from ts_lsp.semantic.environment import Slot
from ts_lsp.semantic.facts import DroppedBranch
from ts_lsp.semantic.sugared import UNKNOWN_VALUE, ExceptionClass, ExceptionValue, Literal, Simple
from ts_lsp.types.model import ANY, NONE, ClassType
from ts_lsp.types.relations import contains_unknown, is_subtype, unify


def emit_block(ctx: FunctionContext, statements: Sequence[ast.stmt]) -> None:
    """Statements one after another, up to the first that leaves the block."""
    for statement in statements:
        if ctx.is_over or (ctx.environment.frame.returns and statement is not statements[0]):
            return
        if ctx.program.probe is not None and ctx.program.probe.is_done:
            return
        if ctx.environment.frame.may_return:
            _emit_doubtful(ctx, statement)
        else:
            emit_statement(ctx, statement)


def _emit_doubtful(ctx: FunctionContext, statement: ast.stmt) -> None:
    """A statement that the compiler may never come to: what it would say there is not certain."""
    forget = ctx.checkpoint()
    emit_statement(ctx, statement)
    forget()


def emit_statement(ctx: FunctionContext, statement: ast.stmt) -> None:
    """One statement. Those the subset check refused are passed over, their names becoming unknown."""
    ctx.pending = statement
    if isinstance(statement, ast.Expr):
        _expression_statement(ctx, statement)
    elif isinstance(statement, ast.Assign):
        targets.assign(ctx, statement)
    elif isinstance(statement, ast.AnnAssign):
        targets.assign_annotated(ctx, statement)
    elif isinstance(statement, ast.AugAssign):
        targets.assign_augmented(ctx, statement)
    elif isinstance(statement, ast.Return):
        emit_return(ctx, statement, statement.value)
    elif isinstance(statement, ast.If):
        branches.emit_if(ctx, statement)
    elif isinstance(statement, ast.For):
        _for(ctx, statement)
    elif isinstance(statement, ast.While):
        _while(ctx, statement)
    else:
        _other(ctx, statement)


def _other(ctx: FunctionContext, statement: ast.stmt) -> None:
    if isinstance(statement, ast.Raise):
        _raise(ctx, statement)
    elif isinstance(statement, ast.Assert):
        _assert(ctx, statement)
    elif isinstance(statement, ast.With):
        _with(ctx, statement)
    elif isinstance(statement, ast.Delete):
        targets.delete(ctx, statement)
    elif isinstance(statement, (ast.Break, ast.Continue)):
        if ctx.loop == "unrolled":
            word = "break" if isinstance(statement, ast.Break) else "continue"
            ctx.report("loop-jump-in-unrolled-loop", statement, word=word)
    elif not isinstance(statement, ast.Pass):
        _refused(ctx, statement)


def _refused(ctx: FunctionContext, statement: ast.stmt) -> None:
    """A statement outside the subset: what it would bind is unknown from here on."""
    ctx.uncertain_flow = True
    if isinstance(statement, ast.Try):
        emit_block(ctx, statement.body)
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            _bind_unknown(ctx, node.id, node)
        elif isinstance(node, ast.alias):
            _bind_unknown(ctx, (node.asname or node.name).split(".")[0], statement)
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        _bind_unknown(ctx, statement.name, statement)
    elif isinstance(statement, (ast.Global, ast.Nonlocal)):
        for name in statement.names:
            _bind_unknown(ctx, name, statement)


def _bind_unknown(ctx: FunctionContext, name: str, node: ast.AST) -> None:
    unknown = UNKNOWN_VALUE.type
    ctx.environment.store(name, Slot(unknown, unknown, node))


def _expression_statement(ctx: FunctionContext, statement: ast.Expr) -> None:
    expressions.emit_sugared(ctx, statement.value, target_count=0)


def emit_return(ctx: FunctionContext, node: ast.AST, value: ast.expr | None) -> None:
    """`return value`; `node` is the def for the implicit one at the end."""
    declared = ctx.declared_return
    result = expressions.emit(ctx, value, declared) if value is not None else Simple(NONE, Literal(None))
    if declared is None:
        _infer_return(ctx, node, result)
    else:
        converted = fit(result, declared)
        if declared != ANY and not is_subtype(converted, declared):
            ctx.report("return-type-mismatch", node, declared=declared, found=result.type, value=value)
        elif value is not None:
            ctx.conversions.extend(inserted(value, result.type, converted))
        ctx.merged_return = declared
    ctx.environment.frame.returns = True


def _infer_return(ctx: FunctionContext, node: ast.AST, result: Simple) -> None:
    if ctx.merged_return is None:
        ctx.merged_return = result.type
        ctx.return_node = node
        return
    unified = unify(ctx.merged_return, result.type)
    if unified is None:
        related = () if ctx.return_node is None else (ctx.related("first-return", ctx.return_node),)
        ctx.report("inconsistent-returns", node, related=related, before=ctx.merged_return, found=result.type)
        return
    ctx.merged_return = unified


def _raise(ctx: FunctionContext, statement: ast.Raise) -> None:
    if statement.exc is None:
        ctx.environment.frame.returns = True
        return
    value = expressions.emit_sugared(ctx, statement.exc)
    known = isinstance(value, (ExceptionClass, ExceptionValue))
    if not known and not (isinstance(value, Simple) and value.is_unknown):
        found = value.type if isinstance(value, Simple) else None
        ctx.report("raise-non-exception", statement, found=found, kind=value.kind)
    ctx.environment.frame.returns = True


def _assert(ctx: FunctionContext, statement: ast.Assert) -> None:
    """`assert test, message`: an if whose else raises."""
    condition = conditions.emit_condition(ctx, statement.test)
    message = statement.msg
    if condition.static is not None:
        if condition.static:
            conditions.refine(ctx, condition.true, statement.test)
            if message is not None:
                ctx.dropped.append(DroppedBranch((), statement.test))
        else:
            conditions.refine(ctx, condition.false, statement.test)
            if message is not None:
                expressions.emit(ctx, message)
            ctx.environment.frame.returns = True
        return
    ctx.environment.push()
    conditions.refine(ctx, condition.true, statement.test)
    passing = ctx.environment.pop()
    ctx.environment.push()
    conditions.refine(ctx, condition.false, statement.test)
    if message is not None:
        expressions.emit(ctx, message)
    failing = ctx.environment.pop()
    failing.returns = True
    branches.join(ctx, statement, passing, failing)


def _with(ctx: FunctionContext, statement: ast.With) -> None:
    if _is_ignored_block(statement):
        _ignored_block(ctx, statement)
        return
    for item in statement.items:
        value = expressions.emit(ctx, item.context_expr)
        entered = _enter(ctx, item.context_expr, value)
        if isinstance(item.optional_vars, ast.Name):
            targets.store(ctx, item.optional_vars.id, entered, item.optional_vars)
        elif item.optional_vars is not None:
            targets.forget_targets(ctx, item.optional_vars)
    emit_block(ctx, statement.body)


def _is_ignored_block(statement: ast.With) -> bool:
    first = statement.items[0].context_expr
    return isinstance(first, ast.Call) and ast.unparse(first.func) == "torch.jit._IgnoreContextManager"


def _ignored_block(ctx: FunctionContext, statement: ast.With) -> None:
    """`with torch.jit._IgnoreContextManager(a="inp:T", b="out:U")`: the body stays Python, its outputs get types."""
    call = statement.items[0].context_expr
    assert isinstance(call, ast.Call)
    for keyword in call.keywords:
        text = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
        direction, _, written = text.partition(":") if isinstance(text, str) else ("", "", "")
        if direction != "out" or keyword.arg is None:
            continue
        try:
            annotation = ast.parse(written.strip(), mode="eval").body
        except SyntaxError:
            continue
        type_ = written_types.read_elsewhere(ctx, annotation)
        targets.store(ctx, keyword.arg, Simple(type_) if type_ is not None else UNKNOWN_VALUE, keyword)


def _enter(ctx: FunctionContext, node: ast.expr, value: Simple) -> Simple:
    """What `__enter__` gives; errors stand at the item's expression."""
    if value.is_unknown:
        return value
    if not isinstance(value.type, ClassType):
        return ctx.report("with-non-context", node, type=value.type, reason="not-object")
    definition = value.type.definition
    if isinstance(definition, ContextDefinition):
        return Simple(definition.enter)
    if not isinstance(definition, ClassDefinition):
        return ctx.unknown()
    schemas = [ctx.program.method_schema(definition, name) for name in ("__enter__", "__exit__")]
    if "__enter__" not in definition.methods or "__exit__" not in definition.methods:
        return ctx.report("with-non-context", node, type=value.type, reason="methods")
    enter, leave = schemas
    if enter is None or leave is None:
        return ctx.unknown()
    if len(enter.arguments) != 1:
        return ctx.report("with-non-context", node, type=value.type, reason="enter-arguments")
    if len(leave.arguments) != 4:
        return ctx.report("with-non-context", node, type=value.type, reason="exit-arguments")
    if any(each.type != ANY and not contains_unknown(each.type) for each in leave.arguments[1:]):
        return ctx.report("with-non-context", node, type=value.type, reason="exit-types")
    return Simple(enter.returns[0].type)


def _for(ctx: FunctionContext, statement: ast.For) -> None:
    iterable = expressions.emit_sugared(ctx, statement.iter)
    items = iteration.items_of(ctx, iterable, statement, statement.iter)
    if items is None:
        items = iteration.Items((UNKNOWN_VALUE,), static=False)
    if statement.orelse:
        _forget_block(ctx, statement.orelse)
    outer_loop = ctx.loop
    if items.static:
        ctx.loop = "unrolled"
        for item in items.elements:
            targets.assign_loop_target(ctx, statement.target, item, statement, statement.iter, static=True)
            emit_block(ctx, statement.body)
    else:
        ctx.loop = "dynamic"
        item = items.elements[0]
        ctx.environment.push(is_uncertain=item is UNKNOWN_VALUE)
        if isinstance(item, Simple):
            ctx.record(statement, item.type, "join")
        targets.assign_loop_target(ctx, statement.target, item, statement, statement.iter)
        emit_block(ctx, statement.body)
        branches.end_loop(ctx, statement)
    ctx.loop = outer_loop


def _forget_block(ctx: FunctionContext, block: Sequence[ast.stmt]) -> None:
    """A loop's `else`, refused before: what it binds is unknown afterwards."""
    ctx.uncertain_flow = True
    for statement in block:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                _bind_unknown(ctx, node.id, node)


def _while(ctx: FunctionContext, statement: ast.While) -> None:
    if statement.orelse:
        _forget_block(ctx, statement.orelse)
    ctx.environment.push()
    value = expressions.emit(ctx, statement.test)
    conditions.to_bool(ctx, value, statement.test)
    ctx.environment.pop()
    outer_loop, ctx.loop = ctx.loop, "dynamic"
    ctx.environment.push()
    emit_block(ctx, statement.body)
    branches.end_loop(ctx, statement)
    ctx.loop = outer_loop
