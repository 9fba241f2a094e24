"""Module values in code: attributes, calls, containers.

Owns what can be done with `self` and submodules. Invariant: a module is sugar; once it passes through a value (a tuple,
a ternary, an argument) it is a plain object of its type, which cannot be called.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from ts_lsp.semantic import attributes, calls, lookup, sequences
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.modules import (
    CONTAINER_METHODS,
    MAPPINGS,
    UNCOMPILABLE_METHODS,
    ModuleDefinition,
    is_compiled_property,
    plain_name,
)
from ts_lsp.semantic.overloads import Arguments
from ts_lsp.semantic.sugared import (
    UNKNOWN_VALUE,
    InterfaceModule,
    Literal,
    ModuleInstance,
    ModuleItems,
    ModuleListing,
    ModuleMethod,
    ModuleSchemaMethod,
    OpaqueCallable,
    SchemaFunction,
    Simple,
    Sugared,
    SugaredTuple,
)
from ts_lsp.types.model import ANY, BOOL, INT, NONE, STR, TENSOR, UNKNOWN, InterfaceType, TupleType, Type
from ts_lsp.types.relations import is_subtype
from ts_lsp.types.schema import Argument, Schema
from ts_lsp.values.model import ClassValue, ConstantValue, FunctionValue, PartialValue, UnknownValue

MODULE_CALLABLES = (ModuleInstance, InterfaceModule, ModuleMethod, ModuleSchemaMethod, ModuleListing)
"""What calling goes through this module."""

SLICEABLE = ("torch.nn.ModuleList", "torch.nn.Sequential")
MAPPING_METHODS = ("items", "keys", "values")
SINGLE_LISTINGS = ("keys", "values", "children", "modules")
"""Those of single values: used as a value they are a tuple."""
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
    if definition.container == "torch.nn.ModuleDict" and name in MAPPING_METHODS:
        return ModuleListing(definition, name)
    if name in LISTINGS and not _is_exported(definition, name):
        return ModuleListing(definition, name)
    found = _method(ctx, definition, name, node)
    if found is not None:
        return found
    if name in definition.values:
        return lookup.to_sugared(ctx, definition.values[name], node, as_constant=True)
    return _missing(ctx, definition, name, node)


TORCH_METHODS: Mapping[str, Schema] = {
    "extra_repr": Schema("extra_repr", "", (Argument("self", UNKNOWN),), (Argument("", STR),)),
    "get_extra_state": Schema("get_extra_state", "", (Argument("self", UNKNOWN),), (Argument("", ANY),)),
    "set_extra_state": Schema(
        "set_extra_state", "", (Argument("self", UNKNOWN), Argument("state", ANY)), (Argument("", NONE),)
    ),
}
"""Methods that every module has from `nn.Module`, and that compile."""

LENGTH = Schema("__len__", "", (Argument("self", UNKNOWN),), (Argument("", INT),))
CONTAINS = Schema("__contains__", "", (Argument("self", UNKNOWN), Argument("key", STR)), (Argument("", BOOL),))


def _container_method(definition: ModuleDefinition, name: str) -> Schema | None:
    """What torch adds to a container once its own methods have compiled."""
    if definition.state != "done" or definition.container.startswith("torch.nn.Parameter"):
        return None
    if name == "__len__" and definition.container:
        return LENGTH
    return CONTAINS if name == "__contains__" and definition.container in MAPPINGS else None


def plain_attribute(ctx: FunctionContext, definition: ModuleDefinition, name: str, node: ast.expr) -> Sugared | None:
    """An attribute of a module that is a plain object: it has the methods that are compiled, and no others."""
    if definition.saw_unknown:
        return ctx.unknown(definition.unknown_reason)
    if name in definition.attributes:
        return Simple(definition.attributes[name])
    if name in definition.submodules:
        child = definition.submodules[name]
        return UNKNOWN_VALUE if child is None else Simple(child.type if isinstance(child, ModuleDefinition) else child)
    compiled = definition.canonical.methods.get(name)
    if compiled is not None:
        return ModuleMethod(definition, name, compiled.value)
    added = _container_method(definition, name)
    schemas = definition.schemas.get(name) or ((added,) if added is not None else None)
    if name == "forward" and sequences.is_sequence(definition):
        schemas = ctx.program.forward_schemas(definition)
    if schemas is not None:
        return ModuleSchemaMethod(definition, name, schemas)
    member = definition.member(name)
    if isinstance(member, FunctionValue) and "property" in member.modifiers:
        return _function_member(ctx, definition, name, member, node)
    is_open = definition.value is not None and _has_unknown_base(definition)
    return ctx.unknown(f"class of {name}") if is_open else None


def has_plain_attribute(definition: ModuleDefinition, name: str) -> bool | None:
    """`hasattr` on a module that is a plain object."""
    if definition.saw_unknown:
        return None
    return name in definition.attributes or name in definition.submodules or is_compiled_method(definition, name)


def is_compiled_method(definition: ModuleDefinition, name: str) -> bool:
    """Whether a module has a method of this name by now."""
    known = name in definition.canonical.methods or name in definition.schemas
    return known or _container_method(definition, name) is not None


def _is_exported(definition: ModuleDefinition, name: str) -> bool:
    """Whether the class compiles a method of that name anyway; any other loses to a form of the compiler."""
    member = definition.member(name)
    return isinstance(member, FunctionValue) and "export" in member.modifiers


def _submodule(ctx: FunctionContext, definition: ModuleDefinition, name: str) -> Sugared:
    child = definition.submodules[name]
    if child is None:
        return ctx.unknown(f"submodule {name}")
    return InterfaceModule(child) if isinstance(child, InterfaceType) else ModuleInstance(child)


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
    value = definition.member(name)
    if isinstance(value, FunctionValue):
        return _function_member(ctx, definition, name, value, node)
    if isinstance(value, PartialValue) and value.kind == "static":
        return lookup.to_sugared(ctx, value.of, node, as_constant=True)
    if name == "forward" and sequences.is_sequence(definition):
        known = not definition.saw_unknown
        return ModuleSchemaMethod(definition, name, ctx.program.forward_schemas(definition)) if known else None
    added = _container_method(definition, name) or definition.functions.get(name)
    if added is None and name not in definition.functions:
        added = TORCH_METHODS.get(name)
    schemas = definition.schemas.get(name) or ((added,) if added is not None else None)
    if schemas is not None:
        return ModuleSchemaMethod(definition, name, schemas)
    static = (definition.members or {}).get(name)
    return SchemaFunction(name, (static,)) if static is not None else None


def _function_member(
    ctx: FunctionContext, definition: ModuleDefinition, name: str, value: FunctionValue, node: ast.expr
) -> Sugared | None:
    is_property = "property" in value.modifiers
    if is_property and definition.value is not None and not is_compiled_property(definition.value, name, value):
        return None
    if value.modifiers & lookup.OPAQUE_MODIFIERS and not is_property:
        if "staticmethod" not in value.modifiers and not _takes_receiver(value):
            return ctx.report("missing-self", node, name=name)
        return OpaqueCallable(value, name, "method")
    if "unknown" in value.modifiers:
        return ctx.unknown(f"decorator of {name}")
    if is_property:
        return _property(ctx, definition, value, node)
    if "staticmethod" in value.modifiers:
        return lookup.function_sugared(ctx, value, node)
    if value.overloads and definition.value is not None and definition.value.members.get(name) is value:
        return _overloaded(ctx, definition, name, value, node)
    if value.name != name and name not in definition.canonical.methods:
        return ctx.report("class-attribute", node, name=name, function=value.name)
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
        is_early = value in definition.unfinished
        schemas.append(attributes.without_defaults(compiled.schema) if is_early else compiled.schema)
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
    if name in UNCOMPILABLE_METHODS and is_plain and definition.member(name) is None:
        return ctx.report("uncompilable-torch-function", node, path=f"torch.nn.Module.{name}")
    if _is_uncompilable(definition, name):
        return ctx.report("uncompilable-torch-function", node, path=f"{plain_name(definition)}.{name}")
    is_open = definition.is_open or _has_unknown_base(definition)
    if definition.saw_unknown or is_open or _is_hidden(definition, name):
        return ctx.unknown(f"attribute {name}: {definition.unknown_reason}")
    member = definition.member(name)
    if isinstance(member, UnknownValue):
        return ctx.unknown(f"attribute {name}")
    known = (*definition.attributes, *definition.submodules, *definition.constant_types)
    data = {"name": name, "type": definition.type, "members": known, "dropped": definition.dropped.get(name)}
    is_property = isinstance(member, FunctionValue) and "property" in member.modifiers
    if member is not None and not is_property:
        return ctx.report("class-attribute", node, is_module=True, details=data)
    return ctx.report("unknown-attribute", node, is_module=True, details=data)


def _has_unknown_base(definition: ModuleDefinition) -> bool:
    if definition.is_traced:
        return False
    if definition.value is not None and has_unknown_base(definition.value):
        return True
    return definition.members is None


def has_unknown_base(value: ClassValue) -> bool:
    """Whether a class may have more members than the source shows."""
    return value.kind == "unknown" or bool(value.modifiers & {"unknown"})


def _is_uncompilable(definition: ModuleDefinition, name: str) -> bool:
    """Whether a class of torch has a method of that name which does not compile."""
    if definition.member(name) is not None:
        return False
    if name in CONTAINER_METHODS.get(definition.container, ()):
        return True
    return name in definition.functions and definition.functions[name] is None


def _is_hidden(definition: ModuleDefinition, name: str) -> bool:
    """Whether a class of torch may have a member of that name of which nothing is known."""
    return definition.members is None or name in definition.members


def has_attribute(ctx: FunctionContext, module: ModuleInstance, name: str, node: ast.expr) -> bool | None:
    """`hasattr` on a module; None where it is not known. Naming a method compiles it."""
    definition = module.definition
    if name in definition.submodules or name in definition.attributes or name in definition.constant_types:
        return True
    if name in definition.values:
        return True
    if name in LISTINGS or (definition.container == "torch.nn.ModuleDict" and name in MAPPING_METHODS):
        return True
    member = definition.member(name)
    if isinstance(member, FunctionValue) and "property" not in member.modifiers:
        _function_member(ctx, definition, name, member, node)
        return True
    if _is_uncompilable(definition, name):
        ctx.report("uncompilable-torch-function", node, path=f"{plain_name(definition)}.{name}")
        return None
    if name in TORCH_METHODS or name in definition.functions or is_compiled_method(definition, name):
        return True
    is_open = definition.is_open or _has_unknown_base(definition) or _is_hidden(definition, name)
    if definition.saw_unknown or isinstance(member, UnknownValue) or is_open:
        ctx.unknown(f"hasattr of {name}")
        return None
    return False


def set_attribute(
    ctx: FunctionContext, module: ModuleInstance, target: ast.Attribute, value: Simple, statement: ast.AST
) -> None:
    """`self.name = value`; errors stand at the whole statement."""
    definition, name = module.definition, target.attr
    expected = definition.attributes.get(name)
    child = definition.submodules.get(name)
    if expected is None and child is not None:
        expected = child if isinstance(child, InterfaceType) else child.type
    if expected is None:
        _set_missing(ctx, definition, target, value, statement)
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
    ctx: FunctionContext, definition: ModuleDefinition, target: ast.Attribute, value: Simple, statement: ast.AST
) -> None:
    name = target.attr
    if isinstance(statement, ast.AnnAssign):  # refused before anything else
        return
    member = definition.member(name)
    if isinstance(member, FunctionValue) and "property" in member.modifiers and member.setter is not None:
        attributes.call_setter(ctx, definition, member.setter, target, value, statement)
        return
    if definition.saw_unknown or definition.is_open or _has_unknown_base(definition):
        ctx.unknown(f"attribute {name}")
        return
    if name in definition.values and value.is_unknown:
        return
    if name in definition.constant_types or name in definition.values or member is not None:
        ctx.report("attribute-assignment", statement, name=name, reason="read-only")
        return
    known = tuple(definition.attributes)
    ctx.report("attribute-outside-init", statement, name=name, type=definition.type, known=known, module=True)


def call(ctx: FunctionContext, callee: Sugared, node: ast.Call, arguments: Arguments) -> Sugared:
    """Call a module, one of its methods, or a listing of its children."""
    if isinstance(callee, ModuleInstance):
        return _call_forward(ctx, callee, node, arguments)
    if isinstance(callee, InterfaceModule):
        return calls.call_value(ctx, attributes.attribute_of(ctx, callee, "forward", node.func), node, arguments)
    if isinstance(callee, ModuleMethod):
        return call_method(ctx, callee, node, arguments)
    if isinstance(callee, ModuleSchemaMethod):
        return calls.call_schemas(ctx, node, callee.schemas, arguments, bound=True)
    assert isinstance(callee, ModuleListing)
    if arguments.positional or arguments.keywords:
        return ctx.report("too-many-arguments", node.func, callee=callee.name, wanted=0)
    if callee.name in ("modules", "named_modules") and _hides_modules(callee.definition):
        return ctx.report("not-iterable", node, name=f"{callee.name}()", reason="interface")
    elements = tuple(listing(callee.definition, callee.name))
    return SugaredTuple(elements) if callee.name in SINGLE_LISTINGS else ModuleItems(elements)


def _call_forward(ctx: FunctionContext, callee: ModuleInstance, node: ast.Call, arguments: Arguments) -> Sugared:
    definition = callee.definition
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


def call_method(ctx: FunctionContext, method: ModuleMethod, node: ast.Call, arguments: Arguments) -> Simple:
    """Call a method that compiled when it was named."""
    compiled = ctx.program.compile_function(method.value, method.definition)
    if compiled.running:
        return ctx.report("recursive-function", node.func, name=method.name, mutual=False)
    if compiled.failure is not None:
        return ctx.inherit(compiled.failure, compiled.failure_unit or method.value.unit, node.func)
    if compiled.schema is None:
        return ctx.unknown(method.name)
    is_early = method.value in method.definition.unfinished
    schema = attributes.without_defaults(compiled.schema) if is_early else compiled.schema
    return calls.call_schemas(ctx, node, (schema,), arguments, bound=True)


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


def _hides_modules(definition: ModuleDefinition) -> bool:
    """Whether some module of the tree is known by an interface only."""
    return any(
        isinstance(child, InterfaceType) for _, each in _walk(definition, "") for child in each.submodules.values()
    )


def _walk(definition: ModuleDefinition, prefix: str) -> list[tuple[str, ModuleDefinition]]:
    found = [(prefix, definition)]
    for name, child in definition.submodules.items():
        if isinstance(child, ModuleDefinition):
            found.extend(_walk(child, f"{prefix}.{name}" if prefix else name))
    return found


def _as_sugar(child: ModuleDefinition | InterfaceType | None) -> Sugared:
    if isinstance(child, ModuleDefinition):
        return ModuleInstance(child)
    return InterfaceModule(child) if child is not None else UNKNOWN_VALUE


def iterable(ctx: FunctionContext, module: ModuleInstance) -> Sugared | None:
    """A container as an unrolled iterable; None for a module that is none."""
    definition = module.definition
    if not definition.container or definition.container == "torch.nn.ParameterDict":
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
