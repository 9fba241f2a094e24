"""Types and schemas as text, in each of the forms the compiler prints.

Owns the three printers of types (annotation, schema and graph form), the form error messages use, and the text of
schemas. Invariant: every text equals the compiler's for the same type, but for addresses in memory; what the source
does not show prints as `Unknown`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from ts_lsp.types.model import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NUMBER,
    STR,
    TENSOR,
    AwaitType,
    ClassType,
    DictType,
    EnumType,
    FunctionType,
    FutureType,
    InterfaceType,
    ListType,
    NamedTupleType,
    OptionalType,
    RRefType,
    SimpleType,
    TupleType,
    Type,
    TypeVariable,
    UnionType,
    UnknownType,
)
from ts_lsp.types.schema import Argument, DefaultValue, Schema
from ts_lsp.weakcache import cached_weakly

Printer = Callable[[Type], str]

_NUMBERS = frozenset({INT, FLOAT, COMPLEX})


@cached_weakly
def annotation_form(t: Type) -> str:
    """The form of annotations, generated code and nearly every message: `Optional[int]`, `List[Tensor]`."""
    if isinstance(t, SimpleType):
        return t.name
    if isinstance(t, ListType):
        return f"List[{annotation_form(t.element)}]"
    if isinstance(t, OptionalType):
        return f"Optional[{annotation_form(t.element)}]"
    if isinstance(t, DictType):
        return f"Dict[{annotation_form(t.key)}, {annotation_form(t.value)}]"
    if isinstance(t, UnionType):
        return f"Union[{_union_members(t, annotation_form)}]"
    if isinstance(t, TupleType):
        return f"Tuple[{', '.join(map(annotation_form, t.elements)) or '()'}]"
    wrapper = _wrapper(t)
    if wrapper is not None:
        return f"{wrapper[0]}[{annotation_form(wrapper[1])}]"
    return _name(t)


@cached_weakly
def schema_form(t: Type) -> str:
    """The form of printed schemas: `int?`, `Tensor[]`, `Dict(str, int)`."""
    if isinstance(t, SimpleType):
        return "Scalar" if t.name == "number" else t.name
    if isinstance(t, ListType):
        return f"{schema_form(t.element)}[]"
    if isinstance(t, OptionalType):
        return f"{schema_form(t.element)}?"
    if isinstance(t, DictType):
        return f"Dict({schema_form(t.key)}, {schema_form(t.value)})"
    if isinstance(t, UnionType):
        return f"Union({_union_members(t, schema_form)})"
    if isinstance(t, TupleType):
        return f"({', '.join(map(schema_form, t.elements))})"
    if isinstance(t, EnumType):
        return f"Enum<{t.qualname}>"
    if isinstance(t, InterfaceType):
        return f"InterfaceType<{t.qualname.rpartition('.')[2]}>"
    if isinstance(t, FunctionType):
        return "Function"
    wrapper = _wrapper(t)
    if wrapper is not None:
        return f"{wrapper[0]}({schema_form(wrapper[1])})"
    return _name(t)


def graph_form(t: Type) -> str:
    """The form of the intermediate representation: the schema form but for futures and named tuples."""
    if isinstance(t, ListType):
        return f"{graph_form(t.element)}[]"
    if isinstance(t, OptionalType):
        return f"{graph_form(t.element)}?"
    if isinstance(t, FutureType):
        return f"Future[{graph_form(t.element)}]"
    if isinstance(t, RRefType):
        return f"RRef[{graph_form(t.element)}]"
    if isinstance(t, TupleType):
        return f"({', '.join(map(graph_form, t.elements))})"
    if isinstance(t, NamedTupleType):
        fields = (f"{name} : {graph_form(element)}" for name, element in zip(t.fields, t.elements, strict=True))
        return f"NamedTuple({', '.join(fields)})"
    return schema_form(t)


def error_form(t: Type) -> str:
    """The form of error messages: the annotation form, but for enums and inferred tensors at the top level."""
    if isinstance(t, EnumType):
        return schema_form(t)
    if isinstance(t, SimpleType) and t.inferred:
        return f"{t.name} (inferred)"
    return annotation_form(t)


def _wrapper(t: Type) -> tuple[str, Type] | None:
    """The constructor's name and the element of a future, remote reference or awaitable."""
    if isinstance(t, FutureType):
        return "Future", t.element
    if isinstance(t, RRefType):
        return "RRef", t.element
    if isinstance(t, AwaitType):
        return "Await", t.element
    return None


def _name(t: Type) -> str:
    if isinstance(t, (NamedTupleType, ClassType, InterfaceType, EnumType, FunctionType)):
        return t.qualname
    if isinstance(t, TypeVariable):
        return t.name
    if isinstance(t, UnknownType):
        return "Unknown"
    raise TypeError(f"not a TorchScript type: {t!r}")


def _union_members(t: UnionType, printer: Printer) -> str:
    """The members of a union.

    A union of all three number types prints them as one `number` at the end, and the compiler puts its commas by each
    member's place in the full list: `Union[number]`, `Union[, str, number]`, `Union[Tensornumber]`.
    """
    if not _NUMBERS.issubset(t.members):
        return ", ".join(map(printer, t.members))
    others = [(index, member) for index, member in enumerate(t.members) if member not in _NUMBERS]
    text = "".join(f"{', ' if index else ''}{printer(member)}" for index, member in others)
    separator = ", " if any(index for index, _ in others) else ""
    return f"{text}{separator}{printer(NUMBER)}"


def schema_text(schema: Schema) -> str:
    """A function's or method's schema with its types as annotations: `f(Optional[int] x=None) -> List[Tensor]`.

    Several returns, or none, are written as the tuple the caller gets.
    """
    returns = tuple(result.type for result in schema.returns)
    result = returns[0] if len(returns) == 1 else TupleType(returns)
    return f"{schema.name}({_arguments(schema, annotation_form)}) -> {annotation_form(result)}"


def operator_schema_text(schema: Schema) -> str:
    """A schema exactly as the compiler prints it: `aten::max.dim(Tensor self, int dim) -> (Tensor values, ...)`.

    Holds for scripted functions too, whose single tuple result comes in a second pair of parentheses.
    """
    name = f"{schema.name}.{schema.overload}" if schema.overload else schema.name
    return f"{name}({_arguments(schema, schema_form)}) -> {_returns(schema)}"


def _arguments(schema: Schema, printer: Printer) -> str:
    parts: list[str] = []
    keyword_only = False
    for argument in schema.arguments:
        if argument.keyword_only and not keyword_only:
            parts.append("*")
            keyword_only = True
        parts.append(_argument(argument, printer))
    if schema.is_vararg:
        parts.append("...")
    return ", ".join(parts)


def _returns(schema: Schema) -> str:
    if schema.is_varret and not schema.returns:
        return "..."
    results = [_argument(result, schema_form) for result in schema.returns]
    if schema.is_varret:
        results.append("...")
    alone = len(results) == 1 and not schema.is_varret and not results[0].startswith("(")
    return results[0] if alone else f"({', '.join(results)})"


def _argument(argument: Argument, printer: Printer) -> str:
    text = annotation_form(argument.type) if printer is annotation_form else _written_type(argument)
    if argument.name:
        text += f" {argument.name}"
    if argument.default is not None:
        text += f"={default_text(argument)}"
    return text


def _written_type(argument: Argument) -> str:
    """The schema form of an argument's type with its fixed length and alias mark.

    The mark stands behind a list, but behind the element of a list of tensors, and in front of an optional's `?`.
    """
    text = argument.printed or schema_form(argument.type)
    optional = isinstance(argument.type, OptionalType) and text.endswith("?")
    text = text.removesuffix("?") if optional else text
    alias = f"({argument.alias})" if argument.alias is not None else ""
    listed = re.fullmatch(r"(.*)\[\d*\]", text)
    if listed is None:
        text += alias
    else:
        size = f"[{'' if argument.list_size is None else argument.list_size}]"
        text = listed[1] + (alias + size if listed[1] == "Tensor" else size + alias)
    return text + "?" if optional else text


def default_text(argument: Argument) -> str:
    """A default as the compiler prints it: strings are quoted only where the parameter itself is a string."""
    default = argument.default
    if default is None or default.opaque:
        return "..."
    target = argument.type.element if isinstance(argument.type, OptionalType) else argument.type
    value = default.value
    if target == STR and isinstance(value, str):
        return _quoted(value)
    if argument.type == TENSOR and value is None:
        return "[ Tensor (undefined) ]"
    if argument.type == ListType(INT) and argument.printed is None and isinstance(value, tuple):
        alike = len(value) > 1 and len(set(value)) == 1
        return str(value[0]) if alike else _value_text(value, target)
    return _value_text(value, argument.type)


def _value_text(value: DefaultValue, t: Type | None) -> str:
    """A value as it prints once it has become a `t`; None for a type that changes nothing."""
    if isinstance(t, OptionalType):
        return "None" if value is None else _value_text(value, t.element)
    if isinstance(value, tuple):
        return _sequence_text(value, t)
    if t == BOOL and not isinstance(value, str):
        value = bool(value)
    elif isinstance(value, (bool, int)) and t in (INT, FLOAT, COMPLEX):
        value = int(value) if t == INT else float(value) if t == FLOAT else complex(value)
    elif isinstance(value, float) and t == COMPLEX:
        value = complex(value)
    if isinstance(value, float):
        return _float_text(value)
    if isinstance(value, complex):
        sign = "" if math.copysign(1.0, value.imag) < 0 else "+"
        return f"{_float_text(value.real)}{sign}{_float_text(value.imag)}j"
    return str(value)


def _sequence_text(value: tuple[DefaultValue, ...], t: Type | None) -> str:
    if isinstance(t, ListType):
        return f"[{', '.join(_value_text(element, t.element) for element in value)}]"
    known = isinstance(t, (TupleType, NamedTupleType)) and len(t.elements) == len(value)
    elements = t.elements if known and isinstance(t, (TupleType, NamedTupleType)) else (None,) * len(value)
    texts = [_value_text(element, inner) for element, inner in zip(value, elements, strict=True)]
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def _float_text(value: float) -> str:
    """Seventeen significant digits; an integral value in full with a trailing point."""
    if math.isfinite(value) and value.is_integer() and abs(value) < 2**63:
        return f"{int(value)}."
    return f"{value:.17g}"


_ESCAPES = {
    "\\": "\\\\",
    "'": "\\'",
    '"': '\\"',
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
}


def _quoted(text: str) -> str:
    return f'"{"".join(map(_escaped_byte, text.encode("utf-8", "surrogatepass")))}"'


def _escaped_byte(byte: int) -> str:
    """One byte of a string; the compiler takes bytes above 127 as negative when it works out their octal digits."""
    character = chr(byte)
    if character in _ESCAPES:
        return _ESCAPES[character]
    if 32 <= byte < 127:
        return character
    signed = byte if byte < 128 else byte - 256
    digits = (int(signed / 64), int(math.fmod(signed, 64) / 8), int(math.fmod(signed, 8)))
    return "\\" + "".join(chr(48 + digit) for digit in digits)
