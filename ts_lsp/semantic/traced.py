"""Functions that `torch.jit.trace` recorded, called from compiled code.

Owns their schemas. Invariant: a traced function takes what its example inputs were; its result is known only where
compiling the same text, off the record, gives Tensors or tuples of them, which is all that tracing can return.
"""

from __future__ import annotations

import ast

from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.sugared import SchemaFunction, Sugared
from ts_lsp.types.model import TENSOR, UNKNOWN, ListType, TupleType, Type
from ts_lsp.types.relations import contains_unknown
from ts_lsp.types.schema import Argument, Schema
from ts_lsp.values.model import FunctionValue, InstanceValue, SequenceValue, TorchValue, TracedValue, Value


def traced_sugared(ctx: FunctionContext, value: TracedValue, node: ast.expr) -> Sugared:
    """What a traced object is inside compiled code: a function, or a module that is nobody's submodule."""
    if isinstance(value.of, InstanceValue):
        return ctx.report("captured-script-module", node, name=ast.unparse(node))
    schema = traced_schema(ctx, value.of, value.examples) if isinstance(value.of, FunctionValue) else None
    if schema is None:
        return ctx.unknown("signature of a traced function")
    if contains_unknown(schema.returns[0].type):
        ctx.unknown(f"result of the traced function {schema.name}")
    return SchemaFunction(schema.name, (schema,))


def traced_schema(ctx: FunctionContext, function: FunctionValue, examples: tuple[Value, ...] | None) -> Schema | None:
    """The schema that tracing gives a function; None where its parameters are not plain."""
    signature = function.node.args
    if signature.vararg is not None or signature.kwarg is not None or signature.kwonlyargs:
        return None
    names = [each.arg for each in (*signature.posonlyargs, *signature.args)]
    if examples is None:
        if signature.defaults:
            return None
        types: list[Type] = [UNKNOWN] * len(names)
    else:
        types = [_example_type(each) for each in examples]
    if len(types) > len(names):
        return None
    formals = tuple(Argument(name, type_) for name, type_ in zip(names, types, strict=False))
    return Schema(function.name, "", formals, (Argument("", _result(ctx, function, types)),))


def _example_type(value: Value) -> Type:
    if isinstance(value, InstanceValue) and value.of == TorchValue("torch.Tensor"):
        return TENSOR
    if isinstance(value, SequenceValue) and value.kind == "tuple":
        return TupleType(tuple(_example_type(each) for each in value.elements))
    if isinstance(value, SequenceValue) and value.kind == "list" and value.elements:
        return ListType(_example_type(value.elements[0]))
    return UNKNOWN


def _result(ctx: FunctionContext, function: FunctionValue, types: list[Type]) -> Type:
    """The result, if the function would compile for these very arguments."""
    compiled = ctx.program.apart().compile_function(function)
    if compiled.failure is not None or compiled.saw_unknown or compiled.schema is None or compiled.running:
        return UNKNOWN
    taken = [each.type for each in compiled.schema.arguments[: len(types)]]
    if any(wanted != given for wanted, given in zip(taken, types, strict=True) if not contains_unknown(given)):
        return UNKNOWN
    found = compiled.schema.returns[0].type
    return found if _is_traceable(found) else UNKNOWN


def _is_traceable(type_: Type) -> bool:
    return type_ == TENSOR or (isinstance(type_, TupleType) and all(_is_traceable(each) for each in type_.elements))
