"""Classes as the compiler sees them: script classes, enums, NamedTuples, interfaces.

Owns the way from a Python class to a type.
Invariant: a class compiles whole the first time it is mentioned, and is known by its qualified name from then on.
"""

from __future__ import annotations

import ast
import builtins
from types import BuiltinFunctionType
from typing import TYPE_CHECKING

from ts_lsp.semantic import enums, interfaces, named_tuples
from ts_lsp.semantic.class_definitions import ClassDefinition
from ts_lsp.semantic.naming import qualified_name
from ts_lsp.semantic.sugared import (
    UNKNOWN_VALUE,
    ClassConstructor,
    EnumClass,
    ExceptionClass,
    InterfaceClass,
    ModuleClass,
    NamedTupleConstructor,
    PythonValue,
    Sugared,
    UninstantiableClass,
)
from ts_lsp.types.model import (
    Type,
)
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    PartialValue,
    TorchValue,
    TypingValue,
    UnknownValue,
    Value,
)

if TYPE_CHECKING:
    from ts_lsp.semantic.context import FunctionContext


def class_sugared(ctx: FunctionContext, value: ClassValue, node: ast.expr) -> Sugared:
    """A Python class named as a value."""
    kind = value.kind
    if kind == "exception":
        return ExceptionClass(value.name)
    if kind == "enum":
        enum = enums.enum_type(ctx, value, node)
        return UNKNOWN_VALUE if enum is None else EnumClass(enum, value)
    if kind == "namedtuple":
        named = named_tuples.named_tuple_type(ctx, value, node)
        return UNKNOWN_VALUE if named is None else NamedTupleConstructor(named)
    if kind == "interface":
        return InterfaceClass(interfaces.interface_type(ctx.program, value))
    if kind in ("module", "script_module"):
        known = ctx.program.module_types_so_far(qualified_name(value))
        return ModuleClass(value, known[0][1]) if known else PythonValue(value, "type")
    if has_builtin_base(value):
        return PythonValue(value, "type")
    if kind in ("unknown", "typed_dict"):
        return ctx.unknown(f"class {value.name}")
    return script_class_sugared(ctx, value, node)


def script_class_sugared(ctx: FunctionContext, value: ClassValue, node: ast.expr) -> Sugared:
    """A class that compiles as a script class, or its failure."""
    if is_left_out(ctx, value):
        return UninstantiableClass(value.name)
    if "unknown" in value.modifiers:
        return ctx.unknown()
    definition = ctx.program.define_class(value)
    if definition.state == "running" and ctx.owner is not definition:
        return ctx.report("recursive-function", node, name=value.name, mutual=True)
    if definition.failure is not None and definition.state == "done":
        return ctx.inherit(definition.failure, definition.failure_unit or value.unit, node)
    if definition.saw_unknown:
        ctx.unknown(f"class {value.name}")
    return ClassConstructor(definition if ctx.owner is definition else _registered(ctx, definition))


def _registered(ctx: FunctionContext, definition: ClassDefinition) -> ClassDefinition:
    """What the compiler finds under the qualified name of a class: the first class of that name.

    Whether one function of the program runs after another is not known, so what each of them compiles stays apart.
    """
    value, table = definition.value, ctx.program.class_names
    top = table.get((value.unit.path, definition.type.qualname, ""))
    around = value.qualname.rpartition(".<locals>.")[0]
    first = table.setdefault((value.unit.path, definition.type.qualname, around), top or definition)
    return definition if first is definition else ctx.program.first_of_namesakes(first)


def is_left_out(ctx: FunctionContext, value: ClassValue) -> bool:
    """Whether a class is none that compiles when it is mentioned: one to ignore, or with a routine without a text."""
    if value.modifiers & {"ignore", "unused"}:
        return True
    return not ctx.program.is_scripted(value) and any(_has_no_code(member) for member in value.members.values())


def _has_no_code(member: Value) -> bool:
    """Whether a name of a class body is a routine of C, or one that a cache hides."""
    if isinstance(member, PartialValue):
        return member.kind in ("lru_cache", "cached_property")
    return isinstance(member, BuiltinValue) and member.name.rpartition(".")[2] in _ROUTINES


_ROUTINES = frozenset(name for name, each in vars(builtins).items() if isinstance(each, BuiltinFunctionType))


def has_builtin_base(value: ClassValue) -> bool:
    """Whether a class derives from `tuple` or `list`, which no script class may."""
    return any(
        (isinstance(base, BuiltinValue) and base.name.rsplit(".", 1)[-1] in ("tuple", "list"))
        or (isinstance(base, ClassValue) and has_builtin_base(base))
        for base in value.bases
    )


def class_type(ctx: FunctionContext, value: ClassValue, node: ast.expr) -> Type | None:
    """The type a class names in an annotation; None where it is none, after reporting a failure of its own."""
    if value.kind == "enum":
        return enums.enum_type(ctx, value, node)
    if value.kind == "namedtuple":
        return named_tuples.named_tuple_type(ctx, value, node)
    if value.kind == "interface":
        return interfaces.interface_type(ctx.program, value)
    found = script_class_sugared(ctx, value, node)
    return ctx.program.define_class(value).type if isinstance(found, ClassConstructor) else None


AUTOGRAD_FUNCTION = ("torch.autograd.Function", "torch.autograd.function.Function")
AUTOGRAD_APPLY = TorchValue("torch.autograd.Function.apply")


def class_member(value: ClassValue, name: str) -> Value | None:
    """What `Class.name` is, by the class and those it derives from; None where there is no such attribute."""
    found = value.members.get(name)
    if found is not None:
        return found
    for base in value.bases:
        if isinstance(base, ClassValue):
            found = class_member(base, name)
        elif isinstance(base, TorchValue) and base.path in AUTOGRAD_FUNCTION and name == "apply":
            found = AUTOGRAD_APPLY
        elif not (isinstance(base, (BuiltinValue, TypingValue)) and base.name.rsplit(".", 1)[-1] == "object"):
            found = UnknownValue(f"{value.name}.{name}")
        if found is not None:
            return found
    return None
