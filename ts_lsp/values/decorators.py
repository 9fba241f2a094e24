"""What decorators make of functions and classes.

Owns `decorated`. Invariant: a decorator whose effect the source does not show leaves the function under its name with
the modifier `unknown`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from ts_lsp.records import replace
from ts_lsp.values.known import TEST_TOOLS
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    FunctionValue,
    InstanceValue,
    PartialValue,
    ScriptedValue,
    TorchValue,
    TracedValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.naming import name_set
from ts_lsp.values.scopes import View
from ts_lsp.values.torchnames import INTERFACE, MODIFIERS, TRACE_DECORATORS, TRANSPARENT, WRAPPERS

Call = Callable[[FunctionValue, Sequence[Value], View], Value]

_BUILTIN_MODIFIERS = {
    "staticmethod": "staticmethod",
    "abc.abstractstaticmethod": "staticmethod",
    "classmethod": "classmethod",
    "abc.abstractclassmethod": "classmethod",
    "property": "property",
    "abc.abstractproperty": "property",
}
_TRANSPARENT = name_set(
    """
    abc.abstractmethod typing.abstractmethod typing.final typing.overload typing.override typing.no_type_check
    typing.runtime_checkable typing.deprecated typing.dataclass_transform functools.total_ordering enum.unique
    enum.verify enum.member enum.nonmember
    """
)
_CACHES = {"functools.lru_cache": "lru_cache", "functools.cache": "lru_cache"}
_DESCRIPTORS = {"functools.cached_property": "cached_property", "functools.partialmethod": "partial"}
_LIBRARY_WRAPPERS = name_set("contextlib.contextmanager contextlib.asynccontextmanager functools.singledispatch")
_ALL_BUILTINS = frozenset(
    {
        *_BUILTIN_MODIFIERS,
        *_TRANSPARENT,
        *_CACHES,
        *_DESCRIPTORS,
        *_LIBRARY_WRAPPERS,
        "dataclasses.dataclass",
        "enum._simple_enum",
        "functools.wraps",
    }
)


class LibraryScope:
    """The globals of a wrapper that lives in a library: nothing of the user's, only what the compiler always finds."""

    def __init__(self, builtin: Callable[[str], Value | None]) -> None:
        self._builtin = builtin

    def lookup(self, name: str) -> Value | None:
        return self._builtin(name)

    def lookup_global(self, name: str) -> Value | None:
        return self._builtin(name)


def decorates(value: Value) -> bool:
    """Whether calling this value with a function or class is understood here."""
    if isinstance(value, TorchValue):
        return value.path in MODIFIERS or value.path in WRAPPERS or value.path in TRANSPARENT
    return isinstance(value, BuiltinValue) and (value.name in _ALL_BUILTINS or _is_test_tool(value.name))


def decorated(target: Value, decorator: Value, at: View, call: Call, named_entry: bool = False) -> Value:
    """The value of `decorator(target)`, for a function or class just defined.

    `named_entry`: the user says that a decorator of this name hands its argument to the compiler.
    """
    if isinstance(decorator, PartialValue) and decorator.kind == "partial" and not decorator.arguments:
        return decorated(target, decorator.of, at, call, named_entry)
    if named_entry and isinstance(target, (FunctionValue, ClassValue)):
        return replace(target, modifiers=target.modifiers | {"script"})
    if isinstance(target, FunctionValue):
        return _decorated_function(target, decorator, at, call)
    if isinstance(target, ClassValue):
        return _decorated_class(target, decorator, at, call)
    if isinstance(target, PartialValue) and decorates(decorator):
        return target
    return target if decorates(decorator) else UnknownValue("decorated by something unknown")


def _decorated_function(target: FunctionValue, decorator: Value, at: View, call: Call) -> Value:
    if isinstance(decorator, FunctionValue):
        return _by_user_function(target, decorator, at, call)
    if isinstance(decorator, ClassValue):
        return InstanceValue(decorator, (target,))
    name, keywords = _described(decorator)
    if name in TRACE_DECORATORS and isinstance(decorator, InstanceValue):
        return TracedValue(target, decorator.arguments)
    if name == "functools.wraps":
        return _wrapping(target, decorator)
    modifier = MODIFIERS.get(name) or _BUILTIN_MODIFIERS.get(name)
    if modifier is not None:
        return with_modifier(target, _dropped(modifier, keywords))
    if name in WRAPPERS or name in _LIBRARY_WRAPPERS:
        wrapped = target.modifiers | {"wrapped"}
        return replace(target, modifiers=wrapped, wrapper_scope=LibraryScope(at.scope.interpreter.builtin))
    if name in _TRANSPARENT or name in TRANSPARENT or _is_test_tool(name):
        return target
    if name in _CACHES:
        return PartialValue(target, _CACHES[name])
    return PartialValue(target, _DESCRIPTORS[name]) if name in _DESCRIPTORS else with_modifier(target, "unknown")


def with_modifier(target: FunctionValue, modifier: str) -> FunctionValue:
    """The same function with one modifier more; torch keeps the outermost of `export`, `ignore` and `unused`."""
    kept = target.modifiers
    if modifier in ("export", "ignore", "unused", "drop"):
        kept -= {"export", "ignore", "unused", "drop"}
    return replace(target, modifiers=kept | {modifier})


def _by_user_function(target: FunctionValue, decorator: FunctionValue, at: View, call: Call) -> Value:
    result = call(decorator, [target], at)
    if isinstance(result, ScriptedValue) and result.of is target:
        return with_modifier(target, "script")
    return with_modifier(target, "unknown") if isinstance(result, UnknownValue) else result


def _wrapping(wrapper: FunctionValue, decorator: Value) -> Value:
    """`@functools.wraps(f) def wrapper`: the compiler reads the source of `f` but the names of `wrapper`."""
    original = decorator.arguments[0] if isinstance(decorator, InstanceValue) and decorator.arguments else None
    if isinstance(original, FunctionValue):
        scope = wrapper.wrapper_scope or wrapper.scope
        return replace(original, modifiers=original.modifiers | {"wrapped"}, wrapper_scope=scope)
    return UnknownValue("wraps something unknown")


def _decorated_class(target: ClassValue, decorator: Value, at: View, call: Call) -> Value:
    if isinstance(decorator, FunctionValue):
        result = call(decorator, [target], at)
        if isinstance(result, UnknownValue):
            return replace(target, modifiers=target.modifiers | {"unknown"})
        return result
    known, _ = class_effect(decorator)
    return target if known is not None else replace(target, modifiers=target.modifiers | {"unknown"})


def class_effect(decorator: Value) -> tuple[frozenset[str] | None, str | None]:
    """Modifiers and kind that a decorator gives a class; None where its effect is not known."""
    name, _ = _described(decorator)
    if name in INTERFACE:
        return frozenset({"interface"}), "interface"
    if name in ("dataclasses.dataclass", "enum._simple_enum"):
        return frozenset(), "enum" if name.startswith("enum") else "dataclass"
    if name in MODIFIERS:
        return frozenset({MODIFIERS[name]}), None
    return (frozenset(), None) if name in _TRANSPARENT or _is_test_tool(name) else (None, None)


def _described(decorator: Value) -> tuple[str, dict[str, Value]]:
    """The dotted name of a decorator of torch or the standard library, called or not, and its keywords."""
    keywords: dict[str, Value] = {}
    if isinstance(decorator, InstanceValue):
        keywords = dict(decorator.keywords)
        decorator = decorator.of
    if isinstance(decorator, TorchValue):
        return decorator.path, keywords
    return (decorator.name if isinstance(decorator, BuiltinValue) else ""), keywords


def _dropped(modifier: str, keywords: dict[str, Value]) -> str:
    drop = keywords.get("drop")
    return "unused" if modifier == "ignore" and isinstance(drop, ConstantValue) and drop.value else modifier


def _is_test_tool(name: str) -> bool:
    return name.partition(".")[0] in TEST_TOOLS


def setter_of(decorator: ast.expr) -> str | None:
    """`x` for a decorator written `@x.setter`, `@x.getter` or `@x.deleter`."""
    if isinstance(decorator, ast.Attribute) and decorator.attr in ("setter", "getter", "deleter"):
        return decorator.value.id if isinstance(decorator.value, ast.Name) else None
    return None
