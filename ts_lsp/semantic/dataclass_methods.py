"""The methods that Python generates for a dataclass, as torch writes them anew.

Owns `define`, which gives a dataclass its generated methods as text of our own, and `failure_at_class`, which tells
what is wrong in one of them where the dataclass stands.
Invariant: torch writes these methods too, out of the evaluated fields, and compiles them like any other: so they
compile here with the same rules, and nothing of their text is ever shown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ts_lsp.records import dataclass
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.facts import Finding
from ts_lsp.syntax.tree import Chunk
from ts_lsp.values.fields import has_option
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    EnumMemberValue,
    FieldValue,
    FunctionValue,
    InstanceValue,
    TorchValue,
    TypingValue,
    Unit,
    Value,
)

if TYPE_CHECKING:
    from ts_lsp.semantic.class_definitions import ClassDefinition

GENERATED = "<dataclass>"
"""The path of the units that hold generated methods: no file of the program."""

_ORDER = {"__lt__": ("<", False), "__le__": ("<", True), "__gt__": (">", False), "__ge__": (">", True)}


@dataclass(frozen=True)
class _Line:
    """A line of a generated method and the field it is about."""

    text: str
    field: FieldValue | None = None


def define(definition: ClassDefinition, context: FunctionContext, is_scripted: bool) -> None:
    """Give a dataclass its generated methods; report at `context` where torch would not write them."""
    value = definition.value
    names = [name for name in _generated_names(value) if name not in value.members]
    if value.node is None:
        return
    if not has_source(value, is_scripted):
        context.report("source-unavailable", value.node, name=value.name, reason="dataclass")
        return
    factory = next((each for each in value.fields if "default_factory" in dict(each.options)), None)
    if factory is not None and "__init__" in names:
        node = factory.annotation or value.node
        context.report("mutable-default", node, parameter=factory.name, reason="factory")
        return
    for name in names:
        lines = _init(value) if name == "__init__" else _method(value, name)
        method = _as_function(value, name, lines)
        if method is None:
            context.report("dataclass-method", value.node, name=value.name, method=name, reason="text")
            return
        definition.methods[name] = method


def has_source(value: ClassValue, is_scripted: bool) -> bool:
    """Whether torch finds or writes the text of every method of a dataclass.

    It writes them for a class that is handed to it, but not those that keep the fields of a frozen one.
    """
    if _option(value, "frozen") == ConstantValue(True):
        return False
    return is_scripted or all(name in value.members for name in _generated_names(value))


def _generated_names(value: ClassValue) -> Iterator[str]:
    for name, option, default in (("__init__", "init", True), ("__repr__", "repr", True), ("__eq__", "eq", True)):
        if _option(value, option) in (None, ConstantValue(default)):
            yield name
    if _option(value, "order") == ConstantValue(True):
        yield from _ORDER
    if _option(value, "unsafe_hash") == ConstantValue(True):
        yield "__hash__"


def _option(value: ClassValue, name: str) -> Value | None:
    """An option of `@dataclass(...)`, as far as it is written as a constant."""
    for decorator in value.node.decorator_list if value.node is not None else ():
        for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
            if keyword.arg == name and isinstance(keyword.value, ast.Constant):
                return ConstantValue(keyword.value.value)
    return None


def _init(value: ClassValue) -> list[_Line]:
    keywords_only = _option(value, "kw_only") == ConstantValue(True)
    taken = [each for each in value.fields if not has_option(each, "init", False)]
    named = [each for each in taken if has_option(each, "kw_only", True) or (keywords_only and not _says(each))]
    parameters = [_Line("self", None)]
    parameters += [_parameter(each) for each in taken if each not in named]
    parameters += [_Line("*")] if named else []
    parameters += [_parameter(each) for each in named]
    lines = [_Line("def __init__(")]
    lines += [_Line(f"{each.text},", each.field) for each in parameters]
    lines.append(_Line(") -> None:"))
    lines += [_Line(f"  self.{each.name} = {each.name}", each) for each in taken if not _is_initial(each)]
    if "__post_init__" in value.members:
        lines.append(_Line(f"  self.__post_init__({', '.join(each.name for each in taken if _is_initial(each))})"))
    return [*lines, _Line("  pass")]


def _says(each: FieldValue) -> bool:
    return "kw_only" in dict(each.options)


def _is_initial(each: FieldValue) -> bool:
    return has_option(each, "init_only", True) and not _is_text(each)


def _is_text(each: FieldValue) -> bool:
    return isinstance(each.annotation_value, ConstantValue) and isinstance(each.annotation_value.value, str)


def _parameter(each: FieldValue) -> _Line:
    default = "" if each.default is None else f" = {_default_text(each.default)}"
    return _Line(f"{each.name}: {_annotation_text(each)}{default}", each)


def _default_text(value: Value) -> str:
    """How Python shows a default: only whether that reads as an expression counts."""
    plain = isinstance(value, InstanceValue) and isinstance(value.of, ClassValue) and value.of.kind == "plain"
    return "<object>" if plain or isinstance(value, (EnumMemberValue, FunctionValue, ClassValue)) else "None"


def _method(value: ClassValue, name: str) -> list[_Line]:
    if name == "__repr__":
        return [_Line("def __repr__(self) -> str:"), _Line("  return ''")]
    if name == "__hash__":
        return [_Line("def __hash__(self) -> int:"), _Line("  raise NotImplementedError('')")]
    operator, allows_equal = _ORDER.get(name, ("!=", True))
    lines = [_Line(f"def {name}(self, other: {value.name}) -> bool:")]
    for each in value.fields:
        if has_option(each, "init_only", True) or has_option(each, "compare", False):
            continue
        texts = [f"val1 = self.{each.name}", f"val2 = other.{each.name}", *_compared(each, operator)]
        lines += [_Line(f"  {text}", each) for text in texts]
    return [*lines, _Line(f"  return {allows_equal}")]


def _compared(each: FieldValue, operator: str) -> list[str]:
    equality = operator == "!="
    inner = [f"if val1 {operator} val2: return {not equality}"]
    if not equality:
        inner.append(f"elif val2 {operator} val1: return False")
    if not _is_optional(each.annotation_value):
        return inner
    otherwise = "return False" if equality else "raise TypeError('')"
    return [
        "if val1 is not None and val2 is not None:",
        *(f"  {line}" for line in inner),
        "elif (val1 is None) != (val2 is None):",
        f"  {otherwise}",
    ]


def _is_optional(value: Value | None) -> bool:
    """Whether the evaluated annotation is an Optional: one in quotes is not."""
    if not isinstance(value, TypingValue) or value.arguments is None:
        return False
    none = ConstantValue(None)
    return value.name == "Optional" or (value.name == "Union" and len(value.arguments) == 2 and none in value.arguments)


def _annotation_text(each: FieldValue) -> str:
    found = _printed(each.annotation_value)
    if found is None:
        return ast.unparse(each.annotation) if each.annotation is not None else "object"
    return found


def _printed(value: Value | None) -> str | None:
    """How Python shows an evaluated annotation in a signature; None where it is not known well enough."""
    if isinstance(value, ConstantValue):
        return repr(value.value)
    if isinstance(value, BuiltinValue):
        return value.name.rpartition(".")[2] if value.name.startswith("builtins.") else value.name
    if isinstance(value, TorchValue):
        return value.path
    if isinstance(value, ClassValue):
        module = value.unit.module
        # A file whose name is none for a module can only be the program itself.
        return f"{module if module.replace('.', '_').isidentifier() else '__main__'}.{value.qualname}"
    if isinstance(value, TypingValue):
        if value.arguments is None:
            return value.name
        arguments = [_printed(each) for each in value.arguments]
        known = [each for each in arguments if each is not None]
        inner = ", ".join(known) if known else "()"
        return f"{value.name}[{inner}]" if len(known) == len(arguments) else None
    return None


def _as_function(owner: ClassValue, name: str, lines: Sequence[_Line]) -> FunctionValue | None:
    """The method as a function; None where its text is none that parses."""
    text = "\n".join(each.text for each in lines) + "\n"
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    node = tree.body[0]
    assert isinstance(node, ast.FunctionDef)
    defaults = {each.name: each.default for each in owner.fields if each.default is not None}
    unit = Unit(GENERATED, owner.unit.module, Chunk(text, tree), 0)
    return FunctionValue(
        name,
        f"{owner.qualname}.{name}",
        unit.site(node),
        owner.scope,
        defaults=defaults if name == "__init__" else {},
        owner=owner,
    )


def failure_at_class(context: FunctionContext, owner: ClassValue, method: FunctionValue, failure: Finding) -> None:
    """Say at the field, or at the class, what is wrong in a generated method."""
    assert isinstance(method.node, ast.FunctionDef)
    assert owner.node is not None
    lines = _init(owner) if method.name == "__init__" else _method(owner, method.name)
    named = failure.data.get("parameter")
    field = lines[failure.place.line].field or next((each for each in owner.fields if each.name == named), None)
    written = field is not None and any(each is field.annotation for each in ast.walk(owner.node))
    node = field.annotation if field is not None and written and field.annotation is not None else owner.node
    if failure.place.line < method.node.body[0].lineno - 1:
        context.report(failure.code, node, details=failure.data)
        return
    name = field.name if field is not None else ""
    context.report("dataclass-method", node, name=owner.name, method=method.name, field=name, reason=failure.code)
