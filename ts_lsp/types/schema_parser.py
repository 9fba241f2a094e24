"""Reads the text torch prints for a schema (`str(FunctionSchema)`) into a `Schema`.

Owns the grammar of schema texts: `aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]`.
Invariant: such texts hold types in the compiler's normal form already, so optionals and unions are built as written.
Types are memoised by their text, because a few dozen spellings make up almost all arguments.
"""

from __future__ import annotations

import functools
import re

from ts_lsp.records import dataclass
from ts_lsp.types import model
from ts_lsp.types.model import Type
from ts_lsp.types.schema import Argument, Default, DefaultValue, Schema

_SIMPLE: dict[str, Type] = {
    "int": model.INT,
    "float": model.FLOAT,
    "complex": model.COMPLEX,
    "bool": model.BOOL,
    "str": model.STR,
    "NoneType": model.NONE,
    "None": model.NONE,
    "Tensor": model.TENSOR,
    "Any": model.ANY,
    "Scalar": model.NUMBER,
    "number": model.NUMBER,
    "Device": model.DEVICE,
    "Generator": model.GENERATOR,
    "Stream": model.STREAM,
    "Storage": model.STORAGE,
    "Capsule": model.CAPSULE,
    "QScheme": model.QSCHEME,
    "list": model.ANY_LIST,
    "tuple": model.ANY_TUPLE,
    "AnyClassType": model.ANY_CLASS,
    "AnyEnumType": model.ANY_ENUM,
    # Written under a name of their own, ints to the matcher.
    "ScalarType": model.INT,
    "Layout": model.INT,
    "MemoryFormat": model.INT,
    "SymInt": model.INT,
}
_PRINTED_AS_INT = re.compile(r"\b(?:ScalarType|Layout|MemoryFormat|SymInt)\b")
_CONTAINERS = frozenset({"Dict", "Union", "Future", "RRef", "Await"})
_NAME = re.compile(r"[\w.]+")
_ANGLED = re.compile(r"(Enum|InterfaceType)<([^<>]+)>")
_SUFFIX = re.compile(r"(?P<optional>\?)|\[(?P<size>\d*)\]|\((?P<alias>[a-z*][\w|!* >-]*)\)")
_NAMED_RETURN = re.compile(r"(.*\S) (\w+)")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?(?:inf|nan)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "b": "\b"}
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|[0-7]{3}|.)", re.DOTALL)


class SchemaSyntaxError(ValueError):
    """The text is not a schema as torch prints them."""


@dataclass(frozen=True, slots=True)
class _Written:
    """A type as an argument writes it."""

    type: Type
    list_size: int | None = None
    printed: str | None = None
    alias: str | None = None


def parse_schema(text: str) -> Schema:
    """The schema a text describes; raises `SchemaSyntaxError` for anything torch would not print."""
    opening = text.find("(")
    # An alias mark (`a -> *`) has no bracket before its arrow, and no default comes after the last argument.
    closing = text.rfind(") -> ")
    if not 0 < opening < closing:
        raise SchemaSyntaxError(text)
    name, _, overload = text[:opening].rpartition("::")[2].partition(".")
    namespace = text[: text.find("::", 0, opening) + 2] if "::" in text[:opening] else ""
    arguments, is_vararg = _arguments(text[opening + 1 : closing])
    returns_text = text[closing + len(") -> ") :]
    if returns_text == "...":
        returns: tuple[Argument, ...] = ()
        is_varret = True
    else:
        inner = returns_text[1:-1] if returns_text.startswith("(") else returns_text
        returns, is_varret = _returns(inner)
    return Schema(namespace + name, overload, arguments, returns, is_vararg, is_varret)


def readable_schema(text: str) -> Schema | None:
    """The schema a text describes; None for a text that is no schema."""
    try:
        return parse_schema(text)
    except (KeyError, ValueError):
        return None


def parse_type(text: str) -> Type:
    """The type a schema writes as `text`: `Dict(str, Tensor[])?`."""
    return _written(text).type


def _arguments(text: str) -> tuple[tuple[Argument, ...], bool]:
    arguments: list[Argument] = []
    keyword_only = False
    for part in _split(text):
        if part == "*":
            keyword_only = True
        elif part == "...":
            return tuple(arguments), True
        else:
            arguments.append(_argument(part, keyword_only))
    return tuple(arguments), False


def _argument(part: str, keyword_only: bool) -> Argument:
    head, equals, default_text = part.partition("=")
    type_text, _, name = head.rpartition(" ")
    if not type_text:
        raise SchemaSyntaxError(part)
    written = _written(type_text)
    default = _default(default_text, written) if equals else None
    return Argument(name, written.type, default, keyword_only, written.list_size, written.printed, written.alias)


def _returns(text: str) -> tuple[tuple[Argument, ...], bool]:
    returns: list[Argument] = []
    for part in _split(text):
        if part == "...":
            return tuple(returns), True
        named = _NAMED_RETURN.fullmatch(part)
        written = _written(named[1] if named else part)
        name = named[2] if named else ""
        returns.append(Argument(name, written.type, None, False, written.list_size, written.printed, written.alias))
    return tuple(returns), False


def _split(text: str) -> list[str]:
    """Splits at the commas that stand outside brackets and quotes."""
    if not text:
        return []
    pieces = text.split(", ")
    if len(pieces) == 1:
        return pieces
    parts: list[str] = []
    pending = ""
    for piece in pieces:
        pending = f"{pending}, {piece}" if pending else piece
        if _balanced(pending):
            parts.append(pending)
            pending = ""
    if pending:
        raise SchemaSyntaxError(text)
    return parts


def _balanced(text: str) -> bool:
    if '"' in text:
        text = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
        if '"' in text:
            return False
    return text.count("(") == text.count(")") and text.count("[") == text.count("]")


@functools.cache
def _written(text: str) -> _Written:
    written, end = _read_type(text, 0)
    if end != len(text):
        raise SchemaSyntaxError(text)
    if _PRINTED_AS_INT.search(text) is None:
        return written
    return _Written(written.type, written.list_size, re.sub(r"\([a-z*][\w|!* >-]*\)$", "", text), written.alias)


def _read_type(text: str, start: int) -> tuple[_Written, int]:
    """The type that starts at `start`, with its `[]`, `?` and alias marks, and where it ends."""
    read, position = _read_plain(text, start)
    list_size: int | None = None
    alias: str | None = None
    while suffix := _SUFFIX.match(text, position):
        position = suffix.end()
        if suffix["optional"]:
            read = model.OptionalType(read)
        elif suffix["alias"] is not None:
            alias = suffix["alias"]
        else:
            read = model.ListType(read)
            list_size = int(suffix["size"]) if suffix["size"] else None
    return _Written(read, list_size, None, alias), position


def _read_plain(text: str, start: int) -> tuple[Type, int]:
    if text.startswith("(", start):
        elements, position = _read_sequence(text, start + 1)
        return model.TupleType(elements), position
    if angled := _ANGLED.match(text, start):
        if angled[1] == "Enum":
            return model.EnumType(angled[2], model.UNKNOWN), angled.end()
        return model.InterfaceType(angled[2]), angled.end()
    name = _NAME.match(text, start)
    if name is None:
        raise SchemaSyntaxError(text)
    if name[0] in _CONTAINERS and text.startswith("(", name.end()):
        elements, position = _read_sequence(text, name.end() + 1)
        return _container(name[0], elements), position
    return _named(name[0]), name.end()


def _read_sequence(text: str, start: int) -> tuple[tuple[Type, ...], int]:
    elements: list[Type] = []
    position = start
    while not text.startswith(")", position):
        written, position = _read_type(text, position)
        elements.append(written.type)
        if text.startswith(", ", position):
            position += 2
        elif not text.startswith(")", position):
            raise SchemaSyntaxError(text)
    return tuple(elements), position + 1


def _container(name: str, elements: tuple[Type, ...]) -> Type:
    if name == "Union":
        return model.UnionType(elements)
    if len(elements) != (2 if name == "Dict" else 1):
        raise SchemaSyntaxError(name)
    if name == "Dict":
        return model.DictType(*elements)
    if name == "Future":
        return model.FutureType(elements[0])
    return model.RRefType(elements[0]) if name == "RRef" else model.AwaitType(elements[0])


def _named(name: str) -> Type:
    known = _SIMPLE.get(name)
    if known is not None:
        return known
    if "." in name:
        return model.ClassType(name)
    return model.TypeVariable(name) if name[0].islower() else model.SimpleType(name)


def _default(text: str, written: _Written) -> Default:
    try:
        value = _value(text)
    except ValueError:
        return Default(opaque=True)
    if written.list_size is not None and value is not None and not isinstance(value, tuple):
        # `int[2] stride=1` stands for a list of equal elements.
        return Default((value,) * written.list_size)
    return Default(value)


def _value(text: str) -> DefaultValue:
    if text == "None":
        return None
    if text in ("True", "False"):
        return text == "True"
    if text.startswith(("[", "(")) and text.endswith(("]", ")")):
        return tuple(_value(part.rstrip(",")) for part in _split(text[1:-1]))
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return _ESCAPE.sub(_unescape, text[1:-1])
    if _NUMBER.fullmatch(text):
        return float(text) if any(mark in text for mark in (".", "e", "n")) else int(text)
    return complex(text.replace(" ", ""))


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] == "x" and len(code) == 3:
        return chr(int(code[1:], 16))
    if code.isdigit():
        return chr(int(code, 8))
    return _ESCAPES.get(code, code)
