"""Calls with rules of their own: `isinstance`, `range`, `zip`, `annotate`, `fork`, `list`, `dict`, ...

Owns one function per form. Invariant: a form's error stands at the whole call unless the compiler marks one argument.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from ts_lsp.semantic import (
    attributes,
    calls,
    conditions,
    containers,
    expressions,
    iteration,
    subscripts,
    targets,
    written_types,
)
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.conversion import fit, inserted
from ts_lsp.semantic.overloads import Arguments
from ts_lsp.semantic.sugared import (
    UNKNOWN_VALUE,
    IterableTree,
    NamedArgument,
    RangeIterable,
    Simple,
    Sugared,
    UserFunction,
)
from ts_lsp.types.model import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    TENSOR,
    AwaitType,
    DictType,
    FutureType,
    ListType,
    OptionalType,
    RRefType,
    TupleType,
    Type,
    UnionType,
)
from ts_lsp.types.relations import DegenerateUnion, contains_unknown, equal, is_subtype


def emit_special_form(ctx: FunctionContext, node: ast.Call, form: str, hint: Type | None) -> Sugared:
    """Dispatch on the form's name."""
    result = _FORMS[form](ctx, node, hint)
    if isinstance(result, Simple):
        ctx.record(node, result.type)
    return result


def _isinstance(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
    if calls.check_arity(ctx, node, "isinstance", 2, 2):
        return conditions.value_of(conditions.emit_isinstance(ctx, node))
    return Simple(BOOL)


def _hasattr(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
    if calls.check_arity(ctx, node, "hasattr", 2, 2):
        return conditions.value_of(conditions.emit_hasattr(ctx, node))
    return Simple(BOOL)


def _getattr(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
    if not calls.check_arity(ctx, node, "getattr", 2, 3):
        return UNKNOWN_VALUE
    target = expressions.emit_sugared(ctx, node.args[0])
    name = node.args[1]
    if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
        return ctx.report("invalid-special-form", node, form="getattr", reason="name-not-literal")
    if len(node.args) == 2:
        return attributes.attribute_of(ctx, target, name.value, node)
    found = attributes.has_attribute(ctx, target, name.value, node)
    if found is None:
        return UNKNOWN_VALUE
    if found:
        return attributes.attribute_of(ctx, target, name.value, node)
    return expressions.emit_sugared(ctx, node.args[2])


def _annotate(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
    if not calls.check_arity(ctx, node, "annotate", 2, 2):
        return UNKNOWN_VALUE
    wanted = written_types.read(ctx, node.args[0])
    value = expressions.emit(ctx, node.args[1], wanted)
    if wanted is None:
        return UNKNOWN_VALUE
    converted = fit(value, wanted)
    if not is_subtype(converted, wanted):
        place = node.args[0]
        return ctx.report("annotation-mismatch", place, name="", declared=wanted, found=value.type, form="annotate")
    ctx.conversions.extend(inserted(node.args[1], value.type, converted))
    takes_none = isinstance(wanted, OptionalType) or (isinstance(wanted, UnionType) and NONE in wanted.members)
    if takes_none and converted == NONE:
        return Simple(wanted)
    if contains_unknown(converted):
        return Simple(wanted)
    return value if converted == value.type else Simple(converted)


def _range(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
    values = calls.emit_values(ctx, node.args)
    if values is None:
        return RangeIterable()
    for index, value in enumerate(values):
        if value.type != INT and not value.is_unknown:
            return _refuse(ctx, node, "range", reason="argument-type", found=value.type, index=index)
    if not 1 <= len(values) <= 3:
        return _refuse(ctx, node, "range", reason="arity", wanted=1, found=len(values))
    return RangeIterable()


def _refuse(ctx: FunctionContext, node: ast.Call, form: str, **data: object) -> Simple:
    return ctx.report("invalid-special-form", node, form=form, details=data)


def _enumerate(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
    if not node.args:
        return _refuse(ctx, node, "enumerate", reason="arity", wanted=1, found=0)
    start: Simple | None = None
    if len(node.args) == 2:
        start = expressions.as_value(ctx, expressions.emit_sugared(ctx, node.args[1]), node)
    if len(node.args) + len(node.keywords) > 2:
        return _refuse(ctx, node, "enumerate", reason="arity", wanted=1, found=len(node.args) + len(node.keywords))
    if node.keywords:
        keyword = node.keywords[0]
        if keyword.arg != "start":
            return _refuse(ctx, node, "enumerate", reason="unknown-keyword", keyword=keyword.arg or "**")
        start = expressions.as_value(ctx, expressions.emit_sugared(ctx, keyword.value), node)
    value = expressions.emit_sugared(ctx, node.args[0])
    iterable = iteration.as_iterable(ctx, value, node, node.args[0])
    if start is not None and start.type != INT and not start.is_unknown:
        return _refuse(ctx, node, "enumerate", reason="argument-type", found=start.type, index=0)
    if iterable is None:
        return UNKNOWN_VALUE
    length = iteration.static_length(iterable)
    return IterableTree((RangeIterable(length), iterable), length, "enumerate")


def _zip(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
    if not node.args:
        return _refuse(ctx, node, "zip", reason="arity", wanted=1, found=0)
    children: list[Sugared] = []
    for argument in node.args:
        iterable = iteration.as_iterable(ctx, expressions.emit_sugared(ctx, argument), node, argument)
        if iterable is None:
            return UNKNOWN_VALUE
        children.append(iterable)
    return iteration.join_lengths(ctx, tuple(children), node, "zip") or UNKNOWN_VALUE


def _tuple(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
    if not calls.check_arity(ctx, node, "tuple", 1, 1):
        return UNKNOWN_VALUE
    value = expressions.emit_sugared(ctx, node.args[0])
    if isinstance(value, Simple) and isinstance(value.type, ListType):
        return _refuse(ctx, node, "tuple", reason="list-size", found=value.type)
    elements = targets.as_tuple(ctx, value, node, None)
    if elements is None:
        return UNKNOWN_VALUE
    return Simple(TupleType(tuple(expressions.as_value(ctx, each, node).type for each in elements)))


def _list(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
    if not node.args:
        wanted = hint if hint is not None else ListType(TENSOR)
        if not isinstance(wanted, ListType):
            return ctx.report("empty-container-hint", node, hint=wanted, container="list")
        return Simple(wanted)
    if not calls.check_arity(ctx, node, "list", 1, 1):
        return UNKNOWN_VALUE
    value = expressions.emit_sugared(ctx, node.args[0])
    if isinstance(value, Simple) and (isinstance(value.type, ListType) or value.type == STR):
        return calls.match_operator(
            ctx, node, "aten::list", Arguments((NamedArgument(value, node.args[0]),)), call=node
        )
    return containers.emit_comprehension_over(ctx, node, value, node.args[0], None, None, hint)


def _dict(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
    """`dict(...)` of a mapping, of pairs, of keywords."""
    ctx.record(node, BOOL, "join")
    read = containers.read_dict_hint(ctx, node, hint)
    if read is None:
        return UNKNOWN_VALUE
    argument = node.args[0] if node.args else None
    value: Sugared | None = None
    if argument is not None and not (isinstance(argument, ast.List) and not argument.elts):
        takes_hint = isinstance(argument, (ast.Dict, ast.DictComp))
        value = expressions.emit_sugared(ctx, argument, (read.wanted or hint) if takes_hint else None)
    if isinstance(value, Simple) and (isinstance(value.type, DictType) or value.is_unknown):
        result = value
        _add_keywords(ctx, node, result)
    else:
        result = _dict_of_pairs(ctx, node, value, read, hint)
    return Simple(read.cast) if read.cast is not None and not result.is_unknown else result


def _dict_of_pairs(
    ctx: FunctionContext, node: ast.Call, value: Sugared | None, read: containers.Hint, hint: Type | None
) -> Simple:
    """The dict of what `value` gives, or of the pairs of a list display and the keywords taken together."""
    if node.keywords and (value is None or isinstance(node.args[0], ast.List)):
        value = _with_keywords(ctx, node, value)
    elif value is not None and not calls.check_arity(ctx, node, "dict", 1, 1):
        return UNKNOWN_VALUE
    if hint is not None and not contains_unknown(hint) and read.wanted is None:
        return ctx.report("empty-container-hint", node, hint=hint, container="dict")
    if value is None:
        return Simple(read.wanted or DictType(STR, TENSOR))
    items = iteration.items_of(ctx, value, node, node.args[0] if node.args else node)
    if items is None:
        return UNKNOWN_VALUE
    found: DictType | None = None
    for item in items.elements:
        pair = targets.as_tuple(ctx, item, node, 2)
        if pair is None:
            return UNKNOWN_VALUE
        if len(pair) != 2:
            return ctx.report("unpack-count", node, wanted=2, found=len(pair), starred=False)
        key, entry = (expressions.as_value(ctx, each, node).type for each in pair)
        found = found or DictType(key, entry)
    return _checked_dict(ctx, node, found, read)


def _with_keywords(ctx: FunctionContext, node: ast.Call, value: Sugared | None) -> Simple:
    """The list of the pairs in a list display (if any) and of each keyword with its value."""
    types: list[Type] = []
    if isinstance(value, Simple):
        if not isinstance(value.type, ListType):
            return UNKNOWN_VALUE
        types.append(value.type.element)
    types += [TupleType((STR, expressions.emit(ctx, keyword.value).type)) for keyword in node.keywords]
    if any(contains_unknown(each) for each in types):
        return UNKNOWN_VALUE
    try:
        return Simple(ListType(containers.list_of(ctx, types)))
    except DegenerateUnion:
        return ctx.report("degenerate-union", node)


def _checked_dict(ctx: FunctionContext, node: ast.Call, found: DictType | None, read: containers.Hint) -> Simple:
    wanted = read.wanted
    if found is None:
        return Simple(wanted or DictType(STR, TENSOR))
    if isinstance(wanted, DictType):
        if is_subtype(found.key, wanted.key) and is_subtype(found.value, wanted.value):
            return Simple(wanted)
        return ctx.report("dict-element-mismatch", node, part="dict", expected=wanted, found=found)
    if isinstance(found.key, UnionType):
        return ctx.report("dict-element-mismatch", node, part="key", expected=found.key.members[0], found=found.key)
    if not containers.is_dict_key(found.key) and not contains_unknown(found.key):
        return ctx.report("invalid-dict-key", node, key=found.key)
    return Simple(found)


def _add_keywords(ctx: FunctionContext, node: ast.Call, result: Simple) -> None:
    for keyword in node.keywords:
        value = expressions.emit(ctx, keyword.value)
        if not isinstance(result.type, DictType) or value.is_unknown:
            continue
        if not equal(result.type.key, STR) or not is_subtype(value.type, result.type.value):
            found = DictType(STR, value.type)
            ctx.report("dict-element-mismatch", node, part="dict", expected=result.type, found=found)
            return


def _fork(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
    result = _call_first(ctx, node, "fork")
    return Simple(FutureType(result.type))


def _awaitable(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
    result = _call_first(ctx, node, "awaitable")
    return Simple(AwaitType(result.type))


def _call_first(ctx: FunctionContext, node: ast.Call, form: str) -> Simple:
    """Call the first argument with the others; errors stand at the whole call."""
    if not node.args:
        return _refuse(ctx, node, form, reason="arity", wanted=1, found=0)
    callee = expressions.emit_sugared(ctx, node.args[0])
    arguments = calls.emit_arguments(ctx, node, skip=1)
    inner = ast.copy_location(ast.Call(node.args[0], node.args[1:], node.keywords), node)
    inner.func = node.args[0]
    result = calls.call_value(ctx, callee, _at(inner, node), arguments)
    return expressions.as_value(ctx, result, node)


def _at(inner: ast.Call, node: ast.Call) -> ast.Call:
    """The forked call, marked where the compiler marks it: at the whole fork."""
    inner.func = node
    return inner


def _tolist(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
    if hint is None:
        return _refuse(ctx, node, "tolist", reason="no-hint")
    base: Type = hint
    while isinstance(base, ListType):
        base = base.element
    if base not in (INT, FLOAT, BOOL, COMPLEX) and not contains_unknown(base):
        return _refuse(ctx, node, "tolist", reason="hint", found=hint)
    return Simple(hint)


def _remote(result: Callable[[Type], Type], form: str) -> Callable[[FunctionContext, ast.Call, Type | None], Sugared]:
    def emit(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
        if not calls.check_arity(ctx, node, form, 2, 5):
            return UNKNOWN_VALUE
        expressions.emit(ctx, node.args[0])
        callee = expressions.emit_sugared(ctx, node.args[1])
        if not isinstance(callee, UserFunction):
            if isinstance(callee, Simple) and callee.is_unknown:
                return UNKNOWN_VALUE
            return _refuse(ctx, node, form, reason="not-function", kind=callee.kind)
        positional: list[NamedArgument] = []
        if len(node.args) > 2:
            found = targets.as_tuple(ctx, expressions.emit_sugared(ctx, node.args[2]), node.args[2], None)
            positional = [NamedArgument(expressions.as_value(ctx, each, node), node.args[2]) for each in found or ()]
        called = calls.call_function(ctx, callee, _at(ast.Call(node, [], []), node), Arguments(tuple(positional)))
        for rest in node.args[3:]:
            expressions.emit(ctx, rest)
        return Simple(result(called.type))

    return emit


def _legacy_tensor(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
    values = calls.emit_values(ctx, node.args)
    for keyword in node.keywords:
        expressions.emit(ctx, keyword.value)
        if keyword.arg != "device" or len(node.keywords) > 1:
            return _refuse(ctx, node, "legacy tensor constructor", reason="unknown-keyword", keyword=keyword.arg or "")
    if values is None or all(value.type == INT or value.is_unknown for value in values):
        return Simple(TENSOR)
    if len(values) > 1:
        return _refuse(ctx, node, "legacy tensor constructor", reason="argument-type", found=values[0].type, index=0)
    arguments = Arguments((NamedArgument(values[0], node.args[0]),))
    return calls.match_operator(ctx, node, "aten::tensor", arguments, call=node)


def _getitem(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
    """`x.__getitem__(i)` of a tensor."""
    if not isinstance(node.func, ast.Attribute) or len(node.args) != 1:
        return _refuse(ctx, node, "__getitem__", reason="arity", wanted=1, found=len(node.args))
    index = expressions.emit(ctx, node.args[0])
    return subscripts.getitem_with(ctx, node, index)


def _unchecked_cast(ctx: FunctionContext, node: ast.Call, hint: Type | None) -> Sugared:
    if not calls.check_arity(ctx, node, "unchecked_cast", 2, 2):
        return UNKNOWN_VALUE
    wanted = written_types.read(ctx, node.args[0])
    expressions.emit(ctx, node.args[1])
    return Simple(wanted) if wanted is not None else UNKNOWN_VALUE


_FORMS: dict[str, Callable[[FunctionContext, ast.Call, Type | None], Sugared]] = {
    "isinstance": _isinstance,
    "hasattr": _hasattr,
    "getattr": _getattr,
    "annotate": _annotate,
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "tuple": _tuple,
    "list": _list,
    "dict": _dict,
    "fork": _fork,
    "awaitable": _awaitable,
    "tolist": _tolist,
    "rpc_sync": _remote(lambda type_: type_, "rpc_sync"),
    "rpc_async": _remote(FutureType, "rpc_async"),
    "remote": _remote(RRefType, "remote"),
    "legacy_tensor": _legacy_tensor,
    "getitem": _getitem,
    "unchecked_cast": _unchecked_cast,
}

FORM_NAMES = frozenset(_FORMS)
"""The names a `SpecialForm` may carry."""
