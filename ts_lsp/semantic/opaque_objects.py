"""Signatures of Python objects that compiled code can only call back into: partial objects, instances with `__call__`.

Owns the schema the compiler gives such a call. Invariant: type comments are not read; without any annotation every
argument is a Tensor; and names and types are counted in different ways, where a difference brings the compiler down.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ts_lsp.semantic import written_types
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.sugared import OpaqueCallable
from ts_lsp.types.model import INFERRED_TENSOR, NONE, TENSOR, Type
from ts_lsp.types.schema import Argument, Schema
from ts_lsp.values.evaluation import class_member
from ts_lsp.values.model import ClassValue, FunctionValue, InstanceValue, PartialValue, TorchValue, Value


def call_method_of(value: InstanceValue) -> FunctionValue | None:
    """The `__call__` of a user's object."""
    found = class_member(value.of, "__call__") if isinstance(value.of, ClassValue) else None
    return found if isinstance(found, FunctionValue) else None


def is_uncallable(value: Value) -> bool:
    """Whether this is an object of a user's class that certainly has no `__call__`."""
    of = value.of if isinstance(value, InstanceValue) else None
    return isinstance(of, ClassValue) and of.kind == "plain" and class_member(of, "__call__") is None


def instance_schema(
    ctx: FunctionContext, callee: OpaqueCallable, method: FunctionValue, target_count: int, node: ast.Call
) -> Schema | None:
    """Calling an object: its own `self` counts among the names but not among the types."""
    signature = method.node.args
    names = [each.arg for each in (*signature.posonlyargs, *signature.args)]
    typed = _parameters(method)[1:]
    if not _is_annotated(method, typed):
        return written_types.all_tensors(callee.name, names, target_count, signature.vararg is not None)
    return _annotated(ctx, callee, method, names, typed, node)


def partial_schema(
    ctx: FunctionContext, callee: OpaqueCallable, value: PartialValue, given: int, target_count: int, node: ast.Call
) -> Schema | None:
    """Calling a partial object: the arguments have numbers for names, the types are those of what is not bound yet."""
    inner: Value = value
    bound = 0
    while isinstance(inner, PartialValue) and inner.kind == "partial":
        bound += len(inner.arguments)
        inner = inner.of
    names = [str(index) for index in range(given)]
    if isinstance(inner, TorchValue):
        return written_types.all_tensors(callee.name, names, target_count)
    if not isinstance(inner, FunctionValue):
        ctx.unknown(f"call of {callee.name}")
        return None
    signature = inner.node.args
    ordinary = len(signature.posonlyargs) + len(signature.args)
    typed = _parameters(inner)[min(bound, ordinary) :]
    if not _is_annotated(inner, typed):
        return written_types.all_tensors(callee.name, names, target_count)
    return _annotated(ctx, callee, inner, names, typed, node)


def _parameters(function: FunctionValue) -> list[ast.arg]:
    """All parameters in the order of Python's signature objects."""
    signature = function.node.args
    starred = [each for each in (signature.vararg,) if each is not None]
    keywords = [each for each in (signature.kwarg,) if each is not None]
    return [*signature.posonlyargs, *signature.args, *starred, *signature.kwonlyargs, *keywords]


def _is_annotated(function: FunctionValue, parameters: Sequence[ast.arg]) -> bool:
    returns = None if isinstance(function.node, ast.Lambda) else function.node.returns
    return returns is not None or any(each.annotation is not None for each in parameters)


def _annotated(
    ctx: FunctionContext,
    callee: OpaqueCallable,
    function: FunctionValue,
    names: Sequence[str],
    parameters: Sequence[ast.arg],
    node: ast.Call,
) -> Schema | None:
    if len(names) != len(parameters):
        ctx.report("unsupported-annotation", node.func, callee=callee.name, reason="count")
        return None
    inner = ctx.program.context_of(function)
    returns = None if isinstance(function.node, ast.Lambda) else function.node.returns
    types = [_type_of(inner, each.annotation) for each in parameters]
    result: Type | None = TENSOR if returns is None else written_types.read_elsewhere(inner, returns)
    ctx.saw_unknown = ctx.saw_unknown or inner.saw_unknown
    for parameter, type_ in zip(parameters, types, strict=True):
        if type_ is None:
            ctx.report("unsupported-annotation", node.func, callee=callee.name, part=ast.unparse(parameter))
            return None
    formals = tuple(Argument(name, type_) for name, type_ in zip(names, types, strict=True) if type_ is not None)
    return Schema(callee.name, "", formals, (Argument("", result if result is not None else NONE),))


def _type_of(inner: FunctionContext, annotation: ast.expr | None) -> Type | None:
    return INFERRED_TENSOR if annotation is None else written_types.read_elsewhere(inner, annotation)
