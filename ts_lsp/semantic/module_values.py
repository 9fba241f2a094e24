"""Module values in code: attributes, calls, containers.

Owns what can be done with `self` and submodules. Invariant: a module is sugar; once it passes through a value (a tuple,
a ternary, an argument) it is a plain object of its type, which cannot be called.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ts_lsp.semantic import calls, lookup, sequences
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.modules import MAPPINGS, UNCOMPILABLE_METHODS, ModuleDefinition, instance_member
from ts_lsp.semantic.overloads import Arguments
from ts_lsp.semantic.sugared import (
    UNKNOWN_VALUE,
    InterfaceMethod,
    Literal,
    ModuleInstance,
    ModuleItems,
    ModuleListing,
    ModuleMethod,
    ModuleSchemaMethod,
    OpaqueCallable,
    Simple,
    Sugared,
    SugaredTuple,
)
from ts_lsp.types.model import BOOL, NONE, STR, TENSOR, UNKNOWN, ClassType, InterfaceType, TupleType, Type
from ts_lsp.types.relations import is_subtype
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import ConstantValue, FunctionValue, UnknownValue

MODULE_CALLABLES = (ModuleInstance, ModuleMethod, ModuleSchemaMethod, ModuleListing)
"""What calling goes through this module."""

LISTINGS = ("children", "named_children", "modules", "named_modules", "named_buffers")


def attribute(ctx: FunctionContext, module: ModuleInstance, name: str, node: ast.expr) -> Sugared:
    """An attribute of a module value, in the compiler's order of lookup."""
    definition = module.definition
    if name in definition.submodules:
        return _submodule(ctx, definition, name)
    if name in definition.attributes:
        return Simple(definition.attributes[name])
    constant = _constant(definition, name)
    if constant is not None:
        return constant
    if definition.container in MAPPINGS and name in ("items", "keys", "values", "__contains__"):
        return ModuleListing(definition, name)
    if name in LISTINGS and not _is_exported(definition, name):
        return ModuleListing(definition, name)
    found = _method(ctx, definition, name, node)
    if found is not None:
        return found
    if name in definition.values:
        return lookup.to_sugared(ctx, definition.values[name], node, as_constant=True)
    return _missing(ctx, definition, name, node)


def _is_exported(definition: ModuleDefinition, name: str) -> bool:
    """Whether the class compiles a method of that name anyway; any other loses to a form of the compiler."""
    member = instance_member(definition, name)
    return isinstance(member, FunctionValue) and "export" in member.modifiers


def _submodule(ctx: FunctionContext, definition: ModuleDefinition, name: str) -> Sugared:
    child = definition.submodules[name]
    if child is None:
        return ctx.unknown(f"submodule {name}")
    return Simple(child) if isinstance(child, InterfaceType) else ModuleInstance(child)


def _constant(definition: ModuleDefinition, name: str) -> Simple | None:
    type_ = definition.constant_types.get(name)
    if type_ is None:
        return None
    value = definition.constants.get(name)
    if isinstance(value, ConstantValue):
        return Simple(type_, Literal(value.value))
    return Simple(type_, is_hidden=True)


def _method(ctx: FunctionContext, definition: ModuleDefinition, name: str, node: ast.expr) -> Sugared | None:
    """A method or property of the class; what is not compiled yet compiles now, because it was named."""
    value = instance_member(definition, name)
    if isinstance(value, FunctionValue):
        return _function_member(ctx, definition, name, value, node)
    schemas = definition.schemas.get(name)
    return ModuleSchemaMethod(definition, name, schemas) if schemas is not None else None


def _function_member(
    ctx: FunctionContext, definition: ModuleDefinition, name: str, value: FunctionValue, node: ast.expr
) -> Sugared | None:
    if value.modifiers & lookup.OPAQUE_MODIFIERS:
        if "property" in value.modifiers:
            return None
        if "staticmethod" not in value.modifiers and not _takes_receiver(value):
            return ctx.report("missing-self", node, name=name)
        return OpaqueCallable(value, name, "method")
    if "unknown" in value.modifiers:
        return ctx.unknown(f"decorator of {name}")
    if "property" in value.modifiers:
        return _property(ctx, definition, value, node)
    if "staticmethod" in value.modifiers:
        return lookup.function_sugared(ctx, value, node)
    if value.overloads and definition.value is not None and definition.value.members.get(name) is value:
        return _overloaded(ctx, definition, name, value, node)
    compiled = ctx.program.compile_function(value, definition)
    if compiled.running:
        return ModuleMethod(definition, name, value)
    if compiled.failure is not None:
        return ctx.inherit(compiled.failure, compiled.failure_unit or value.unit, node)
    if compiled.saw_unknown:
        ctx.unknown(compiled.unknown_reason)
    return ModuleMethod(definition, name, value)


def _takes_receiver(value: FunctionValue) -> bool:
    signature = value.node.args
    return bool(signature.posonlyargs or signature.args or signature.vararg)


def _overloaded(
    ctx: FunctionContext, definition: ModuleDefinition, name: str, value: FunctionValue, node: ast.expr
) -> Sugared:
    schemas: list[Schema] = []
    for declaration in value.overloads:
        compiled = ctx.program.compile_overload(value, declaration, definition)
        if compiled.failure is not None:
            return ctx.inherit(compiled.failure, compiled.failure_unit or declaration.unit, node)
        if compiled.schema is None or compiled.running:
            return ctx.unknown(f"overloaded method {name}")
        schemas.append(compiled.schema)
    return ModuleSchemaMethod(definition, name, tuple(schemas))


def _property(ctx: FunctionContext, definition: ModuleDefinition, value: FunctionValue, node: ast.expr) -> Sugared:
    compiled = ctx.program.compile_function(value, definition)
    if compiled.running:
        return ctx.report("recursive-function", node, name=value.name, mutual=False)
    if compiled.failure is not None:
        return ctx.inherit(compiled.failure, compiled.failure_unit or value.unit, node)
    return Simple(compiled.schema.returns[0].type) if compiled.schema is not None else ctx.unknown(value.name)


def _missing(ctx: FunctionContext, definition: ModuleDefinition, name: str, node: ast.expr) -> Sugared:
    is_plain = definition.value is None or definition.value.kind == "module"
    if name in UNCOMPILABLE_METHODS and is_plain and instance_member(definition, name) is None:
        return ctx.report("uncompilable-torch-function", node, path=f"torch.nn.Module.{name}")
    if definition.saw_unknown or _has_unknown_base(definition):
        return ctx.unknown(f"attribute {name}: {definition.unknown_reason}")
    member = instance_member(definition, name)
    if isinstance(member, UnknownValue):
        return ctx.unknown(f"attribute {name}")
    known = (*definition.attributes, *definition.submodules, *definition.constant_types)
    data = {"name": name, "type": definition.type, "members": known, "dropped": definition.dropped.get(name)}
    if member is not None:
        return ctx.report("class-attribute", node, is_module=True, details=data)
    return ctx.report("unknown-attribute", node, is_module=True, details=data)


def _has_unknown_base(definition: ModuleDefinition) -> bool:
    value = definition.value
    if definition.is_traced:
        return False
    return value is None or value.kind == "unknown" or bool(value.modifiers & {"unknown"})


def has_attribute(ctx: FunctionContext, module: ModuleInstance, name: str, node: ast.expr) -> bool | None:
    """`hasattr` on a module; None where it is not known. Naming a method compiles it."""
    definition = module.definition
    if name in definition.submodules or name in definition.attributes or name in definition.constant_types:
        return True
    if name in definition.values:
        return True
    member = instance_member(definition, name)
    if isinstance(member, FunctionValue) and "property" not in member.modifiers:
        _function_member(ctx, definition, name, member, node)
        return True
    if definition.saw_unknown or isinstance(member, UnknownValue) or _has_unknown_base(definition):
        ctx.unknown(f"hasattr of {name}")
        return None
    return name in definition.schemas


def set_attribute(ctx: FunctionContext, module: ModuleInstance, name: str, value: Simple, statement: ast.AST) -> None:
    """`self.name = value`; errors stand at the whole statement."""
    definition = module.definition
    expected = definition.attributes.get(name)
    child = definition.submodules.get(name)
    if expected is None and child is not None:
        expected = child if isinstance(child, InterfaceType) else child.type
    if expected is None:
        _set_missing(ctx, definition, name, value, statement)
    elif not is_subtype(value.type, expected):
        ctx.report(
            "attribute-assignment",
            statement,
            name=name,
            expected=expected,
            found=value.type,
            reason="type",
            module=True,
        )


def _set_missing(
    ctx: FunctionContext, definition: ModuleDefinition, name: str, value: Simple, statement: ast.AST
) -> None:
    member = instance_member(definition, name)
    if isinstance(member, FunctionValue) and "property" in member.modifiers and member.setter is not None:
        compiled = ctx.program.compile_function(member.setter, definition)
        if compiled.failure is not None:
            ctx.inherit(compiled.failure, compiled.failure_unit or member.unit, statement)
        return
    if definition.saw_unknown or _has_unknown_base(definition):
        ctx.unknown(f"attribute {name}")
        return
    if name in definition.constant_types or member is not None:
        ctx.report("attribute-assignment", statement, name=name, reason="read-only")
        return
    known = tuple(definition.attributes)
    ctx.report("attribute-outside-init", statement, name=name, type=definition.type, known=known, module=True)


def call(ctx: FunctionContext, callee: Sugared, node: ast.Call, arguments: Arguments) -> Sugared:
    """Call a module, one of its methods, or a listing of its children."""
    if isinstance(callee, ModuleInstance):
        return _call_forward(ctx, callee, node, arguments)
    if isinstance(callee, ModuleMethod):
        return call_method(ctx, callee, node, arguments)
    if isinstance(callee, ModuleSchemaMethod):
        return calls.call_schemas(ctx, node, callee.schemas, arguments, bound=True)
    assert isinstance(callee, ModuleListing)
    if callee.name == "__contains__":
        return Simple(BOOL)
    if arguments.positional or arguments.keywords:
        return ctx.report("too-many-arguments", node.func, callee=callee.name, wanted=0)
    return ModuleItems(tuple(listing(callee.definition, callee.name)))


def _call_forward(ctx: FunctionContext, callee: ModuleInstance, node: ast.Call, arguments: Arguments) -> Sugared:
    definition = callee.definition
    if definition.container == "torch.nn.Sequential" and not isinstance(
        instance_member(definition, "forward"), FunctionValue
    ):
        return _call_sequential(ctx, definition, node, arguments)
    forward = attribute(ctx, callee, "forward", node.func)
    if isinstance(forward, Simple):
        return forward
    if definition.object.hooks or definition.object.pre_hooks:
        return _call_hooked(ctx, definition, forward, node, arguments)
    return calls.call_value(ctx, forward, node, arguments)


def _call_hooked(
    ctx: FunctionContext, definition: ModuleDefinition, forward: Sugared, node: ast.Call, arguments: Arguments
) -> Sugared:
    """A call that runs hooks: they are given positional arguments only, and their results replace the one before."""
    if arguments.keywords:
        return ctx.report("unknown-keyword", node.func, callee="forward", argument=node.keywords[0].arg)
    result = calls.call_value(ctx, forward, node, arguments)
    for hook in definition.object.hooks:
        if not isinstance(hook, FunctionValue):
            return ctx.unknown("hook that is not known")
        schema = ctx.program.compile_function(hook, definition).schema
        if schema is None:
            return ctx.unknown(f"hook {hook.name}")
        wanted = schema.arguments[2].type if len(schema.arguments) == 3 else UNKNOWN
        if isinstance(result, Simple) and not is_subtype(result.type, wanted):
            return ctx.report(
                "argument-type", node.func, callee=hook.name, argument="output", expected=wanted, found=result.type
            )
        if schema.returns[0].type != NONE:
            result = Simple(schema.returns[0].type)
    return result


def _call_sequential(
    ctx: FunctionContext, definition: ModuleDefinition, node: ast.Call, arguments: Arguments
) -> Simple:
    """`nn.Sequential`: one Tensor in, then each element's result is the next one's argument."""
    if arguments.has_unknown or definition.saw_unknown:
        return ctx.unknown("sequence of modules that is not known")
    found = [each.value.type for each in arguments.positional]
    if len(found) != 1 or arguments.keywords:
        return ctx.report("too-many-arguments", node.func, callee="forward", wanted=1, given=len(found))
    if not is_subtype(found[0], TENSOR):
        return ctx.report(
            "argument-type", node.func, callee="forward", argument="input", expected=TENSOR, found=found[0]
        )
    result = sequences.result(ctx.program, definition)
    if result is None:
        return ctx.unknown("element of a sequence")
    return Simple(result) if isinstance(result, Type) else UNKNOWN_VALUE


def call_method(ctx: FunctionContext, method: ModuleMethod, node: ast.Call, arguments: Arguments) -> Simple:
    """Call a method that compiled when it was named."""
    compiled = ctx.program.compile_function(method.value, method.definition)
    if compiled.running:
        return ctx.report("recursive-function", node.func, name=method.name, mutual=False)
    if compiled.failure is not None:
        return ctx.inherit(compiled.failure, compiled.failure_unit or method.value.unit, node.func)
    if compiled.schema is None:
        return ctx.unknown(method.name)
    return calls.call_schemas(ctx, node, (compiled.schema,), arguments, bound=True)


def listing(definition: ModuleDefinition, name: str) -> Sequence[Sugared]:
    """The elements of `.items()`, `.children()` and their kin."""
    children = list(definition.submodules.items())
    modules = [_as_sugar(child) for _, child in children]
    names = [Simple(STR, Literal(key)) for key, _ in children]
    if name == "keys":
        return names
    if name in ("values", "children"):
        return modules
    if name in ("items", "named_children"):
        return [SugaredTuple(pair) for pair in zip(names, modules, strict=True)]
    if name == "named_buffers":
        buffers = [each for each in definition.object.buffers if each in definition.attributes]
        return [SugaredTuple((Simple(STR, Literal(each)), Simple(definition.attributes[each]))) for each in buffers]
    every = list(_walk(definition, ""))
    if name == "modules":
        return [ModuleInstance(each) for _, each in every]
    return [SugaredTuple((Simple(STR, Literal(path)), ModuleInstance(each))) for path, each in every]


def _walk(definition: ModuleDefinition, prefix: str) -> list[tuple[str, ModuleDefinition]]:
    found = [(prefix, definition)]
    for name, child in definition.submodules.items():
        if isinstance(child, ModuleDefinition):
            found.extend(_walk(child, f"{prefix}.{name}" if prefix else name))
    return found


def _as_sugar(child: ModuleDefinition | InterfaceType | None) -> Sugared:
    if isinstance(child, ModuleDefinition):
        return ModuleInstance(child)
    return Simple(child) if child is not None else UNKNOWN_VALUE


def iterable(ctx: FunctionContext, module: ModuleInstance) -> Sugared | None:
    """A container as an unrolled iterable; None for a module that is none."""
    definition = module.definition
    if not definition.container:
        return None
    if definition.saw_unknown:
        ctx.unknown(definition.unknown_reason)
        return UNKNOWN_VALUE
    if definition.container.endswith("ParameterList"):
        return SugaredTuple(tuple(Simple(TENSOR) for _ in definition.object.parameters))
    if definition.container in MAPPINGS:
        return SugaredTuple(tuple(listing(definition, "keys")))
    return SugaredTuple(tuple(listing(definition, "values")))


def subscript(
    ctx: FunctionContext, node: ast.Subscript, module: ModuleInstance, index: Sugared, hint: Type | None
) -> Sugared:
    """`container[index]`: a literal, or any index where every element implements the interface that is wanted."""
    definition = module.definition
    if not definition.container:
        return ctx.report("not-subscriptable", node, type=definition.type, is_module=True)
    if definition.saw_unknown:
        return ctx.unknown(definition.unknown_reason)
    literal = index.literal if isinstance(index, Simple) else None
    if literal is None:
        return _typed_index(ctx, node, definition, hint)
    if definition.container in MAPPINGS and literal.value in definition.object.parameters:
        return Simple(TENSOR)
    if definition.container in MAPPINGS:
        if literal.value in definition.submodules:
            return _as_sugar(definition.submodules[str(literal.value)])
        return ctx.report("module-index", node, reason="key", key=literal.value, keys=tuple(definition.submodules))
    elements = list(definition.submodules.values())
    if definition.container.endswith("ParameterList"):
        length = len(definition.object.parameters)
    else:
        length = len(elements)
    position = literal.value
    if not isinstance(position, int):
        return ctx.report("module-index", node, reason="not-int")
    if not -length <= position < length:
        return ctx.report("module-index", node, reason="range", index=position, length=length)
    return Simple(TENSOR) if definition.container.endswith("ParameterList") else _as_sugar(elements[position])


def _typed_index(ctx: FunctionContext, node: ast.Subscript, definition: ModuleDefinition, hint: Type | None) -> Sugared:
    if not isinstance(hint, InterfaceType):
        return ctx.report("module-index", node, reason="not-literal", container=definition.container)
    for child in definition.submodules.values():
        type_ = child.type if isinstance(child, ModuleDefinition) else child
        if type_ is not None and not is_subtype(type_, hint):
            return ctx.report("module-index", node, reason="interface", expected=hint, found=type_)
    return Simple(hint)


def slice_types(definition: ModuleDefinition) -> TupleType:
    """A container as a tuple of plain objects, which is what slicing works on."""
    children = definition.submodules.values()
    return TupleType(tuple(each.type if isinstance(each, ModuleDefinition) else each or UNKNOWN for each in children))


def has_length(type_: Type) -> bool:
    """Whether `len` takes a module of this type."""
    definition = type_.definition if isinstance(type_, ClassType) else None
    if not isinstance(definition, ModuleDefinition):
        return False
    return bool(definition.container) and not definition.container.startswith("torch.nn.Parameter")


def interface_call(receiver: Simple, type_: InterfaceType) -> InterfaceMethod | None:
    """Calling a value of a module interface calls its `forward`; None where it declares none."""
    schemas = type_.definition.method_schemas() if type_.definition is not None else {}
    return InterfaceMethod(receiver, type_, "forward") if "forward" in schemas else None
