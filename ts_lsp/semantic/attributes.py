"""Attributes, methods and constructors of values.

Owns the order in which the compiler looks an attribute up, `hasattr`, setting attributes, calling methods and magic
methods, and constructing class instances.
Invariant: a method compiles when it is called, after its arguments were evaluated.
"""

from __future__ import annotations

import ast

from ts_lsp.records import replace
from ts_lsp.semantic import calls, classes, custom_classes, expressions, lookup, module_values
from ts_lsp.semantic.class_definitions import ClassDefinition, ContextDefinition
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.modules import ModuleDefinition
from ts_lsp.semantic.modules import class_member as module_member
from ts_lsp.semantic.overloads import Arguments, accepts_receiver
from ts_lsp.semantic.sugared import (
    UNKNOWN_VALUE,
    Builtin,
    ClassConstructor,
    CustomConstructor,
    CustomMethod,
    EnumClass,
    InterfaceMethod,
    InterfaceModule,
    Method,
    ModuleClass,
    ModuleInstance,
    ModuleMethod,
    ModuleSchemaMethod,
    NamedArgument,
    OpaqueCallable,
    OperatorNamespace,
    PythonModule,
    PythonValue,
    Simple,
    SpecialForm,
    Sugared,
    SugaredTuple,
    TensorCast,
)
from ts_lsp.types.model import (
    BOOL,
    DEVICE,
    INT,
    STR,
    TENSOR,
    AwaitType,
    ClassType,
    EnumType,
    InterfaceType,
    ListType,
    NamedTupleType,
    OptionalType,
    TupleType,
    Type,
)
from ts_lsp.types.relations import contains_unknown, is_subtype, make_optional
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import ClassValue, FunctionValue, ModuleValue, UnknownValue

DEVICE_ATTRIBUTES: dict[str, Type] = {"type": STR, "index": make_optional(INT)}


def emit_attribute(ctx: FunctionContext, node: ast.Attribute) -> Sugared:
    """`value.name`."""
    return attribute_of(ctx, expressions.emit_sugared(ctx, node.value), node.attr, node)


def attribute_of(ctx: FunctionContext, value: Sugared, name: str, node: ast.expr) -> Sugared:
    """Attribute `name` of an evaluated value; errors stand at `node`, the whole attribute expression."""
    if isinstance(value, Simple):
        return _simple_attribute(ctx, value, name, node)
    if isinstance(value, SugaredTuple):
        elements = tuple(expressions.as_value(ctx, each, node).type for each in value.elements)
        return _simple_attribute(ctx, Simple(TupleType(elements)), name, node)
    if isinstance(value, ModuleInstance):
        return module_values.attribute(ctx, value, name, node)
    if isinstance(value, InterfaceModule):
        return _simple_attribute(ctx, Simple(value.type), name, node)
    if isinstance(value, PythonModule):
        return _module_attribute(ctx, value, name, node)
    if isinstance(value, OperatorNamespace):
        return Builtin(f"{value.name}::{name}") if value.name else OperatorNamespace(name)
    if isinstance(value, ClassConstructor):
        return _class_attribute(ctx, value, name, node)
    if isinstance(value, CustomConstructor):
        found = custom_classes.static_method(value.definition, name)
        return found or ctx.report("unknown-attribute", node, name=name, type=value.definition.type, on_class=True)
    if isinstance(value, EnumClass):
        if name in value.type.members:
            return Simple(value.type)
        return ctx.report("unknown-attribute", node, name=name, type=value.type, members=value.type.members)
    if isinstance(value, ModuleClass):
        return _module_class_attribute(ctx, value, name, node)
    if isinstance(value, PythonValue) and isinstance(value.value, ClassValue):
        return ctx.report("unknown-attribute", node, name=name, kind=value.kind, python_type=value.type_name)
    if isinstance(value, PythonValue):
        owner = ast.unparse(node.value) if isinstance(node, ast.Attribute) else ""
        return ctx.report("captured-global", node, name=owner, python_type=value.type_name, attribute=name)
    type_name = value.type_name if isinstance(value, OpaqueCallable) else ""
    return ctx.report("unknown-attribute", node, name=name, kind=value.kind, python_type=type_name)


def _module_attribute(ctx: FunctionContext, value: PythonModule, name: str, node: ast.expr) -> Sugared:
    module = value.value
    if not isinstance(module, ModuleValue):
        return ctx.unknown()
    found = ctx.program.modules.member(module.name, name)
    if found is None:
        members = ctx.program.torch.members(module.name) or frozenset()
        return ctx.report("unknown-attribute", node, name=name, module=module.name, members=tuple(members))
    return lookup.to_sugared(ctx, found, node, as_constant=True)


def _class_attribute(ctx: FunctionContext, value: ClassConstructor, name: str, node: ast.expr) -> Sugared:
    member = classes.class_member(value.definition.value, name)
    if member == classes.AUTOGRAD_APPLY and member is not None:
        return OpaqueCallable(member, "Function.apply", "method")
    if isinstance(member, FunctionValue) and "classmethod" in member.modifiers:
        return ctx.report("unsupported-annotation", node, callee=name, reason="classmethod")
    if isinstance(member, FunctionValue) and "property" in member.modifiers:
        return PythonValue(member, "property")
    if isinstance(member, FunctionValue):
        return lookup.function_sugared(ctx, member, node)
    if member is not None and not isinstance(member, UnknownValue):
        return lookup.to_sugared(ctx, member, node, as_constant=False)
    if member is not None:
        return ctx.unknown(f"{value.definition.value.name}.{name}")
    return ctx.report("unknown-attribute", node, name=name, type=value.definition.type, on_class=True)


def _module_class_attribute(ctx: FunctionContext, value: ModuleClass, name: str, node: ast.expr) -> Sugared:
    member = module_member(value.value, name)
    if isinstance(member, FunctionValue) and "classmethod" in member.modifiers:
        return ctx.report("unsupported-annotation", node, callee=name, reason="classmethod")
    if isinstance(member, FunctionValue):
        return lookup.function_sugared(ctx, member, node)
    if member is not None:
        return lookup.to_sugared(ctx, member, node, as_constant=False)
    if module_values.has_unknown_base(value.value):
        return ctx.unknown(f"{value.value.name}.{name}")
    return ctx.report("unknown-attribute", node, name=name, type=value.type, on_class=True)


def _simple_attribute(ctx: FunctionContext, value: Simple, name: str, node: ast.expr) -> Sugared:
    type_ = value.type
    if value.is_unknown:
        return UNKNOWN_VALUE
    found = _own_attribute(ctx, value, type_, name, node)
    if found is not None:
        return found
    torch = ctx.program.torch
    operator = "aten::to" if name == "type" else f"aten::{name}"
    for symbol in dict.fromkeys((operator, f"aten::{name}")):
        schemas = torch.schemas(symbol)
        if schemas and accepts_receiver(schemas, type_):
            return Builtin(symbol, value)
    if type_ == TENSOR and name == "tolist":
        return SpecialForm("tolist")
    if type_ == TENSOR and name == "__getitem__":
        return SpecialForm("getitem")
    if contains_unknown(type_):
        return ctx.unknown("value of unknown type")
    return _missing_attribute(ctx, type_, name, node)


def _missing_attribute(ctx: FunctionContext, type_: Type, name: str, node: ast.expr) -> Simple:
    code = "optional-attribute" if isinstance(type_, OptionalType) else "unknown-attribute"
    if isinstance(type_, ClassType) and isinstance(type_.definition, ClassDefinition):
        if name in type_.definition.class_attributes:
            return ctx.report("class-attribute", node, name=name, type=type_)
        known = (*type_.definition.attributes, *type_.definition.methods, *type_.definition.properties)
        return ctx.report(code, node, name=name, type=type_, members=known)
    return ctx.report(code, node, name=name, type=type_)


def _own_attribute(ctx: FunctionContext, value: Simple, type_: Type, name: str, node: ast.expr) -> Sugared | None:
    """What the value's own type defines, before operators are looked at."""
    if type_ == TENSOR:
        if name in ctx.program.torch.tensor_casts and name != "type":
            return TensorCast(name)
        attribute = ctx.program.torch.tensor_attribute(name)
        return Simple(attribute) if attribute is not None else None
    if isinstance(type_, OptionalType) and name == "unchecked_unwrap_optional":
        return Simple(type_.element)
    if type_ == DEVICE and name in DEVICE_ATTRIBUTES:
        return Simple(DEVICE_ATTRIBUTES[name])
    if isinstance(type_, NamedTupleType) and name in type_.fields:
        return Simple(type_.elements[type_.fields.index(name)])
    if isinstance(type_, TupleType) and name in type_.names:
        return Simple(type_.elements[type_.names.index(name)])
    if isinstance(type_, AwaitType):
        return attribute_of(ctx, Simple(type_.element), name, node)
    if isinstance(type_, EnumType):
        return Simple(STR) if name == "name" else Simple(type_.value) if name == "value" else None
    if isinstance(type_, InterfaceType):
        schemas = type_.definition.method_schemas() if type_.definition is not None else {}
        return InterfaceMethod(value, type_, name) if name in schemas else None
    if isinstance(type_, ClassType):
        return _instance_attribute(ctx, value, type_, name, node)
    return None


def _instance_attribute(
    ctx: FunctionContext, value: Simple, type_: ClassType, name: str, node: ast.expr
) -> Sugared | None:
    custom = custom_classes.custom_definition(ctx, type_)
    if custom is not None:
        return custom_classes.instance_attribute(value, custom, name)
    definition = type_.definition
    if isinstance(definition, ModuleDefinition):
        return module_values.plain_attribute(ctx, definition, name, node)
    if isinstance(definition, ContextDefinition):
        return ctx.unknown()
    if not isinstance(definition, ClassDefinition):
        return ctx.unknown()
    if name in definition.methods:
        return Method(value, definition, name)
    if name in definition.attributes:
        return Simple(definition.attributes[name])
    accessors = definition.properties.get(name)
    if accessors is not None:
        compiled = ctx.program.compile_function(accessors[0], definition)
        if compiled.running:
            return ctx.report("recursive-function", node, name=name, mutual=False)
        if compiled.failure is not None:
            return ctx.inherit(compiled.failure, compiled.failure_unit or accessors[0].unit, node)
        return Simple(compiled.schema.returns[0].type) if compiled.schema is not None else ctx.unknown()
    return None


def has_method(ctx: FunctionContext, type_: ClassType, name: str) -> bool:
    """Whether a class defines a method of this name."""
    custom = custom_classes.custom_definition(ctx, type_)
    if custom is not None:
        return name in custom.methods
    definition = type_.definition
    if isinstance(definition, ModuleDefinition):
        return module_values.is_compiled_method(definition, name)
    if not isinstance(definition, ClassDefinition):
        return False
    return name in definition.methods


def has_attribute(ctx: FunctionContext, value: Sugared, name: str, node: ast.expr) -> bool | None:
    """`hasattr` as the compiler decides it; None after an error or where it is not known."""
    if isinstance(value, ModuleInstance):
        return module_values.has_attribute(ctx, value, name, node)
    type_ = value.type if isinstance(value, Simple) else None
    if isinstance(type_, ClassType) and isinstance(type_.definition, ModuleDefinition):
        return module_values.has_plain_attribute(type_.definition, name)
    custom = custom_classes.custom_definition(ctx, type_) if isinstance(type_, ClassType) else None
    if custom is not None:
        return name in custom.methods
    if isinstance(type_, ClassType) and isinstance(type_.definition, ClassDefinition):
        return name in type_.definition.methods or name in type_.definition.attributes
    if isinstance(type_, NamedTupleType):
        return name in type_.fields
    if isinstance(type_, TupleType) and type_.names:
        return name in type_.names
    if isinstance(value, ClassConstructor):
        return name in value.definition.value.members
    if isinstance(value, Simple) and (value.is_unknown or isinstance(type_, ClassType)):
        ctx.saw_unknown = True
        return None
    ctx.report("invalid-special-form", node, form="hasattr", reason="object", found=type_)
    return None


def set_attribute(
    ctx: FunctionContext, owner: Sugared, target: ast.Attribute, value: Simple, statement: ast.AST
) -> None:
    """`owner.name = value`; errors stand at the whole statement."""
    definition = owner.type.definition if isinstance(owner, Simple) and isinstance(owner.type, ClassType) else None
    if isinstance(definition, ModuleDefinition):
        owner = ModuleInstance(definition)
    if isinstance(owner, ModuleInstance):
        module_values.set_attribute(ctx, owner, target, value, statement)
        return
    if not isinstance(owner, Simple):
        ctx.report("attribute-assignment", statement, name=target.attr, kind=owner.kind, reason="non-class")
        return
    if owner.is_unknown:
        return
    if not isinstance(owner.type, ClassType):
        ctx.report("attribute-assignment", statement, name=target.attr, type=owner.type, reason="non-class")
        return
    custom = custom_classes.custom_definition(ctx, owner.type)
    if custom is not None:
        custom_classes.set_attribute(ctx, custom, target, value, statement)
        return
    definition = owner.type.definition
    if not isinstance(definition, ClassDefinition):
        ctx.unknown()
        return
    expected = definition.attributes.get(target.attr)
    if expected is None:
        _new_attribute(ctx, definition, owner.type, target, value, statement)
        return
    if not is_subtype(value.type, expected):
        ctx.report(
            "attribute-assignment", statement, name=target.attr, expected=expected, found=value.type, reason="type"
        )


def _new_attribute(
    ctx: FunctionContext,
    definition: ClassDefinition,
    owner: ClassType,
    target: ast.Attribute,
    value: Simple,
    statement: ast.AST,
) -> None:
    name = target.attr
    if ctx.in_init and ctx.owner is definition:
        if not value.is_unknown and _holds(value.type, owner):
            ctx.report("self-containing-class", statement, name=name, type=owner)
            return
        definition.attributes[name] = value.type
        if ctx.environment.frame.parent is not None:
            ctx.report("conditional-attribute", statement, name=name)
        return
    accessors = definition.properties.get(name)
    if accessors is not None and accessors[1] is not None:
        call_setter(ctx, definition, accessors[1], target, value, statement)
    elif accessors is not None:
        ctx.report("attribute-assignment", statement, name=name, reason="read-only")
    else:
        ctx.report("attribute-outside-init", statement, name=name, type=owner, known=tuple(definition.attributes))


def call_setter(
    ctx: FunctionContext,
    definition: ClassDefinition | ModuleDefinition,
    setter: FunctionValue,
    target: ast.Attribute,
    value: Simple,
    statement: ast.AST,
) -> None:
    """`owner.name = value` where that is a property."""
    compiled = ctx.program.compile_function(setter, definition)
    if compiled.failure is not None:
        ctx.inherit(compiled.failure, compiled.failure_unit or setter.unit, target)
    elif compiled.schema is not None and not compiled.running:
        node = ast.copy_location(ast.Call(target, [target], []), target)
        arguments = Arguments((NamedArgument(value, target),))
        calls.call_schemas(ctx, node, (compiled.schema,), arguments, bound=True, place=statement)


def _holds(type_: Type, owner: ClassType) -> bool:
    """Whether a type contains the class itself."""
    if is_subtype(type_, owner) and not contains_unknown(type_):
        return True
    inner: tuple[object, ...] = ()
    if isinstance(type_, (ListType, OptionalType)):
        inner = (type_.element,)
    else:
        inner = tuple(getattr(type_, "elements", ())) + tuple(getattr(type_, "members", ()))
        inner += tuple(each for each in (getattr(type_, "key", None), getattr(type_, "value", None)) if each)
    return any(_holds(each, owner) for each in inner if isinstance(each, Type))


def call_method(
    ctx: FunctionContext, place: ast.AST, method: Method, arguments: Arguments, node: ast.Call | None
) -> Simple:
    """Call a bound method: it compiles now, then its schema is matched."""
    definition, name = method.definition, method.name
    call = node if node is not None else calls.call_without_text(place)
    value = definition.methods[name]
    compiled = ctx.program.compile_function(value, definition)
    if compiled.running:
        return ctx.report("recursive-function", place, name=name, mutual=False)
    if compiled.failure is not None:
        return ctx.inherit(compiled.failure, compiled.failure_unit or value.unit, place)
    if compiled.saw_unknown:
        ctx.unknown(compiled.unknown_reason)
    if compiled.schema is None:
        return ctx.unknown()
    bound = not value.modifiers & {"staticmethod"}
    schema = compiled.schema if definition.state == "done" else without_defaults(compiled.schema)
    result = calls.call_schemas(ctx, call, (schema,), arguments, bound=bound, place=place)
    ctx.record(place, result.type, "result")
    return result


def without_defaults(schema: Schema) -> Schema:
    """A method's schema while its class compiles: defaults are set when all methods have passed."""
    return replace(schema, arguments=tuple(replace(each, default=None) for each in schema.arguments))


def call_magic(
    ctx: FunctionContext,
    node: ast.AST,
    receiver: Simple,
    method: str,
    values: tuple[Simple, ...],
    nodes: tuple[ast.expr, ...],
) -> Simple:
    """An operator or builtin that the receiver's class defines; errors stand at `node`."""
    assert isinstance(receiver.type, ClassType)
    place = node if isinstance(node, ast.expr) else ast.copy_location(ast.Name(method, ast.Load()), node)
    found = attribute_of(ctx, receiver, method, place)
    if isinstance(found, Method):
        arguments = Arguments(tuple(NamedArgument(value, each) for value, each in zip(values, nodes, strict=True)))
        return call_method(ctx, node, found, arguments, None)
    if isinstance(found, CustomMethod):
        arguments = Arguments(tuple(NamedArgument(value, each) for value, each in zip(values, nodes, strict=True)))
        return custom_classes.call_method(ctx, node, found, arguments, None)
    if isinstance(found, (ModuleMethod, ModuleSchemaMethod)):
        arguments = Arguments(tuple(NamedArgument(value, each) for value, each in zip(values, nodes, strict=True)))
        call = calls.call_without_text(node)
        call.func = place
        result = module_values.call(ctx, found, call, arguments)
        return result if isinstance(result, Simple) else UNKNOWN_VALUE
    return UNKNOWN_VALUE


def boolean_of(ctx: FunctionContext, value: Simple, node: ast.expr) -> Simple | None:
    """`__bool__` of a class instance used as a condition; None where the class has none."""
    assert isinstance(value.type, ClassType)
    if not has_method(ctx, value.type, "__bool__"):
        known = (ClassDefinition, custom_classes.CustomDefinition, ModuleDefinition)
        return None if isinstance(value.type.definition, known) else UNKNOWN_VALUE
    result = call_magic(ctx, node, value, "__bool__", (), ())
    if not result.is_unknown and result.type != BOOL:
        return ctx.report("not-boolean", node, type=result.type, magic=True)
    return result


def construct(ctx: FunctionContext, node: ast.Call, definition: ClassDefinition, arguments: Arguments) -> Simple:
    """`C(...)`: `__init__` is an ordinary method of the new object."""
    if "__init__" not in definition.methods:
        return ctx.report("class-without-init", node.func, type=definition.type)
    instance = Simple(definition.type)
    call_method(ctx, node.func, Method(instance, definition, "__init__"), arguments, node)
    return instance


def interface_schema(method: InterfaceMethod) -> Schema:
    """The schema of an interface's method."""
    assert method.interface.definition is not None
    return method.interface.definition.method_schemas()[method.name]
