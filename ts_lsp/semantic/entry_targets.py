"""What is handed to `torch.jit.script` and is no plain function: how the compiler refuses it.

Owns the findings that stand at an entry point rather than in a definition's text.
Invariant: where the source does not show what the target is, there is nothing to say.
"""

from __future__ import annotations

import ast

from ts_lsp.semantic.facts import DefinitionFacts, Finding, Place, Related
from ts_lsp.text import Range, range_of
from ts_lsp.torchdata.loader import TorchData
from ts_lsp.torchdata.objects import ScriptFunction
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    DictValue,
    EntryPoint,
    FunctionValue,
    InstanceValue,
    PartialValue,
    SequenceValue,
    TorchValue,
    Unit,
    Value,
)

_DERIVED = frozenset({"namedtuple", "exception", "typed_dict"})
"""Kinds of classes that have a base other than `object`."""
_PLAIN_DATA = frozenset(
    ["int", "float", "bool", "complex", "str", "bytes", "tuple", "set", "frozenset", "range", "generator"]
)
"""Types whose objects the compiler refuses as being of a built-in class. A list or dict it takes."""


def compiled_function(entry: EntryPoint) -> FunctionValue | None:
    """The function whose text compiles: a bound method is one whose `self` is a parameter like any other."""
    target = entry.target
    if isinstance(target, PartialValue) and target.kind == "method" and isinstance(target.of, FunctionValue):
        return None if "classmethod" in target.of.modifiers else target.of
    return target if isinstance(target, FunctionValue) else None


def refused_entry(entry: EntryPoint) -> DefinitionFacts | None:
    """The facts of an entry point that the compiler refuses before it reads any text; None for all others."""
    target = entry.target
    if isinstance(target, FunctionValue) and target.overloads:
        lines = target.unit.chunk.lines
        whole = range_of(target.node, lines)
        name_end = lines.line(whole.line).find(target.name, whole.column) + len(target.name)
        place = Range(whole.line, whole.column, whole.line, max(name_end, whole.column + 1))
        return _refused("overloaded-entry-point", target.qualname, target.unit, target.node, place)
    if isinstance(target, ClassValue):
        if target.kind == "module":
            return _refused_class("module-class", entry, target, entry.unit)
        if target.kind in _DERIVED:
            return _refused_class("class-inheritance", entry, target, entry.unit)
    if not _has_no_source(target):
        return None
    shown = _argument(entry) or entry.node
    name = ast.unparse(shown) if isinstance(shown, (ast.Name, ast.Attribute, ast.Subscript)) else ""
    place = range_of(entry.node, entry.unit.chunk.lines)
    return _refused("source-unavailable", name, entry.unit, entry.node, place)


def failing_elsewhere(entry: EntryPoint, failure: Finding, unit: Unit) -> DefinitionFacts | None:
    """The facts of an entry point whose target fails in a text that is not looked at: told where it is handed over."""
    shown = _argument(entry) or entry.node
    if not isinstance(shown, ast.expr) or entry.unit is None:
        return None
    place = range_of(shown, entry.unit.chunk.lines)
    related = (Related("callee-error", Place(unit, failure.place), {"code": failure.code}),)
    data = {"callee": failure.definition, "code": failure.code}
    finding = Finding("failing-callee", place, "", data, related, shown)
    return DefinitionFacts("", "function", entry.unit, shown, "error", failure, None, (finding,), first_error_unit=unit)


def _has_no_source(target: Value) -> bool:
    """Whether an object is neither a module nor of a class or function with text."""
    if isinstance(target, PartialValue):
        return target.kind in ("lru_cache", "generated")
    if isinstance(target, SequenceValue):
        return target.kind != "list"
    if isinstance(target, TorchValue):
        return target.path.startswith("math.")
    if isinstance(target, InstanceValue):
        return isinstance(target.of, BuiltinValue) and target.of.name in _PLAIN_DATA
    plain = isinstance(target, BuiltinValue) and "." not in target.name and target.name != "object"
    return plain or isinstance(target, ConstantValue)


def verdict_without_text(target: Value, torch: TorchData) -> str:
    """What the compiler says of a target that has no text here."""
    if isinstance(target, ClassValue) and target.kind == "enum":
        return "ok"
    if isinstance(target, (DictValue, SequenceValue)):
        elements = [item for _, item in target.items] if isinstance(target, DictValue) else target.elements
        kinds = {type(each.value) if isinstance(each, ConstantValue) else None for each in elements}
        return "ok" if len(kinds) <= 1 and None not in kinds else "unknown"
    if isinstance(target, TorchValue):
        described = torch.python_object(target.path)
        compiles = isinstance(described, ScriptFunction) and described.schemas and described.refusal is None
        return "ok" if compiles else "unknown"
    return "unknown"


def class_of_instance(target: Value) -> ClassValue | None:
    """The class that compiles for an object of it. Attributes without a type of their own could be anything."""
    owner = target.of if isinstance(target, InstanceValue) else None
    if not isinstance(owner, ClassValue) or owner.kind not in ("plain", "dataclass") or owner.bases:
        return None
    init = owner.members.get("__init__")
    if isinstance(init, FunctionValue):
        signature = init.node.args
        typed = [each.annotation is not None for each in (*signature.args, *signature.kwonlyargs)[1:]]
        return owner if all(typed) else None
    return owner if init is None else None


def _argument(entry: EntryPoint) -> ast.expr | None:
    """What the call of an entry point is given, as written."""
    call = entry.node
    if not isinstance(call, ast.Call):
        return None
    named = [each.value for each in call.keywords if each.arg == "obj"]
    return next(iter((*call.args, *named)), None)


def _refused_class(code: str, entry: EntryPoint, target: ClassValue, unit: Unit) -> DefinitionFacts | None:
    """A class that is no script class, shown where it is named."""
    shown = _argument(entry) or target.node
    if shown is None:
        return None
    if shown is target.node:
        lines = target.unit.chunk.lines
        start = range_of(shown, lines)
        column = lines.line(start.line).find(target.name, start.column)
        place = Range(start.line, column, start.line, column + len(target.name))
        return _refused(code, target.name, target.unit, shown, place)
    return _refused(code, target.name, unit, shown, range_of(shown, unit.chunk.lines))


def _refused(code: str, name: str, unit: Unit, node: ast.AST, place: Range) -> DefinitionFacts:
    finding = Finding(code, place, name, {"name": name} if name else {}, (), node)
    return DefinitionFacts(name, "function", unit, node, "error", finding, None, (finding,), first_error_unit=unit)
