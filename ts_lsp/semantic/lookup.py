"""Names and Python values: what a name means inside compiled code.

Owns `resolve_name` (frames, then the fixed builtins, then Python) and `to_sugared` (a Python value as the compiler
sees it).
Invariant: naming a Python function or class compiles it, before any argument is looked at.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ts_lsp.semantic import classes, enums, opaque_objects, special_forms, traced
from ts_lsp.semantic.class_definitions import ClassDefinition
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.facts import Related
from ts_lsp.semantic.sugared import (
    UNKNOWN_VALUE,
    Builtin,
    Cast,
    ContextClass,
    CustomConstructor,
    DispatchFunction,
    ExceptionClass,
    Literal,
    Magic,
    NamedTupleConstructor,
    OpaqueCallable,
    OperatorNamespace,
    OverloadedFunction,
    Print,
    PythonModule,
    PythonValue,
    SchemaFunction,
    Simple,
    SliceClass,
    SpecialForm,
    Sugared,
    UninstantiableClass,
    UserFunction,
)
from ts_lsp.torchdata import objects
from ts_lsp.types.model import (
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    STR,
    TENSOR,
    NamedTupleType,
    TupleType,
    Type,
)
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    DictValue,
    EnumMemberValue,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    PartialValue,
    ScriptedValue,
    SequenceValue,
    TorchValue,
    TracedValue,
    TypingValue,
    UnknownValue,
    Value,
)

FIXED: dict[str, Sugared] = {
    "print": Print(),
    "tuple": SpecialForm("tuple"),
    "float": Cast("float", "aten::Float", FLOAT),
    "complex": Cast("complex", "aten::Complex", COMPLEX),
    "int": Cast("int", "aten::Int", INT),
    "bool": Cast("bool", "aten::Bool", BOOL),
    "str": Cast("str", "aten::str", STR),
    "getattr": SpecialForm("getattr"),
    "hasattr": SpecialForm("hasattr"),
    "isinstance": SpecialForm("isinstance"),
    "_to_tensor": Cast("_to_tensor", "aten::_to_tensor", TENSOR),
    "len": Magic("__len__", "aten::len"),
    "hex": Magic("__hex__", "aten::hex"),
    "oct": Magic("__oct__", "aten::oct"),
    "round": Magic("__round__", "aten::round"),
    "hash": Builtin("aten::hash"),
    "id": Builtin("prim::id"),
    "min": Builtin("prim::min"),
    "max": Builtin("prim::max"),
    "abs": Builtin("prim::abs"),
    "all": Builtin("aten::all"),
    "any": Builtin("aten::any"),
    "divmod": Builtin("aten::divmod"),
    "sum": Builtin("aten::sum"),
    "list": SpecialForm("list"),
    "dict": SpecialForm("dict"),
    "ord": Builtin("aten::ord"),
    "chr": Builtin("aten::chr"),
    "bin": Builtin("aten::bin"),
    "pow": Builtin("aten::pow"),
    "range": SpecialForm("range"),
    "zip": SpecialForm("zip"),
    "enumerate": SpecialForm("enumerate"),
    "rangelist": Builtin("prim::rangelist"),
    "sorted": Builtin("aten::sorted"),
    "AssertionError": ExceptionClass("AssertionError"),
}

CONSTANT_TYPES: dict[str, Type] = {
    "dtype": INT,
    "layout": INT,
    "memory_format": INT,
    "qscheme": INT,
    "device": DEVICE,
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "complex": COMPLEX,
    "str": STR,
    "None": NONE,
}


def resolve_name(ctx: FunctionContext, name: str, node: ast.expr) -> Sugared:
    """What `name` stands for; an undefined name is reported at `node`."""
    found = ctx.environment.find(name)
    if found is not None:
        return found
    fixed = FIXED.get(name)
    if fixed is not None:
        return fixed
    if name.startswith("__jit"):
        return UNKNOWN_VALUE
    if ctx.owner is None and name == ctx.function.name:
        return UserFunction(ctx.function)
    value = python_name(ctx, name)
    if value is None:
        return _undefined(ctx, name, node)
    return to_sugared(ctx, value, node, as_constant=False)


def python_name(ctx: FunctionContext, name: str, in_annotation: bool = False) -> Value | None:
    """The Python value behind a bare name; None where it is not defined, or is None (the compiler cannot tell).

    A local of an enclosing function is captured by the body's use of it; an annotation alone does not see it, unless
    the local was handed to a call that may have made it global.
    """
    if in_annotation and not isinstance(ctx.owner, ClassDefinition):
        value = ctx.scope.lookup_global(name)
        if _is_seen_by_all(ctx, name, value):
            return value
        is_own_class = ctx.function.owner is not None and name == ctx.function.owner.name
        is_hidden = name not in ctx.captured and name not in ctx.program.escaping(ctx.unit)
        if is_hidden and (value is not None or not is_own_class):
            return value
    if isinstance(ctx.owner, ClassDefinition) and name == ctx.owner.value.name:
        return ctx.owner.value
    value = ctx.scope.lookup(name)
    if value is None and ctx.function.owner is not None and name == ctx.function.owner.name:
        return ctx.function.owner
    if isinstance(value, ConstantValue) and value.value is None:
        return None
    return value


def _is_seen_by_all(ctx: FunctionContext, name: str, value: Value | None) -> bool:
    """Whether a global name means the same to the body of the definition, however that uses it."""
    if value is None or isinstance(value, ConstantValue):
        return False
    seen = ctx.scope.lookup(name)
    return seen is value or (isinstance(value, BuiltinValue) and seen == value)


def _undefined(ctx: FunctionContext, name: str, node: ast.expr) -> Sugared:
    missing = ctx.environment.missing.get(name)
    if ctx.is_broken:
        return ctx.unknown("text that does not parse")
    if missing is None:
        return ctx.report("undefined-name", node, name=name)
    related: tuple[Related, ...] = (ctx.related("branches", missing.statement, details=missing.data),)
    return ctx.report(missing.code, node, related=related, name=name, details=missing.data)


def to_sugared(ctx: FunctionContext, value: Value, node: ast.expr, *, as_constant: bool) -> Sugared:
    """A Python value inside compiled code. `as_constant`: it was reached through a Python module."""
    if isinstance(value, UnknownValue):
        chosen = _alike(ctx, value.candidates)
        return ctx.unknown(value.reason) if chosen is None else function_sugared(ctx, chosen, node)
    if isinstance(value, ScriptedValue):
        return _scripted(ctx, value, node)
    if isinstance(value, PartialValue) and value.kind == "generated":
        return ctx.report("source-unavailable", node, name=ast.unparse(node))
    if isinstance(value, TracedValue):
        return traced.traced_sugared(ctx, value, node)
    if isinstance(value, FunctionValue):
        return _function(ctx, value, node)
    if isinstance(value, ClassValue):
        return classes.class_sugared(ctx, value, node)
    if isinstance(value, EnumMemberValue):
        enum = enums.enum_type(ctx, value.owner, node)
        return UNKNOWN_VALUE if enum is None else Simple(enum)
    if isinstance(value, TorchValue):
        return torch_sugared(ctx, value.path, node, as_constant)
    if isinstance(value, ModuleValue):
        return PythonModule(value)
    if isinstance(value, BuiltinValue):
        return _builtin(ctx, value, node)
    if isinstance(value, InstanceValue) and isinstance(value.of, ClassValue) and value.of.kind == "script_module":
        return ctx.report("captured-script-module", node, name=ast.unparse(node))
    constant = _constant(ctx, value, node) if as_constant else None
    if constant is not None:
        return constant
    return _opaque(value)


def _opaque(value: Value) -> Sugared:
    """Values that compiled code cannot take in, or can only call back."""
    if isinstance(value, ConstantValue):
        if isinstance(value.value, float) and value.value == float("inf"):
            return Simple(FLOAT, Literal(value.value))
        return PythonValue(value, type(value.value).__name__)
    if isinstance(value, SequenceValue):
        return PythonValue(value, value.kind)
    if isinstance(value, DictValue):
        return PythonValue(value, "dict")
    if isinstance(value, TypingValue):
        return PythonValue(value, "typing object")
    if isinstance(value, PartialValue):
        name = value.of.name if isinstance(value.of, FunctionValue) else value.kind
        return OpaqueCallable(value, name, value.kind)
    if isinstance(value, InstanceValue):
        return _instance(value)
    return PythonValue(value, "object")


def _instance(value: InstanceValue) -> Sugared:
    name = str(getattr(value.of, "name", None) or getattr(value.of, "path", "object")).rsplit(".", 1)[-1]
    if isinstance(value.of, ClassValue) and value.of.kind == "unknown":
        return UNKNOWN_VALUE
    if isinstance(value.of, ClassValue) and (value.of.kind == "module" or opaque_objects.call_method_of(value)):
        return OpaqueCallable(value, name, name)
    if isinstance(value.of, TorchValue) and value.of.path.startswith("torch.nn."):
        return OpaqueCallable(value, name, name)
    return PythonValue(value, name)


def _constant(ctx: FunctionContext, value: Value, node: ast.expr) -> Simple | None:
    """A value reached through a Python module, when it is of a kind that becomes a constant."""
    if isinstance(value, ConstantValue):
        content = value.value
        if content is None:
            return Simple(NONE, Literal(None))
        for python_type, type_ in ((bool, BOOL), (int, INT), (float, FLOAT), (complex, COMPLEX), (str, STR)):
            if isinstance(content, python_type):
                return Simple(type_, Literal(content))
        return None
    if isinstance(value, SequenceValue) and value.kind == "tuple":
        elements = [_constant_element(ctx, each, node) for each in value.elements]
        if any(each is None for each in elements):
            return None
        return Simple(TupleType(tuple(each.type for each in elements if each is not None)))
    if isinstance(value, InstanceValue) and isinstance(value.of, TorchValue) and value.of.path == "torch.device":
        return Simple(DEVICE)
    return None


def _constant_element(ctx: FunctionContext, value: Value, node: ast.expr) -> Simple | None:
    found = to_sugared(ctx, value, node, as_constant=True)
    return found if isinstance(found, Simple) else None


def _scripted(ctx: FunctionContext, value: ScriptedValue, node: ast.expr) -> Sugared:
    inner = value.of
    if isinstance(inner, FunctionValue):
        return _function(ctx, inner, node)
    if isinstance(inner, ClassValue):
        return classes.class_sugared(ctx, inner, node)
    if isinstance(inner, InstanceValue):
        if is_module_instance(inner):
            return ctx.report("captured-script-module", node, name=ast.unparse(node))
        return ctx.unknown("scripted instance")
    if isinstance(inner, TorchValue):
        return to_sugared(ctx, inner, node, as_constant=True)
    return ctx.unknown("scripted value")


def is_module_instance(value: InstanceValue) -> bool:
    """Whether an object is an nn.Module."""
    if isinstance(value.of, TorchValue):
        return value.of.path.startswith("torch.nn.")
    return isinstance(value.of, ClassValue) and value.of.kind in ("module", "script_module")


OPAQUE_MODIFIERS = frozenset({"ignore", "unused", "drop"})
_NOT_PLAIN = OPAQUE_MODIFIERS | {"unknown"}


def _function(ctx: FunctionContext, value: FunctionValue, node: ast.expr) -> Sugared:
    if "unknown" in value.modifiers:
        return ctx.unknown(f"decorator of {value.name}")
    if value.modifiers & OPAQUE_MODIFIERS:
        return OpaqueCallable(value, value.name, "function")
    if value.overloads:
        return OverloadedFunction(value)
    return function_sugared(ctx, value, node)


def _alike(ctx: FunctionContext, candidates: Sequence[Value]) -> FunctionValue | None:
    """One of several functions, where it makes no difference to a caller which it is: all compile to one schema."""
    plain = [each for each in candidates if isinstance(each, FunctionValue) and not each.overloads]
    if not plain or len(plain) != len(candidates) or any(each.modifiers & _NOT_PLAIN for each in plain):
        return None
    program = ctx.program.apart()
    found = set()
    for each in plain:
        compiled = program.compile_function(each)
        schema = compiled.schema
        if compiled.failure is not None or compiled.saw_unknown or compiled.running or schema is None:
            return None
        formals = [(each.name, each.type, each.default is None, each.keyword_only) for each in schema.arguments]
        found.add((tuple(formals), schema.returns))
    return plain[0] if len(found) == 1 else None


def function_sugared(ctx: FunctionContext, value: FunctionValue, node: ast.expr) -> Sugared:
    """Compile a Python function because it was named; its failure is the caller's too."""
    compiled = ctx.program.compile_function(value)
    if compiled.running:
        if value is not ctx.function:
            return ctx.report("recursive-function", node, name=value.name, mutual=True)
        return UserFunction(value)
    if compiled.failure is not None:
        return ctx.inherit(compiled.failure, compiled.failure_unit or value.unit, node)
    if compiled.saw_unknown:
        ctx.unknown(compiled.unknown_reason)
    return UserFunction(value)


def schemas_of(
    ctx: FunctionContext, callee: SchemaFunction | OverloadedFunction, node: ast.expr
) -> Sequence[Schema] | None:
    """The schemas a call chooses from; None where an overload does not compile, which stands at `node`."""
    if isinstance(callee, SchemaFunction):
        return callee.schemas
    schemas = []
    for overload in callee.value.overloads:
        compiled = ctx.program.compile_overload(callee.value, overload)
        if compiled.failure is not None:
            ctx.inherit(compiled.failure, compiled.failure_unit or overload.unit, node)
            return None
        if compiled.schema is None:
            ctx.unknown(f"overload of {overload.name}")
            return None
        schemas.append(compiled.schema)
    return schemas


def _builtin(ctx: FunctionContext, value: BuiltinValue, node: ast.expr) -> Sugared:
    """A Python builtin that has no TorchScript form of its own."""
    name = value.name.rsplit(".", 1)[-1]
    if value.name in ("slice", "builtins.slice"):
        return SliceClass()
    if name == "OrderedDict":
        return Builtin("aten::dict")
    if is_exception_name(name):
        return ExceptionClass(name)
    if value.name.startswith("torch.jit.") and name in ("annotate", "isinstance", "fork", "is_scripting"):
        return SpecialForm(name)
    if name in PYTHON_CLASSES:
        return OpaqueCallable(value, name, "type")
    if name == "NotImplemented":
        return PythonValue(value, name)
    return ctx.report("python-builtin", node, name=value.name)


PYTHON_CLASSES = frozenset({"type", "set", "frozenset", "object", "super", "map", "filter", "reversed", "bytes"}) | {
    "bytearray",
    "memoryview",
    "property",
    "staticmethod",
    "classmethod",
    "BaseException",
    "KeyboardInterrupt",
    "SystemExit",
    "GeneratorExit",
}


def is_exception_name(name: str) -> bool:
    """Whether a Python builtin of this name is an exception class."""
    import builtins

    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, Exception)


def torch_sugared(ctx: FunctionContext, path: str, node: ast.expr, as_constant: bool) -> Sugared:
    """An object of torch, math and the like, as its data file describes it."""
    if path == "torch.ops":
        return OperatorNamespace("")
    form = SPECIAL_PATHS.get(path)
    if form is not None:
        return SpecialForm(form)
    found = ctx.program.torch.python_object(path)
    if found is None:
        return ctx.unknown(path)
    return _torch_object(ctx, path, found, node, as_constant)


SPECIAL_PATHS = {
    "torch.jit.fork": "fork",
    "torch.jit._fork": "fork",
    "torch.jit._async.fork": "fork",
    "torch._C.fork": "fork",
    "torch.jit._awaitable": "awaitable",
    "torch.jit.annotate": "annotate",
    "torch.jit.isinstance": "isinstance",
    "torch.distributed.rpc.rpc_sync": "rpc_sync",
    "torch.distributed.rpc.rpc_async": "rpc_async",
    "torch.distributed.rpc.remote": "remote",
}


def _torch_object(
    ctx: FunctionContext, path: str, found: objects.TorchObject, node: ast.expr, as_constant: bool
) -> Sugared:
    if isinstance(found, objects.BuiltinOperator):
        return Builtin(found.op)
    if isinstance(found, objects.TorchConstant):
        return _torch_constant(found, as_constant, path)
    if isinstance(found, objects.TorchModule):
        return PythonModule(ModuleValue(found.path))
    if isinstance(found, objects.ScriptFunction):
        if found.refusal is not None or not found.schemas:
            return ctx.report(
                "uncompilable-torch-function", node, place=ctx.begun(node), path=path, refusal=found.refusal
            )
        return SchemaFunction(found.path, found.schemas)
    if isinstance(found, objects.BooleanDispatch):
        return DispatchFunction(path, found.argument, found.index, found.default, found.if_true, found.if_false)
    if isinstance(found, objects.SpecialForm):
        return _special_form(ctx, found)
    if isinstance(found, objects.TorchClass):
        return _torch_class(ctx, path, found, node)
    if isinstance(found, objects.CustomClass):
        custom = ctx.program.custom_class(path)
        return CustomConstructor(custom) if custom is not None else ctx.unknown(path)
    return _opaque_torch(ctx, path, found, node)


def _torch_constant(found: objects.TorchConstant, as_constant: bool, path: str) -> Sugared:
    if found.kind == "tuple":
        return Simple(TupleType(())) if as_constant and not found.value else UNKNOWN_VALUE
    type_ = CONSTANT_TYPES[found.kind]
    is_infinity = found.kind == "float" and found.value == float("inf")
    if not as_constant and not is_infinity:
        return PythonValue(TorchValue(path), found.kind)
    return Simple(type_, Literal(found.value)) if found.kind != "device" else Simple(type_)


def _special_form(ctx: FunctionContext, found: objects.SpecialForm) -> Sugared:
    return SpecialForm(found.form) if found.form in special_forms.FORM_NAMES else ctx.unknown()


def _torch_class(ctx: FunctionContext, path: str, found: objects.TorchClass, node: ast.expr) -> Sugared:
    if found.kind == "exception":
        return ExceptionClass(path.rsplit(".", 1)[-1])
    if found.kind in ("context", "script_class"):
        return ContextClass(path)
    if found.kind == "legacy_tensor":
        return SpecialForm("legacy_tensor")
    if found.operator is not None:
        return Builtin(found.operator)
    if found.kind == "namedtuple" and isinstance(found.annotation, NamedTupleType):
        return NamedTupleConstructor(found.annotation)
    if found.kind in ("enum", "namedtuple"):
        return ctx.unknown(path)
    if found.kind in ("module", "other", "tensor"):
        return UninstantiableClass(path)
    return OpaqueCallable(TorchValue(path), path.rsplit(".", 1)[-1], "type")


def _opaque_torch(ctx: FunctionContext, path: str, found: objects.TorchObject, node: ast.expr) -> Sugared:
    if isinstance(found, objects.OpaqueObject):
        if found.category == "python_builtin":
            return ctx.report("python-builtin", node, name=path)
        if found.category in ("value", "typing"):
            return PythonValue(TorchValue(path), found.type_name)
        return OpaqueCallable(TorchValue(path), path.rsplit(".", 1)[-1], found.type_name)
    return ctx.unknown()
