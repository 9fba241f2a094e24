"""The fields of NamedTuples and dataclasses, and what their objects hold.

Owns `class_fields` and `tuple_content`. Invariant: a field whose default is not followed has an unknown default, and
one without a default has none.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from ts_lsp.values.bindings import Binding, ImportedName
from ts_lsp.values.evaluation import evaluate
from ts_lsp.values.model import ClassValue, ConstantValue, FieldValue, InstanceValue, SequenceValue, Value
from ts_lsp.values.scopes import LexicalScope, View


def class_fields(body: LexicalScope, binding: Binding, bases: Sequence[Value], kind: str) -> tuple[FieldValue, ...]:
    """The fields of a NamedTuple or dataclass, or the names that a class body annotates."""
    fields: dict[str, FieldValue] = {}
    if kind in ("namedtuple", "dataclass"):
        for base in reversed(bases):
            if isinstance(base, ClassValue) and base.kind == kind:
                fields.update((inherited.name, inherited) for inherited in base.fields)
        if kind == "namedtuple" and fields:
            return tuple(_inherited_field(each, body, binding, bases) for each in fields.values())
    lazy = has_future_annotations(body.module)
    for name, statement in body.table.annotations.items():
        position = body.table.positions[statement]
        at = View(body, position, (), binding.unit)
        annotation = statement.annotation
        text = ast.unparse(annotation) if lazy else ""
        value: Value = ConstantValue(text) if lazy else evaluate(annotation, at)
        if kind == "dataclass" and _is_class_variable(annotation):
            continue
        default = body.own(name) if name in body.table.bindings else None
        fields[name] = FieldValue(name, annotation, value, default)
    return tuple(fields.values())


def _inherited_field(each: FieldValue, body: LexicalScope, binding: Binding, bases: Sequence[Value]) -> FieldValue:
    """A field of a class below a NamedTuple. torch reads its type off the class's own annotations.

    Where the class has none it takes those of its base, and of no class above.
    """
    if not body.table.annotations:
        base = bases[0]
        inherits = isinstance(base, ClassValue) and _has_own_annotations(base)
        return each if inherits else replace(each, annotation=None, annotation_value=None)
    statement = body.table.annotations.get(each.name)
    if statement is None:
        return replace(each, annotation=None, annotation_value=None)
    at = View(body, body.table.positions[statement], (), binding.unit)
    return replace(each, annotation=statement.annotation, annotation_value=evaluate(statement.annotation, at))


def _has_own_annotations(value: ClassValue) -> bool:
    return value.node is None or any(isinstance(each, ast.AnnAssign) for each in value.node.body)


def _is_class_variable(annotation: ast.expr) -> bool:
    written = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    name = written.attr if isinstance(written, ast.Attribute) else getattr(written, "id", "")
    return bool(name == "ClassVar")


def has_future_annotations(module: LexicalScope) -> bool:
    """Whether `from __future__ import annotations` makes every annotation of the module a string."""
    return any(
        isinstance(binding.source, ImportedName) and binding.source.module == "__future__"
        for binding in module.table.bindings.get("annotations", ())
    )


def tuple_content(value: InstanceValue) -> SequenceValue | None:
    """The plain tuple that an object of a NamedTuple class is to the compiler; None where it is not known."""
    if not isinstance(value.of, ClassValue) or value.of.kind != "namedtuple":
        return None
    fields = value.of.fields
    given = dict(zip((each.name for each in fields), value.arguments, strict=False)) | dict(value.keywords)
    elements = [given.get(each.name, each.default) for each in fields]
    known = tuple(each for each in elements if each is not None)
    return SequenceValue("tuple", known) if len(known) == len(fields) else None
