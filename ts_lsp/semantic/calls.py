"""Calls: arguments in order, then what the callee makes of them.

Owns argument evaluation, operator and function matching, and how a failed match is reported.
Invariant: the callee is evaluated first, then positional, then keyword arguments, then the match; a call's error is at
the callee's line.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ts_lsp.semantic import (
    attributes,
    custom_classes,
    expressions,
    lookup,
    module_values,
    named_tuples,
    opaque_objects,
    special_forms,
    targets,
    written_types,
)
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.environment import Slot
from ts_lsp.semantic.facts import Related
from ts_lsp.semantic.overloads import Arguments, Match, Mismatch, match, match_known
from ts_lsp.semantic.sugared import (
    UNKNOWN_VALUE,
    Builtin,
    Cast,
    ClassConstructor,
    ContextClass,
    CustomConstructor,
    CustomMethod,
    DispatchFunction,
    ExceptionClass,
    ExceptionValue,
    InterfaceMethod,
    Literal,
    Magic,
    Method,
    ModuleClass,
    ModuleMethod,
    ModuleSchemaMethod,
    NamedArgument,
    NamedTupleConstructor,
    NoResult,
    OpaqueCallable,
    OverloadedFunction,
    Print,
    PythonValue,
    SchemaFunction,
    Simple,
    SliceClass,
    SliceObject,
    SpecialForm,
    Sugared,
    TensorCast,
    UninstantiableClass,
    UserFunction,
)
from ts_lsp.text import Range
from ts_lsp.types.model import (
    ANY_LIST,
    BOOL,
    NONE,
    STR,
    TENSOR,
    UNKNOWN,
    ClassType,
    DictType,
    ListType,
    NamedTupleType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
)
from ts_lsp.types.relations import contains_unknown, is_subtype
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import ClassValue, ConstantValue, DictValue, SequenceValue


def emit_values(ctx: FunctionContext, nodes: Sequence[ast.expr]) -> list[Simple] | None:
    """The values of a display's elements, stars unpacked; None when a star's length is not known."""
    values: list[Simple] = []
    complete = True
    for node in nodes:
        if isinstance(node, ast.Starred):
            elements = star_elements(ctx, node)
            if elements is None:
                complete = False
                continue
            values.extend(expressions.as_value(ctx, each, node) for each in elements)
        else:
            values.append(expressions.emit(ctx, node))
    return values if complete else None


def star_elements(ctx: FunctionContext, node: ast.Starred) -> Sequence[Sugared] | None:
    """What `*value` stands for; only a tuple can be spread."""
    value = expressions.emit_sugared(ctx, node.value)
    if isinstance(value, Simple) and contains_unknown(value.type) and not isinstance(value.type, TupleType):
        return None
    if isinstance(value, Simple) and not isinstance(value.type, (TupleType, NamedTupleType)):
        ctx.report("star-argument", node, type=value.type)
        return None
    return targets.as_tuple(ctx, value, node, None)


def emit_arguments(ctx: FunctionContext, node: ast.Call, skip: int = 0) -> Arguments:
    """The call's arguments, evaluated in order; the first `skip` positional ones are left out."""
    positional: list[NamedArgument] = []
    complete = True
    for each in node.args[skip:]:
        if isinstance(each, ast.Starred):
            elements = star_elements(ctx, each)
            if elements is None:
                complete = False
                continue
            positional.extend(NamedArgument(expressions.as_value(ctx, item, each), each) for item in elements)
        else:
            positional.append(NamedArgument(expressions.emit(ctx, each), each))
    keywords = []
    for keyword in node.keywords:
        if keyword.arg is None:
            complete = False
        else:
            keywords.append(NamedArgument(expressions.emit(ctx, keyword.value), keyword.value, keyword.arg))
    return Arguments(tuple(positional), tuple(keywords), None, complete)


def emit_call(ctx: FunctionContext, node: ast.Call, hint: Type | None, target_count: int) -> Sugared:
    """A call expression."""
    callee = expressions.emit_sugared(ctx, node.func)
    if isinstance(callee, SpecialForm):
        return special_forms.emit_special_form(ctx, node, callee.name, hint)
    arguments = emit_arguments(ctx, node)
    result = call_value(ctx, callee, node, arguments, target_count)
    if isinstance(result, Simple):
        ctx.record(node.func, result.type, "callee")
    return result


def call_value(
    ctx: FunctionContext, callee: Sugared, node: ast.Call, arguments: Arguments, target_count: int = 1
) -> Sugared:
    """Call an evaluated callee with evaluated arguments."""
    if isinstance(callee, module_values.MODULE_CALLABLES):
        return module_values.call(ctx, callee, node, arguments)
    if isinstance(callee, Simple):
        return _call_simple(ctx, callee, node, arguments)
    if isinstance(callee, Builtin):
        bound = Arguments(arguments.positional, arguments.keywords, callee.receiver, arguments.complete)
        return match_operator(ctx, node.func, callee.operator, bound, call=node)
    if isinstance(callee, UserFunction):
        return call_function(ctx, callee, node, arguments)
    if isinstance(callee, (SchemaFunction, OverloadedFunction)):
        return call_schemas(ctx, node, lookup.schemas_of(ctx, callee, node.func), arguments)
    if isinstance(callee, Method):
        return attributes.call_method(ctx, node.func, callee, arguments, node)
    if isinstance(callee, CustomMethod):
        return custom_classes.call_method(ctx, node.func, callee, arguments, node)
    return _call_other(ctx, callee, node, arguments, target_count)


def _call_simple(ctx: FunctionContext, callee: Simple, node: ast.Call, arguments: Arguments) -> Simple:
    if callee.is_unknown:
        return UNKNOWN_VALUE
    if isinstance(callee.type, ClassType):
        method = attributes.attribute_of(ctx, callee, "__call__", node.func)
        if isinstance(method, Method):
            return attributes.call_method(ctx, node.func, method, arguments, node)
        if isinstance(method, CustomMethod):
            return custom_classes.call_method(ctx, node.func, method, arguments, node)
        if isinstance(method, (ModuleMethod, ModuleSchemaMethod)):
            result = module_values.call(ctx, method, node, arguments)
            return result if isinstance(result, Simple) else UNKNOWN_VALUE
        return UNKNOWN_VALUE
    return ctx.report("not-callable", node.func, type=callee.type, name=ast.unparse(node.func))


def _call_other(
    ctx: FunctionContext, callee: Sugared, node: ast.Call, arguments: Arguments, target_count: int
) -> Sugared:
    if isinstance(callee, Print):
        if node.keywords:
            return ctx.report("print-keyword", node.func, keyword=node.keywords[0].arg or "**")
        return NoResult()
    if isinstance(callee, (Cast, Magic)):
        return call_magic_builtin(ctx, callee, node.func, arguments, node)
    if isinstance(callee, TensorCast):
        if arguments.positional or arguments.keywords:
            return ctx.report("too-many-arguments", node.func, callee=callee.name, wanted=0)
        return Simple(TENSOR)
    if isinstance(callee, ClassConstructor):
        return attributes.construct(ctx, node, callee.definition, arguments)
    if isinstance(callee, CustomConstructor):
        return custom_classes.construct(ctx, node, callee.definition, arguments)
    if isinstance(callee, NamedTupleConstructor):
        return call_schemas(ctx, node, (named_tuples.constructor(callee.type),), arguments, result=callee.type)
    if isinstance(callee, InterfaceMethod):
        return call_schemas(ctx, node, (attributes.interface_schema(callee),), arguments, bound=True)
    if isinstance(callee, ContextClass):
        return _construct_context(ctx, callee, node, arguments)
    if isinstance(callee, ExceptionClass):
        return ExceptionValue(callee.name)
    if isinstance(callee, OpaqueCallable):
        return _call_opaque(ctx, callee, node, arguments, target_count)
    if isinstance(callee, DispatchFunction):
        return _call_dispatch(ctx, callee, node, arguments)
    if isinstance(callee, SliceClass):
        return _make_slice(ctx, node, arguments)
    if isinstance(callee, ModuleClass):
        return ctx.report("uninstantiable-class", node.func, name=callee.value.name)
    if isinstance(callee, UninstantiableClass):
        return ctx.report("uninstantiable-class", node.func, name=callee.name)
    if isinstance(callee, PythonValue) and isinstance(callee.value, ClassValue):
        return ctx.report("uninstantiable-class", node.func, name=callee.value.name)
    if isinstance(callee, PythonValue) and opaque_objects.is_uncallable(callee.value):
        return ctx.report("not-callable", node.func, kind=callee.kind, name=ast.unparse(node.func))
    if isinstance(callee, PythonValue) and not isinstance(callee.value, (ConstantValue, SequenceValue, DictValue)):
        return ctx.unknown(f"call of {ast.unparse(node.func)}")
    return ctx.report("not-callable", node.func, kind=callee.kind, name=ast.unparse(node.func))


def call_operator(
    ctx: FunctionContext,
    node: ast.AST,
    operator: str,
    arguments: Sequence[NamedArgument],
    keywords: Sequence[NamedArgument],
    symbol: str = "",
) -> Simple:
    """An operator applied by syntax; errors stand at `node`, the whole expression."""
    return match_operator(ctx, node, operator, Arguments(tuple(arguments), tuple(keywords)), symbol=symbol)


def match_operator(
    ctx: FunctionContext,
    place: ast.AST,
    operator: str,
    arguments: Arguments,
    symbol: str = "",
    call: ast.Call | None = None,
) -> Simple:
    """Match an operator symbol's candidates; errors stand at `place`."""
    schemas = ctx.program.torch.schemas(operator)
    if not schemas:
        similar = ctx.program.torch.similar_operators(operator)
        return ctx.report("unknown-builtin", place, operator=operator, similar=similar)
    outcome = match_known(ctx.program.matched, operator, schemas, arguments)
    if isinstance(outcome, Match):
        ctx.conversions.extend(outcome.conversions(arguments))
        record_result(ctx, place, outcome)
        return Simple(outcome.result)
    return report_mismatch(ctx, place, operator, arguments, outcome, symbol, call)


def record_result(ctx: FunctionContext, place: ast.AST, outcome: Match) -> None:
    """The operator's results where the compiler records them: one by one when there are several."""
    results = outcome.result.elements if isinstance(outcome.result, TupleType) else ()
    if len(outcome.schema.returns) > 1:
        for each in results:
            ctx.record(place, each, "result")
    else:
        ctx.record(place, outcome.result, "result")


def report_mismatch(
    ctx: FunctionContext,
    place: ast.AST,
    name: str,
    arguments: Arguments,
    failures: Sequence[Mismatch],
    symbol: str = "",
    call: ast.Call | None = None,
    related: tuple[Related, ...] = (),
) -> Simple:
    """Say why no candidate fits; a silent unknown when an argument is not known (its cause was reported before)."""
    if arguments.has_unknown:
        return ctx.unknown("call with unknown arguments")
    types = tuple(each.value.type for each in arguments.positional)
    if symbol or call is None:
        optional = [each for each in types if isinstance(each, OptionalType)]
        unions = [each for each in types if isinstance(each, UnionType)]
        code = "optional-operand" if optional else "unsupported-operand"
        operands: dict[str, object] = {"symbol": symbol, "operator": name, "types": types}
        operands["nodes"] = tuple(each.node for each in arguments.positional)
        operands["unions"], operands["failures"] = tuple(unions), tuple(failures)
        return ctx.report(code, place, related=related, details=operands)
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
        _forget_empty_list(ctx, call.func.value.id, arguments.receiver)
    if len(failures) == 1:
        return _report_single(ctx, place, name, arguments, failures[0], call, related)
    data: dict[str, object] = {"callee": name, "types": types, "failures": tuple(failures)}
    data["receiver"] = arguments.receiver
    keywords = tuple((each.name, each.value.type) for each in arguments.keywords)
    return ctx.report("no-matching-overload", place, related=related, keywords=keywords, details=data)


def _forget_empty_list(ctx: FunctionContext, name: str, receiver: Simple | None) -> None:
    """A list that starts as `[]` and does not take an element: its type was only a guess, so it is unknown now."""
    slot = ctx.environment.slot(name)
    if slot is not None and receiver is not None and receiver.type == ListType(TENSOR):
        ctx.environment.replace(name, Slot(UNKNOWN, UNKNOWN, slot.node))


SINGLE_CODES = {
    "type": "argument-type",
    "type-variable": "argument-type",
    "missing": "missing-argument",
    "undefined-tensor": "missing-argument",
    "too-many": "too-many-arguments",
    "unknown-keyword": "unknown-keyword",
    "repeated": "repeated-argument",
    "receiver": "no-matching-overload",
}


def _report_single(
    ctx: FunctionContext,
    place: ast.AST,
    name: str,
    arguments: Arguments,
    failure: Mismatch,
    call: ast.Call,
    related: tuple[Related, ...],
) -> Simple:
    where = ctx.place(place)
    culprit = _culprit(arguments, failure, call)
    if culprit is not None:
        narrowed = ctx.place(culprit)
        if narrowed.line == where.line:
            where = narrowed
    return ctx.report(
        SINGLE_CODES[failure.reason],
        culprit if culprit is not None else place,
        place=Range(where.line, where.column, where.end_line, where.end_column),
        related=related,
        callee=name,
        argument=failure.argument,
        expected=failure.expected,
        found=failure.found,
        wanted=len(failure.schema.arguments),
        given=failure.count,
        failure=failure,
        call=call,
    )


def _culprit(arguments: Arguments, failure: Mismatch, call: ast.Call) -> ast.expr | None:
    if 0 <= failure.index < len(arguments.positional):
        return arguments.positional[failure.index].node
    for keyword in call.keywords:
        if keyword.arg == failure.argument:
            return keyword.value
    return None


def call_schemas(
    ctx: FunctionContext,
    node: ast.Call,
    schemas: Sequence[Schema] | None,
    arguments: Arguments,
    *,
    result: Type | None = None,
    bound: bool = False,
    place: ast.AST | None = None,
    related: tuple[Related, ...] = (),
) -> Simple:
    """Match compiled functions' schemas; `bound` drops the first parameter (a method's self)."""
    if schemas is None:
        return UNKNOWN_VALUE
    if bound:
        schemas = [_unbound(schema) for schema in schemas]
    if arguments.has_unknown and result is None and len(schemas) == 1:
        result = schemas[0].returns[0].type if schemas[0].returns else NONE
    outcome = match(schemas, arguments)
    if isinstance(outcome, Match):
        ctx.conversions.extend(outcome.conversions(arguments))
        return Simple(result if result is not None else outcome.result)
    where = place if place is not None else node.func
    return report_mismatch(ctx, where, schemas[0].name, arguments, outcome, call=node, related=related)


def _unbound(schema: Schema) -> Schema:
    return Schema(schema.name, schema.overload, schema.arguments[1:], schema.returns)


def call_without_text(place: ast.AST) -> ast.Call:
    """A call that the program does not write as one: an operator or an assignment that means a method."""
    call = ast.Call(ast.Name("", ast.Load()), [], [])
    return ast.copy_location(call, place)


def call_function(ctx: FunctionContext, callee: UserFunction, node: ast.Call, arguments: Arguments) -> Simple:
    """A Python function that compiled when its name was evaluated."""
    compiled = ctx.program.compiled(callee.value)
    if compiled is not None and compiled.running:
        return ctx.report("recursive-function", node.func, name=callee.value.name, mutual=False)
    if compiled is None or compiled.schema is None:
        return ctx.unknown()
    related: tuple[Related, ...] = ()
    if compiled.facts is not None:
        related = (ctx.program.definition_place(compiled),)
    return call_schemas(ctx, node, (compiled.schema,), arguments, related=related)


def call_magic_builtin(
    ctx: FunctionContext, callee: Cast | Magic, place: ast.AST, arguments: Arguments, node: ast.Call
) -> Simple:
    """`len(x)`, `int(x)`: a method of the argument's class, a no-op, or the operator."""
    first = arguments.positional[0] if arguments.positional else None
    method = f"__{callee.name}__" if isinstance(callee, Cast) else callee.method
    if first is not None and isinstance(first.value.type, ClassType):
        rest = arguments.positional[1:]
        values, nodes = tuple(each.value for each in rest), tuple(each.node for each in rest)
        return attributes.call_magic(ctx, place, first.value, method, values, nodes)
    if isinstance(callee, Cast) and first is not None and len(arguments.positional) == 1 and not arguments.keywords:
        type_ = first.value.type
        if contains_unknown(type_):
            return Simple(callee.type)
        if callee.type == BOOL and (type_ == STR or isinstance(type_, DictType) or is_subtype(type_, ANY_LIST)):
            return Simple(BOOL)
        if is_subtype(type_, callee.type):
            return first.value
    return match_operator(ctx, place, callee.operator, arguments, call=node)


def _construct_context(ctx: FunctionContext, callee: ContextClass, node: ast.Call, arguments: Arguments) -> Simple:
    definition = ctx.program.context_class(callee.path)
    if definition.init is None:
        return ctx.report("class-without-init", node.func, type=definition.type)
    call_schemas(ctx, node, (definition.init,), arguments, result=definition.type, bound=True)
    return Simple(definition.type)


def _call_opaque(
    ctx: FunctionContext, callee: OpaqueCallable, node: ast.Call, arguments: Arguments, target_count: int
) -> Simple:
    schema = written_types.opaque_schema(ctx, callee, len(arguments.positional), target_count, node)
    if schema is None:
        return UNKNOWN_VALUE
    return call_schemas(ctx, node, (schema,), arguments)


def _call_dispatch(ctx: FunctionContext, callee: DispatchFunction, node: ast.Call, arguments: Arguments) -> Simple:
    chosen = callee.default
    flag: NamedArgument | None = None
    for keyword in arguments.keywords:
        if keyword.name == callee.argument:
            flag = keyword
    if callee.index < len(arguments.positional):
        flag = arguments.positional[callee.index]
    if flag is not None:
        literal = flag.value.literal
        if literal is None or not isinstance(literal.value, bool):
            if flag.value.is_unknown or (ctx.findings and not arguments.complete):
                return ctx.unknown()
            return ctx.report("boolean-dispatch-argument", node.func, argument=callee.argument, callee=callee.path)
        chosen = literal.value
    path = callee.if_true if chosen else callee.if_false
    return _call_path(ctx, path, node, arguments)


def _call_path(ctx: FunctionContext, path: str, node: ast.Call, arguments: Arguments) -> Simple:
    target = lookup.torch_sugared(ctx, path, node.func, as_constant=True)
    result = call_value(ctx, target, node, arguments)
    return result if isinstance(result, Simple) else UNKNOWN_VALUE


def _make_slice(ctx: FunctionContext, node: ast.Call, arguments: Arguments) -> Sugared:
    values = [each.value for each in arguments.positional]
    if not 1 <= len(values) <= 3 or arguments.keywords:
        return ctx.report("invalid-special-form", node.func, form="slice", reason="arity", found=len(values))
    none = Simple(NONE, Literal(None))
    start, stop, step = (none, values[0], none) if len(values) == 1 else (*values, none, none)[:3]
    return SliceObject(start, stop, None if step.type == NONE else step)


def check_arity(ctx: FunctionContext, node: ast.Call, form: str, least: int, most: int) -> bool:
    """Whether a special form has the right number of arguments and no keywords; reports at the whole call if not."""
    if not least <= len(node.args) <= most:
        ctx.report("invalid-special-form", node, form=form, reason="arity", wanted=least, found=len(node.args))
        return False
    if node.keywords:
        ctx.report("invalid-special-form", node, form=form, reason="keywords")
        return False
    return True
