"""Annotations as the compiler reads them from source: parameters, results, locals, type comments, `isinstance`.

Owns the two readings of an annotation's text. The first evaluates the whole text as Python would, as long as it is made
of dotted names and subscripts, and asks what type the object is; where that gives no answer the second reads the
expression part by part, by the names as written.
Invariant: what rests on a name the source does not explain is unknown, never refused.
"""

from __future__ import annotations

import ast
import re

from ts_lsp.records import dataclass
from ts_lsp.types import model
from ts_lsp.types.denotations import (
    AppliedDenotation,
    Denotation,
    GenericDenotation,
    Names,
    NotAType,
    RefusedDenotation,
    TypeDenotation,
    UnknownDenotation,
)
from ts_lsp.types.model import INT, NONE, UNKNOWN, ListType, TupleType, Type
from ts_lsp.types.python_types import (
    AnnotationProblem,
    Refusal,
    dict_type,
    object_type,
    optional_type,
    refusal,
    type_of_object,
    union_type,
)

__all__ = [
    "AnnotationProblem",
    "AppliedDenotation",
    "Denotation",
    "GenericDenotation",
    "Names",
    "NotAType",
    "ParameterType",
    "RefusedDenotation",
    "TypeComment",
    "TypeDenotation",
    "UnknownDenotation",
    "dotted_name",
    "object_type",
    "read_annotation",
    "read_parameter_annotation",
    "read_type_comment",
]


@dataclass(frozen=True, slots=True)
class ParameterType:
    """A parameter's type; `list_size` is the N of a `BroadcastingListN`."""

    type: Type
    list_size: int | None = None


def read_annotation(node: ast.expr, names: Names) -> Type | AnnotationProblem:
    """The type an annotation denotes, or why the compiler refuses it."""
    try:
        return _type(node, names)
    except Refusal as refused:
        return refused.problem


def read_parameter_annotation(node: ast.expr, names: Names) -> ParameterType | AnnotationProblem:
    """As `read_annotation`; a parameter may also be a list that a single number stands for."""
    try:
        return _parameter_type(node, names)
    except Refusal as refused:
        return refused.problem


def dotted_name(node: ast.expr) -> str | None:
    """`torch.jit.Future` for a chain of attributes on a name; None for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted_name(node.value)
        return None if base is None else f"{base}.{node.attr}"
    return None


def _type(node: ast.expr, names: Names) -> Type:
    if not _is_union(node) and names.evaluates(node):
        denotation = _evaluate(node, names)
        t = None if denotation is None else type_of_object(denotation, node, named=True)
        if t is not None:
            return t
    return _written_type(node, names)


# The first reading: the text as Python evaluates it


def _evaluate(node: ast.expr, names: Names) -> Denotation | None:
    """The object a text of dotted names and subscripts stands for; None where the evaluation fails or is not tried."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return NotAType(str(node.value))
    if not isinstance(node, ast.Subscript):
        dotted = dotted_name(node)
        return None if dotted is None else names.denotation(dotted)
    constructor = dotted_name(node.value)
    base = None if constructor is None else names.denotation(constructor)
    if base is None:
        return None
    arguments = _evaluated_arguments(node.slice, names)
    return None if arguments is None else _apply(base, arguments)


_EMPTY = NotAType("()")


def _evaluated_arguments(index: ast.expr, names: Names) -> tuple[Denotation, ...] | None:
    parts = _index_parts(index)
    if isinstance(index, ast.Tuple) and parts and (_is_parenthesised(index) or len(parts) == 1):
        return None
    if not parts:
        return (_EMPTY,)
    arguments: list[Denotation] = []
    for part in parts:
        argument = _EMPTY if isinstance(part, ast.Tuple) and not part.elts else _evaluate(part, names)
        if argument is None:
            return None
        arguments.append(argument)
    return tuple(arguments)


def _is_parenthesised(index: ast.Tuple) -> bool:
    first = index.elts[0] if index.elts else index
    return (index.lineno, index.col_offset) != (first.lineno, first.col_offset)


_ARITY = {"List": 1, "Optional": 1, "Dict": 2, "Future": 1, "RRef": 1, "Await": 1}
_BUILTIN = ("list", "dict", "tuple")
_TYPING = ("List", "Dict", "Tuple", "Optional", "Union")
_NO_ARGUMENTS = (GenericDenotation("Optional"), GenericDenotation("Union"), _EMPTY)


def _apply(base: Denotation, arguments: tuple[Denotation, ...]) -> Denotation | None:
    """`base[arguments]`; None where Python raises: `typing` counts arguments and refuses a bare `Union`."""
    if isinstance(base, (UnknownDenotation, NotAType)):
        return base
    if not isinstance(base, GenericDenotation):
        return None
    if arguments == (_EMPTY,):
        return AppliedDenotation(base.name, ()) if base.name in ("Tuple", *_BUILTIN) else None
    if len(arguments) != _ARITY.get(base.name, len(arguments)):
        return None
    if base.name in _TYPING and any(argument in _NO_ARGUMENTS for argument in arguments):
        return None
    return AppliedDenotation(base.name, arguments)


# The second reading: the expression as written


_ELEMENTS = ("", "Long", "Float", "Double", "Int", "Short", "Half", "Char", "Byte", "Bool")
_FIXED: dict[str, Type] = {
    **{f"{prefix}{element}Tensor": model.TENSOR for prefix in ("", "torch.") for element in _ELEMENTS},
    **{t.name: t for t in (model.INT, model.FLOAT, model.BOOL, model.COMPLEX, model.STR, model.NUMBER, model.NONE)},
    **{t.name: t for t in (model.DEVICE, model.GENERATOR, model.STREAM, model.ANY, model.CAPSULE)},
    "list": model.ANY_LIST,
    "tuple": model.ANY_TUPLE,
}


def _written_type(node: ast.expr, names: Names) -> Type:
    if _is_union(node):
        return union_type([_written_type(member, names) for member in _union_members(node)], node)
    if isinstance(node, ast.Subscript):
        return _written_subscript(node, names)
    if isinstance(node, ast.Constant):
        return _written_constant(node, names)
    dotted = dotted_name(node)
    if dotted is None:
        # The compiler falls over an attribute of something that is no name, and says no place.
        raise refusal("invalid-type-expression", node, not isinstance(node, ast.Attribute), kind=_kind(node))
    denotation = names.denotation(dotted) if names.evaluates(node) else None
    return _FIXED.get(dotted) or _named_type(denotation, dotted, node)


def _written_constant(node: ast.Constant, names: Names) -> Type:
    if node.value is None:
        return NONE
    if not isinstance(node.value, str):
        raise refusal("invalid-type-expression", node, kind=_kind(node))
    quoted = _parsed(node.value.strip()) if names.evaluates(node.value) else None
    return _named_type(None if quoted is None else _evaluate(quoted, names), node.value, node)


def _named_type(denotation: Denotation | None, name: str, node: ast.expr) -> Type:
    t = None if denotation is None else type_of_object(denotation, node, named=True)
    if t is None:
        raise refusal("unknown-type", node, name=name)
    return t


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_CONSTRUCTORS = {
    "List": "List",
    "list": "List",
    "Dict": "Dict",
    "dict": "Dict",
    "Tuple": "Tuple",
    "tuple": "Tuple",
    "Optional": "Optional",
    "Union": "Union",
    "Future": "Future",
    "torch.jit.Future": "Future",
    "Await": "Await",
    "torch.jit._Await": "Await",
    "RRef": "RRef",
}


def _written_subscript(node: ast.Subscript, names: Names) -> Type:
    written = dotted_name(node.value)
    if written is None:
        raise refusal("unknown-type-constructor", node.value, constructor=None)
    constructor = _CONSTRUCTORS.get(written)
    if constructor is None:
        if _rests_on_unknown(written, names):
            return UNKNOWN
        raise refusal("unknown-type-constructor", node, constructor=written)
    parts = _index_parts(node.slice)
    if constructor == "Tuple":
        return TupleType(tuple(_written_type(part, names) for part in parts))
    if not parts:
        raise refusal("invalid-type-expression", node.slice, kind=_kind(node.slice))
    if constructor == "Union":
        return union_type([_written_type(part, names) for part in parts], node)
    return _written_generic(constructor, written, node, parts, names)


def _written_generic(constructor: str, written: str, node: ast.Subscript, parts: list[ast.expr], names: Names) -> Type:
    wanted = 2 if constructor == "Dict" else 1
    if len(parts) != wanted:
        raise refusal("type-argument-count", node, constructor=written, expected=wanted, found=len(parts))
    inside = [_written_type(part, names) for part in parts]
    if constructor == "Dict":
        return dict_type(inside[0], inside[1], node)
    if constructor == "Optional":
        return optional_type(inside[0], node)
    wrappers = {"List": ListType, "Future": model.FutureType, "Await": model.AwaitType, "RRef": model.RRefType}
    return wrappers[constructor](inside[0])


def _rests_on_unknown(dotted: str, names: Names) -> bool:
    return isinstance(names.denotation(dotted), UnknownDenotation)


def _index_parts(index: ast.expr) -> list[ast.expr]:
    return index.elts if isinstance(index, ast.Tuple) else [index]


def _is_union(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)


def _union_members(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_union_members(node.left), *_union_members(node.right)]
    return [node]


_KINDS: dict[type[ast.AST], str] = {
    ast.List: "list-literal",
    ast.Tuple: "tuple-literal",
    ast.Dict: "dict-literal",
    ast.Call: "apply",
    ast.IfExp: "if",
    ast.Slice: "slice expr",
    ast.Starred: "starred",
    ast.JoinedStr: "apply",
    ast.USub: "unary minus",
    ast.Not: "not",
    ast.Invert: "~",
    ast.ListComp: "list comprehension",
    ast.GeneratorExp: "list comprehension",
    ast.DictComp: "dict comprehension",
    ast.And: "and",
    ast.Or: "or",
    ast.BitAnd: "&",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Mod: "%",
    ast.Pow: "pow operator",
    ast.FloorDiv: "floordiv",
    ast.MatMult: "@",
    ast.Lt: "<",
    ast.LtE: "le",
    ast.Gt: ">",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not",
}


def _kind(node: ast.expr) -> str:
    """The compiler's word for an expression that is no type."""
    if isinstance(node, ast.Constant):
        if node.value is Ellipsis:
            return "dots"
        return str(node.value) if isinstance(node.value, bool) else "const"
    if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.BoolOp)):
        return _KINDS.get(type(node.op), "expression")
    if isinstance(node, ast.Compare):
        return _KINDS.get(type(node.ops[0]), "expression") if len(node.ops) == 1 else "and"
    if isinstance(node, ast.Attribute):
        return _kind(node.value)
    return _KINDS.get(type(node), "expression")


# Lists that a single number stands for


_BROADCASTING_LIST = re.compile(r"BroadcastingList(.*)")
_SIZE_TUPLE = re.compile(r"_size_([0-9])_t")


def _parameter_type(node: ast.expr, names: Names) -> ParameterType:
    return _broadcasting_list(node) or ParameterType(_type(node, names))


def _broadcasting_list(node: ast.expr) -> ParameterType | None:
    """`BroadcastingListN[int]`, `_size_N_t` or an `Optional` of one, by the names as written."""
    if isinstance(node, ast.Name):
        size = _SIZE_TUPLE.fullmatch(node.id)
        return None if size is None else ParameterType(ListType(INT), int(size[1]))
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return None
    if node.value.id == "Optional":
        parts = _index_parts(node.slice)
        inner = _broadcasting_list(parts[0]) if parts else None
        return None if inner is None else ParameterType(optional_type(inner.type, node), inner.list_size)
    named = _BROADCASTING_LIST.fullmatch(node.value.id)
    return None if named is None else _sized_list(node, named[1])


def _sized_list(node: ast.Subscript, digits: str) -> ParameterType:
    parts = _index_parts(node.slice)
    if len(parts) != 1:
        raise refusal("unsupported-annotation", parts[0] if parts else node, part=ast.unparse(node))
    element = parts[0]
    if not isinstance(element, ast.Name):
        raise refusal("unknown-type-constructor", node, constructor=ast.unparse(node.value))
    if element.id not in ("int", "float"):
        raise refusal("unsupported-annotation", node, part=ast.unparse(node))
    if digits and not digits.isdecimal():
        raise refusal("unsupported-annotation", element, part=ast.unparse(node))
    return ParameterType(ListType(_FIXED[element.id]), int(digits) if digits else None)


# Type comments


@dataclass(frozen=True, slots=True)
class TypeComment:
    """A signature written as a comment; `result` is None where it has no `->`."""

    parameters: tuple[ParameterType, ...]
    result: Type | None


def read_type_comment(text: str, names: Names) -> TypeComment | AnnotationProblem:
    """The signature in a comment, given what stands behind `# type:`.

    What follows a complete signature is ignored. Columns of a problem's node count from the start of `text`.
    """
    opening = len(text) - len(text.lstrip())
    closing = _closing_bracket(text, opening) if text.startswith("(", opening) else None
    listed = None if closing is None else _parsed_at(f"[{text[opening + 1 : closing]}]", opening)
    if closing is None or not isinstance(listed, ast.List):
        return _malformed(text)
    arrow = _ARROW.match(text, closing + 1)
    result = None if arrow is None else _result_expression(text, arrow.end())
    if arrow is not None and result is None:
        return _malformed(text)
    try:
        parameters = tuple(_parameter_type(element, names) for element in listed.elts)
        return TypeComment(parameters, None if result is None else _type(result, names))
    except Refusal as refused:
        problem = refused.problem
        return AnnotationProblem(problem.code, problem.node, problem.data, located=False)


_ARROW = re.compile(r"\s*->\s*")


def _result_expression(text: str, start: int) -> ast.expr | None:
    end = _expression_end(text, start)
    return None if end is None else _parsed_at(text[start:end], len(text[:start].encode()))


def _malformed(text: str) -> AnnotationProblem:
    return AnnotationProblem("malformed-type-comment", ast.Constant(value=text), {"text": text}, located=False)


def _parsed_at(text: str, column: int) -> ast.expr | None:
    """The expression, its columns moved to where it stands.

    In a comment `List[(int, str)]` has one argument, a tuple, where in code it has two.
    """
    expression = _parsed(text)
    for node in () if expression is None else tuple(ast.walk(expression)):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and _is_parenthesised(node.slice):
            node.slice = ast.copy_location(ast.Tuple([node.slice], ast.Load()), node.slice)
        if isinstance(node, ast.expr):
            node.col_offset += column
            if node.end_col_offset is not None:
                node.end_col_offset += column
    return expression


_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
_ATOM = re.compile(r"'[^']*'|\"[^\"]*\"|\.\.\.|\w+(?:\s*\.\s*\w+)*")
_BLANKS = re.compile(r"\s*")
_CLOSING = {"(": ")", "[": "]"}


def _closing_bracket(text: str, opening: int) -> int | None:
    """Where the bracket that opens at `opening` closes; brackets inside strings do not count."""
    if text[opening : opening + 1] not in _CLOSING:
        return None
    expected: list[str] = []
    position = opening
    while position < len(text):
        character = text[position]
        string = _STRING.match(text, position)
        if string is not None:
            position = string.end()
            continue
        if character in _CLOSING:
            expected.append(_CLOSING[character])
        elif character in ")]":
            if expected.pop() != character:
                return None
            if not expected:
                return position
        position += 1
    return None


def _expression_end(text: str, start: int) -> int | None:
    """Where the type expression at `start` ends: names, strings and bracketed parts, joined by `|`."""
    atom = _ATOM.match(text, start)
    closing = _closing_bracket(text, start) if atom is None and text[start : start + 1] == "(" else None
    if atom is None and closing is None:
        return None
    end = atom.end() if atom is not None else (closing or 0) + 1
    while True:
        following = _after_blanks(text, end)
        if text[following : following + 1] == "[":
            closing = _closing_bracket(text, following)
            if closing is None:
                return None
            end = closing + 1
        elif text[following : following + 1] == "|":
            return _expression_end(text, _after_blanks(text, following + 1))
        else:
            return end


def _after_blanks(text: str, start: int) -> int:
    blanks = _BLANKS.match(text, start)
    return start if blanks is None else blanks.end()
