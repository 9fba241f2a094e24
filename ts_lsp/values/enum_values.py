"""The values that enum members get.

Owns `automatic` (`auto()`), `combined` (flags made of flags) and the questions what a class mixes in and changes.
Invariant: a value that depends on code which is not followed is `UnknownValue`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from ts_lsp.values.evaluation import linearized
from ts_lsp.values.model import BuiltinValue, ClassValue, ConstantValue, FunctionValue, UnknownValue, Value

_MIXED_IN = {
    "enum.IntEnum": "int",
    "enum.IntFlag": "int",
    "enum.StrEnum": "str",
    "int": "int",
    "float": "float",
    "str": "str",
}
_RENAMING = frozenset({"lower", "upper", "title", "capitalize", "casefold", "swapcase"})


def mixed_in(owner: ClassValue) -> str:
    """The type of numbers or texts that the members of an enum are, too; empty where there is none."""
    names = (_builtin_name(each) for each in linearized(owner))
    return next((_MIXED_IN[name] for name in names if name in _MIXED_IN), "")


def is_flag(owner: ClassValue) -> bool:
    """Whether members are bits that combine."""
    return any(_builtin_name(each) in ("enum.Flag", "enum.IntFlag") for each in linearized(owner))


def is_integer_flag(owner: ClassValue) -> bool:
    return any(_builtin_name(each) == "enum.IntFlag" for each in linearized(owner))


def _builtin_name(value: Value) -> str:
    return value.name.removeprefix("builtins.") if isinstance(value, BuiltinValue) else ""


def keeps_values(owner: ClassValue) -> bool:
    """Whether the members of an enum have the values written: nothing of the class or of what it mixes in sets them."""
    classes = [each for each in linearized(owner) if isinstance(each, ClassValue)]
    return all(
        each.kind in ("enum", "plain") and "__new__" not in each.members and not _sets_value(each) for each in classes
    )


def _sets_value(value: ClassValue) -> bool:
    init = value.members.get("__init__")
    if init is None:
        return False
    written = ast.walk(init.node) if isinstance(init, FunctionValue) else ()
    is_set = any(isinstance(each, ast.Attribute) and each.attr == "_value_" for each in written)
    return is_set or not isinstance(init, FunctionValue)


def automatic(owner: ClassValue, name: str, earlier: Sequence[Value]) -> Value:
    """What `auto()` gives the member `name`, after members of the `earlier` values."""
    for each in linearized(owner):
        generator = each.members.get("_generate_next_value_") if isinstance(each, ClassValue) else None
        if generator is not None:
            return _generated(generator, name)
        if _builtin_name(each) == "enum.StrEnum":
            return ConstantValue(name.lower())
    numbers = [each.value for each in earlier if isinstance(each, ConstantValue) and isinstance(each.value, int)]
    if len(numbers) < len(earlier):
        return UnknownValue("automatic value")
    if is_flag(owner):
        return ConstantValue(1 << max((each.bit_length() for each in numbers), default=0))
    return ConstantValue(numbers[-1] + 1 if numbers else 1)


def _generated(generator: Value, name: str) -> Value:
    """What a `_generate_next_value_` that only looks at the name gives."""
    node = generator.node if isinstance(generator, FunctionValue) else None
    statement = node.body[-1] if isinstance(node, ast.FunctionDef) else None
    if not isinstance(node, ast.FunctionDef) or not isinstance(statement, ast.Return) or not node.args.args:
        return UnknownValue("automatic value")
    found, method = statement.value, ""
    if isinstance(found, ast.Call) and isinstance(found.func, ast.Attribute) and not (found.args or found.keywords):
        method, found = found.func.attr, found.func.value
    if len(node.body) > 1 or not isinstance(found, ast.Name) or found.id != node.args.args[0].arg:
        return UnknownValue("automatic value")
    if method and method not in _RENAMING:
        return UnknownValue("automatic value")
    return ConstantValue(getattr(name, method)() if method else name)


def combined(node: ast.expr, member: Callable[[str], Value]) -> Value:
    """A value written with the members above it: `READ | WRITE`."""
    if isinstance(node, ast.Name):
        return member(node.id)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitOr, ast.BitAnd, ast.BitXor)):
        left, right = combined(node.left, member), combined(node.right, member)
        if isinstance(left, ConstantValue) and isinstance(right, ConstantValue):
            a, b = left.value, right.value
            if isinstance(a, int) and isinstance(b, int):
                joined = (
                    a | b if isinstance(node.op, ast.BitOr) else a & b if isinstance(node.op, ast.BitAnd) else a ^ b
                )
                return ConstantValue(joined)
    return UnknownValue("value of several members")
