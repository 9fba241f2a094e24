"""The fields of NamedTuples and dataclasses, and what their objects hold.

Owns `class_fields` and `tuple_content`. Invariant: a field whose default is not followed has an unknown default, and
one without a default has none.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ts_lsp.records import replace
from ts_lsp.values.bindings import Binding, ImportedName
from ts_lsp.values.evaluation import evaluate
from ts_lsp.values.model import BuiltinValue, ClassValue, ConstantValue, FieldValue, InstanceValue, SequenceValue, Value
from ts_lsp.values.scopes import LexicalScope, View

INITIAL = BuiltinValue("dataclasses.InitVar")
KEYWORDS_FOLLOW = BuiltinValue("dataclasses.KW_ONLY")


def class_fields(body: LexicalScope, binding: Binding, bases: Sequence[Value], kind: str) -> tuple[FieldValue, ...]:
    """The fields of a NamedTuple or dataclass, or the names that a class body annotates."""
    fields: dict[str, FieldValue] = {}
    if kind in ("namedtuple", "dataclass"):
        for base in reversed(bases):
            if isinstance(base, ClassValue) and base.kind == kind:
                fields.update((inherited.name, inherited) for inherited in base.fields)
        if kind == "namedtuple" and fields:
            return tuple(_inherited_field(each, body, binding, bases) for each in fields.values())
    keyword_only = False
    for name, statement in body.table.annotations.items():
        each = _annotated(name, statement, body, binding)
        if kind == "dataclass":
            if _is_class_variable(statement.annotation):
                continue
            if each.annotation_value == KEYWORDS_FOLLOW:
                keyword_only = True
                continue
            each = _dataclass_field(each, View(body, body.table.positions[statement], (), binding.unit), keyword_only)
        fields[name] = each
    return tuple(fields.values())


def _annotated(name: str, statement: ast.AnnAssign, body: LexicalScope, binding: Binding) -> FieldValue:
    at = View(body, body.table.positions[statement], (), binding.unit)
    annotation = statement.annotation
    lazy = has_future_annotations(body.module)
    value: Value = ConstantValue(ast.unparse(annotation)) if lazy else evaluate(annotation, at)
    default = body.own(name) if name in body.table.bindings else None
    return FieldValue(name, annotation, value, default)


def _dataclass_field(each: FieldValue, at: View, keyword_only: bool) -> FieldValue:
    """A field with what `field(...)` says of it; an `InitVar` as the type inside, unless annotations are texts."""
    options: tuple[tuple[str, Value], ...] = (("kw_only", ConstantValue(True)),) if keyword_only else ()
    if isinstance(each.default, InstanceValue) and each.default.of == BuiltinValue("dataclasses.field"):
        options = (*options, *each.default.keywords)
        each = replace(each, default=dict(options).get("default"))
    if isinstance(each.annotation, ast.Subscript) and evaluate(each.annotation.value, at) == INITIAL:
        options = (*options, ("init_only", ConstantValue(True)))
        if not isinstance(each.annotation_value, ConstantValue):
            inner = each.annotation.slice
            each = replace(each, annotation=inner, annotation_value=evaluate(inner, at))
    return replace(each, options=options)


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


def has_option(each: FieldValue, name: str, value: bool) -> bool:
    """Whether a field of a dataclass says this in so many words."""
    return dict(each.options).get(name) == ConstantValue(value)


def is_positional(each: FieldValue) -> bool:
    """Whether a field is a parameter that may be given by its position."""
    return not has_option(each, "init", False) and not has_option(each, "kw_only", True)


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
