"""Classes made by calls: `NamedTuple("P", [...])`, `namedtuple("P", "x y")`, `Enum("E", ...)`.

Owns `make`. Invariant: a call whose names are not all known gives `UnknownValue`.
"""

from __future__ import annotations

import ast
from keyword import iskeyword

from ts_lsp.records import replace
from ts_lsp.values.bindings import Assigned
from ts_lsp.values.evaluation import evaluate
from ts_lsp.values.model import (
    ClassValue,
    ConstantValue,
    DictValue,
    EnumMemberValue,
    FieldValue,
    SequenceValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.naming import name_set
from ts_lsp.values.scopes import View

_ENUMS = name_set("enum.Enum enum.IntEnum enum.StrEnum enum.Flag enum.IntFlag")
FACTORIES = frozenset({"typing.NamedTuple", "collections.namedtuple", *_ENUMS})


def make(name: str, node: ast.Call, at: View) -> Value:
    """The class a factory call makes."""
    title = _argument(node, 0, "typename" if "tuple" in name.lower() else "value")
    label = evaluate(title, at) if title is not None else None
    if not isinstance(label, ConstantValue) or not isinstance(label.value, str):
        return UnknownValue(f"result of {name}")
    if name in _ENUMS:
        return _enum(label.value, node, at)
    fields = _typed_fields(node, at) if name == "typing.NamedTuple" else _plain_fields(node, at)
    if fields is not None:
        fields = _annotated_later(fields, label.value, at)
    if fields is None:
        return UnknownValue(f"fields of {label.value}")
    return _class(label.value, "namedtuple", at, fields)


def _argument(node: ast.Call, index: int, name: str) -> ast.expr | None:
    if index < len(node.args):
        return node.args[index]
    return next((keyword.value for keyword in node.keywords if keyword.arg == name), None)


def _class(name: str, kind: str, at: View, fields: tuple[FieldValue, ...] = ()) -> ClassValue:
    return ClassValue(name, name, at.unit.site(None), at.scope, kind, fields=fields)


def _typed_fields(node: ast.Call, at: View) -> tuple[FieldValue, ...] | None:
    listed = _argument(node, 1, "fields")
    if listed is None and node.keywords and all(keyword.arg for keyword in node.keywords):
        return tuple(
            FieldValue(keyword.arg or "", keyword.value, evaluate(keyword.value, at), None) for keyword in node.keywords
        )
    if isinstance(listed, (ast.List, ast.Tuple)):
        fields: list[FieldValue] = []
        for element in listed.elts:
            if not isinstance(element, ast.Tuple) or len(element.elts) != 2:
                return None
            name = evaluate(element.elts[0], at)
            if not isinstance(name, ConstantValue):
                return None
            fields.append(FieldValue(str(name.value), element.elts[1], evaluate(element.elts[1], at), None))
        return tuple(fields)
    pairs = evaluate(listed, at) if listed is not None else None
    if not isinstance(pairs, SequenceValue):
        return None
    found: list[FieldValue] = []
    for pair in pairs.elements:
        if not isinstance(pair, SequenceValue) or len(pair.elements) != 2:
            return None
        name = pair.elements[0]
        if not isinstance(name, ConstantValue):
            return None
        found.append(FieldValue(str(name.value), None, pair.elements[1], None))
    return tuple(found)


def _plain_fields(node: ast.Call, at: View) -> tuple[FieldValue, ...] | None:
    listed = _argument(node, 1, "field_names")
    names = _names(evaluate(listed, at)) if listed is not None else None
    if names is None:
        return None
    given = next((keyword.value for keyword in node.keywords if keyword.arg == "defaults"), None)
    defaults = evaluate(given, at) if given is not None else SequenceValue("tuple", ())
    if not isinstance(defaults, SequenceValue):
        return None
    required = len(names) - len(defaults.elements)
    renames = next((keyword.value for keyword in node.keywords if keyword.arg == "rename"), None)
    if renames is not None and evaluate(renames, at) != ConstantValue(False):
        names = _renamed(names)
    return tuple(
        FieldValue(name, None, None, defaults.elements[index - required] if index >= required else None)
        for index, name in enumerate(names)
    )


def _renamed(names: list[str]) -> list[str]:
    """The names that `rename=True` makes: a name that no field can have becomes its number."""
    found: list[str] = []
    for index, name in enumerate(names):
        is_fit = name.isidentifier() and not iskeyword(name) and not name.startswith("_") and name not in found
        found.append(name if is_fit else f"_{index}")
    return found


def _annotated_later(fields: tuple[FieldValue, ...], name: str, at: View) -> tuple[FieldValue, ...] | None:
    """The fields with the types of `Name.__annotations__ = {...}` below; None where that is not followed."""
    for later in at.scope.table.attributes.get(name, ()):
        if later.name != "__annotations__" or later.position <= at.position:
            continue
        if not isinstance(later.source, Assigned) or later.source.steps or later.path != at.path:
            return None
        written = evaluate(later.source.value, View(at.scope, later.position, later.path, later.unit))
        if not isinstance(written, DictValue):
            return None
        types = {key.value: type_ for key, type_ in written.items if isinstance(key, ConstantValue)}
        fields = tuple(
            replace(each, annotation=None, annotation_value=types[each.name]) if each.name in types else each
            for each in fields
        )
    return fields


def _names(value: Value) -> list[str] | None:
    if isinstance(value, ConstantValue) and isinstance(value.value, str):
        return value.value.replace(",", " ").split()
    if isinstance(value, SequenceValue) and all(isinstance(element, ConstantValue) for element in value.elements):
        return [str(element.value) for element in value.elements if isinstance(element, ConstantValue)]
    return None


def _enum(name: str, node: ast.Call, at: View) -> Value:
    listed = _argument(node, 1, "names")
    given = evaluate(listed, at) if listed is not None else UnknownValue()
    pairs: list[tuple[str, Value]] = []
    names = _names(given)
    if names is not None:
        pairs = [(member, ConstantValue(index + 1)) for index, member in enumerate(names)]
    elif isinstance(given, DictValue):
        pairs = [(str(key.value), item) for key, item in given.items if isinstance(key, ConstantValue)]
    elif isinstance(given, SequenceValue):
        pairs = [
            (str(pair.elements[0].value), pair.elements[1])
            for pair in given.elements
            if isinstance(pair, SequenceValue) and len(pair.elements) == 2
            if isinstance(pair.elements[0], ConstantValue)
        ]
    if not pairs:
        return UnknownValue(f"members of {name}")
    members: dict[str, Value] = {}
    owner = ClassValue(name, name, at.unit.site(None), at.scope, "enum", members=members)
    members.update((member, EnumMemberValue(owner, member, value)) for member, value in pairs)
    return owner
