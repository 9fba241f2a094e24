"""The names that compiled code may use at a place: locals, what the modules around define, and the fixed builtins.

Owns `names_in_scope`. Invariant: nothing compiles for being listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.functions import Compiled
from ts_lsp.semantic.lookup import FIXED
from ts_lsp.semantic.sugared import ModuleInstance, Simple, Sugared
from ts_lsp.torchdata import objects
from ts_lsp.types.display import annotation_form, schema_text
from ts_lsp.types.model import Type
from ts_lsp.values.model import (
    ClassValue,
    FunctionValue,
    ModuleValue,
    ScriptedValue,
    TorchValue,
    Value,
)
from ts_lsp.values.scopes import LexicalScope, View

Name = tuple[str, str, str, "Type | None"]
"""A name, the kind of its completion, its detail, and its type or the type of its result."""
_NOT_USED = frozenset({"module", "script_module", "unknown", "typed_dict"})
_HIDDEN_BUILTINS = frozenset({"_to_tensor", "rangelist"})


def names_in_scope(
    ctx: FunctionContext, local: Mapping[str, Sugared], module: ModuleValue | None = None
) -> Iterator[Name]:
    """Every name once, the nearest first; of a `module` of the program only its own."""
    told: set[str] = set()
    for name, value in local.items():
        told.add(name)
        yield _local(name, value)
    scope = scope_of(ctx, module)
    around = scope if module is not None else ctx.scope
    for name in outer_names(scope):
        if name in told:
            continue
        told.add(name)
        found = around.lookup(name) if around is not None else None
        told_as = _global(ctx, name, found) if found is not None else None
        if told_as is not None:
            yield told_as
    if module is None:
        yield from ((name, "function", "", None) for name in FIXED if name not in told | _HIDDEN_BUILTINS)


def scope_of(ctx: FunctionContext, module: ModuleValue | None = None) -> LexicalScope | None:
    """The scope around a definition, or that of a module of the program."""
    if module is not None:
        modules = ctx.program.modules
        found = modules.module_scope(module.name) if hasattr(modules, "module_scope") else None
        return found if isinstance(found, LexicalScope) else None
    scope = ctx.scope.scope if isinstance(ctx.scope, View) else ctx.scope
    return scope if isinstance(scope, LexicalScope) else None


def outer_names(scope: object) -> Iterator[str]:
    """The names of a scope and of those around it, nearest first; some more than once."""
    while scope is not None:
        if isinstance(scope, View):
            scope = scope.scope
        if not isinstance(scope, LexicalScope):
            return
        yield from scope.names()
        scope = scope.parent


def _local(name: str, value: Sugared) -> Name:
    if isinstance(value, Simple):
        return name, "variable", annotation_form(value.type), None if value.is_unknown else value.type
    if isinstance(value, ModuleInstance):
        return name, "variable", annotation_form(value.definition.type), value.definition.type
    return name, "variable", value.kind, None


def _global(ctx: FunctionContext, name: str, value: Value) -> Name | None:
    if isinstance(value, ScriptedValue):
        value = value.of
    if isinstance(value, FunctionValue):
        if "unknown" in value.modifiers:
            return None
        compiled: Compiled | None = ctx.program.compiled(value)
        schema = compiled.schema if compiled is not None else None
        result = schema.returns[0].type if schema is not None and schema.returns else None
        return name, "function", schema_text(schema) if schema is not None else "", result
    if isinstance(value, ClassValue):
        return (name, "class", "", None) if value.kind not in _NOT_USED else None
    if isinstance(value, ModuleValue):
        return name, "module", value.name, None
    if isinstance(value, TorchValue):
        return _of_torch(ctx, name, value.path)
    return None


def _of_torch(ctx: FunctionContext, name: str, path: str) -> Name | None:
    found = ctx.program.torch.python_object(path)
    if isinstance(found, objects.BuiltinOperator) and ctx.program.torch.has_operator(found.op):
        return name, "function", ctx.program.torch.schema_texts(found.op)[0], None
    if isinstance(found, objects.ScriptFunction) and found.schemas and found.refusal is None:
        return name, "function", schema_text(found.schemas[0]), found.schemas[0].returns[0].type
    if isinstance(found, (objects.BooleanDispatch, objects.SpecialForm)):
        return name, "function", "", None
    if isinstance(found, objects.TorchModule):
        return name, "module", path, None
    if isinstance(found, objects.TorchClass) and found.kind != "module":
        return name, "class", "", None
    return None
