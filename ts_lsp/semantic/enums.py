"""Enums as the compiler sees them.

Owns the way from an enum class to its type, and which of its methods are compiled.
Invariant: an enum is read when it is first named, and is the same or refused from then on.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ts_lsp.semantic import inference
from ts_lsp.semantic.facts import Finding
from ts_lsp.semantic.naming import qualified_name
from ts_lsp.text import Range, range_of
from ts_lsp.types.model import DEVICE, FLOAT, INT, STR, TENSOR, ClassType, EnumType, Type
from ts_lsp.values.enum_values import is_flag, is_integer_flag, keeps_values, mixed_in
from ts_lsp.values.model import (
    ClassValue,
    ConstantValue,
    DictValue,
    EnumMemberValue,
    InstanceValue,
    SequenceValue,
    TorchValue,
    Value,
)

if TYPE_CHECKING:
    from ts_lsp.semantic.context import FunctionContext
    from ts_lsp.semantic.program import Program

MIXED_IN_TYPES = {"int": INT, "float": FLOAT, "str": STR}
_LISTED = frozenset({"__contains__", "__getitem__", "__iter__", "__len__"})
_DATA_TYPES: dict[str, type] = {"int": int, "float": float, "str": str}


def enum_type(ctx: FunctionContext, value: ClassValue, node: ast.expr) -> EnumType | None:
    """The type of an enum class; None where it is none, which is told at the class if it has a text."""
    known = ctx.program.enums.get(value)
    if known is not None:
        ctx.program.reach.answered("enum", value)
        return known
    with ctx.program.reach.once("enum", value):
        return _enum_type(ctx, value, node)


def _enum_type(ctx: FunctionContext, value: ClassValue, node: ast.expr) -> EnumType | None:
    refused = ctx.program.refused_enums.get(value)
    if refused is not None:
        ctx.inherit(refused, value.unit, node)
        return None
    if not _compiles(ctx, value, node):
        return None
    members = _own_members(value)
    types = [_value_type(ctx, member) for member in members.values()]
    if None in types or (not members and value.members):
        ctx.unknown(f"values of {value.name}")
        return None
    fault = _fault(value, list(members), [type_ for type_ in types if type_ is not None])
    if fault is not None:
        ctx.program.refused_enums[value] = fault
        ctx.inherit(fault, value.unit, node)
        return None
    value_type = types[0]
    assert value_type is not None
    enum = EnumType(qualified_name(value), value_type, tuple(members))
    ctx.program.enums[value] = enum
    return enum


def _compiles(ctx: FunctionContext, value: ClassValue, node: ast.expr) -> bool:
    """The class compiles before its values are looked at, as far as Python's listing of the class shows methods."""
    where = node if hasattr(node, "lineno") else ctx.function.node
    if value.node is None:
        ctx.report("source-unavailable", where, name=value.name, reason="enum")
        return False
    if is_integer_flag(value):
        ctx.report("invalid-enum", where, name=value.name, reason="integer-flag")
        return False
    definition = ctx.program.define_class(value)
    if definition.state == "running":
        ctx.unknown(f"{value.name} while it compiles")
        return False
    if definition.failure is not None:
        ctx.inherit(definition.failure, definition.failure_unit or value.unit, node)
        return False
    if definition.saw_unknown:
        ctx.unknown(f"class {value.name}")
    return True


def is_compiled_member(program: Program, value: ClassValue, name: str) -> bool:
    """Whether a name in the body of an enum is among those that Python lists for the class, besides its members.

    These are a few of every class's, and the names of the type of numbers or texts that the members are, too.
    """
    if name == "__new__":
        return False
    version = program.modules.member("sys", "version_info")
    parts = version.elements if isinstance(version, SequenceValue) else ()
    minor = parts[1].value if len(parts) > 1 and isinstance(parts[1], ConstantValue) else None
    if isinstance(minor, int) and minor < 11:
        return False
    data_type = mixed_in(value)
    return name in _LISTED or (data_type != "" and name in dir(_DATA_TYPES[data_type]))


def _fault(value: ClassValue, names: list[str], types: list[Type]) -> Finding | None:
    """What keeps an enum from being one, at the member that does not fit or at the class."""
    if not types:
        return _finding(value, "", "empty")
    odd = next((index for index, type_ in enumerate(types) if type_ != types[0]), None)
    if odd is not None:
        return _finding(value, names[odd], "mixed")
    return None if types[0] in (INT, FLOAT, STR) else _finding(value, names[0], "value-type")


def _finding(value: ClassValue, member: str, reason: str) -> Finding:
    assert value.node is not None
    node: ast.stmt = value.node
    for statement in value.node.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else ()
        if any(isinstance(target, ast.Name) and target.id == member for target in targets):
            node = statement
    place = range_of(node, value.unit.chunk.lines)
    if node is value.node:
        place = Range(place.line, place.column, place.line, place.column + len("class"))
    data = {"name": value.name, "reason": reason, "member": member}
    return Finding("invalid-enum", place, value.qualname, data, (), node)


def _own_members(value: ClassValue) -> dict[str, EnumMemberValue]:
    """An enum's members without aliases, whose value an earlier member has; of a flag only the single bits."""
    members: dict[str, EnumMemberValue] = {}
    seen: list[Value] = []
    flags = is_flag(value)
    for name, member in value.members.items():
        if not isinstance(member, EnumMemberValue):
            continue
        content = member.value
        if isinstance(content, ConstantValue):
            if content in seen or (flags and not _is_bit(content.value)):
                continue
            seen.append(content)
        members[name] = member
    return members


def _is_bit(value: object) -> bool:
    return not isinstance(value, int) or (value > 0 and value & (value - 1) == 0)


def _value_type(ctx: FunctionContext, member: EnumMemberValue) -> Type | None:
    """The TorchScript type of one member's value; None where it is not known."""
    data_type = mixed_in(member.owner)
    if data_type and keeps_values(member.owner):
        return MIXED_IN_TYPES[data_type]
    value = member.value
    if isinstance(value, ConstantValue):
        for python_type, type_ in ((bool, None), (int, INT), (float, FLOAT), (str, STR)):
            if isinstance(value.value, python_type):
                return type_ if type_ is not None else ClassType("bool")
        return ClassType(type(value.value).__name__)
    if isinstance(value, TorchValue):
        found = inference.value_type(ctx, value)
        return ClassType(found.python_type) if isinstance(found, inference.Dropped) else found
    if isinstance(value, (SequenceValue, DictValue)):
        return ClassType(value.kind if isinstance(value, SequenceValue) else "dict")
    if isinstance(value, InstanceValue):
        return {"torch.Tensor": TENSOR, "torch.device": DEVICE}.get(getattr(value.of, "path", ""))
    return None
