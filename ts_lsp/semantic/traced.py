"""Functions and modules that `torch.jit.trace` recorded, called from compiled code.

Owns their schemas. Invariant: a traced function takes what its example inputs were; its result is known only where
compiling the same text, off the record, gives Tensors or tuples of them, which is all that tracing can return.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ts_lsp.records import replace
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.modules import ModuleDefinition, class_member
from ts_lsp.semantic.sugared import SchemaFunction, Sugared
from ts_lsp.types.model import TENSOR, UNKNOWN, ClassType, ListType, TupleType, Type
from ts_lsp.types.relations import contains_unknown
from ts_lsp.types.schema import Argument, Schema
from ts_lsp.values.model import (
    ClassValue,
    FunctionValue,
    InstanceValue,
    SequenceValue,
    TorchValue,
    TracedValue,
    Value,
)

if TYPE_CHECKING:
    from ts_lsp.semantic.program import Program


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
    formals = _formals(function, examples)
    if formals is None:
        return None
    compiled = ctx.program.apart().compile_function(function)
    known = compiled.failure is None and not compiled.saw_unknown and not compiled.running
    result = _result(compiled.schema if known else None, formals)
    return Schema(function.name, "", formals, (Argument("", result),))


def module_schema(program: Program, definition: ModuleDefinition) -> Schema | None:
    """The schema of a traced module's `forward`; None where its parameters are not known."""
    module = definition.object
    examples = module.traced_with.elements if isinstance(module.traced_with, SequenceValue) else None
    untraced = program.apart().compile_module(replace(module, traced_with=None))
    known = untraced.failure is None and not untraced.saw_unknown and not untraced.is_unsure_below
    schemas = untraced.program.forward_schemas(untraced) if known else ()
    schema = schemas[0] if len(schemas) == 1 else None
    forward = class_member(module.of, "forward") if isinstance(module.of, ClassValue) else None
    receiver = Argument("self", definition.type)
    if isinstance(forward, FunctionValue):
        formals = _formals(forward, examples, skipped=1)
    else:
        formals = schema.arguments[1:] if schema is not None else None
    if formals is None:
        return None
    whole = (receiver, *formals)
    return Schema("forward", "", whole, (Argument("", _result(schema, whole)),))


def _formals(
    function: FunctionValue, examples: tuple[Value, ...] | None, skipped: int = 0
) -> tuple[Argument, ...] | None:
    """The parameters that tracing with these inputs leaves; the rest is part of the recording."""
    signature = function.node.args
    if signature.kwarg is not None or signature.kwonlyargs or (examples is None and signature.defaults):
        return None
    names = [each.arg for each in (*signature.posonlyargs, *signature.args)][skipped:]
    if examples is None:
        return None if signature.vararg is not None else tuple(Argument(name, UNKNOWN) for name in names)
    surplus = range(len(names), len(examples))
    if surplus and signature.vararg is None:
        return None
    names.extend(f"argument_{index + 1}" for index in surplus)
    return tuple(Argument(name, _example_type(each)) for name, each in zip(names, examples, strict=False))


def _example_type(value: Value) -> Type:
    if isinstance(value, InstanceValue) and value.of == TorchValue("torch.Tensor"):
        return TENSOR
    if isinstance(value, SequenceValue) and value.kind == "tuple":
        return TupleType(tuple(_example_type(each) for each in value.elements))
    if isinstance(value, SequenceValue) and value.kind == "list" and value.elements:
        return ListType(_example_type(value.elements[0]))
    return UNKNOWN


def _result(schema: Schema | None, formals: tuple[Argument, ...]) -> Type:
    """The result, if the text would compile for these very arguments."""
    if schema is None or len(schema.arguments) < len(formals):
        return UNKNOWN
    pairs = [(wanted.type, given.type) for wanted, given in zip(schema.arguments, formals, strict=False)]
    if any(w != g for w, g in pairs if not contains_unknown(g) and not isinstance(g, ClassType)):
        return UNKNOWN
    found = schema.returns[0].type
    return found if _is_traceable(found) else UNKNOWN


def _is_traceable(type_: Type) -> bool:
    return type_ == TENSOR or (isinstance(type_, TupleType) and all(_is_traceable(each) for each in type_.elements))
