"""Annotations given as text: the type, or the refusal and its place, against the compiler's."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.properties.types_oracle import torch
from tests.properties.types_programs import NAMES, define, denote, evaluate
from ts_lsp.types.annotations import AnnotationProblem, object_type, read_parameter_annotation, read_type_comment
from ts_lsp.types.display import annotation_form

pytestmark = pytest.mark.oracle


@dataclass(frozen=True)
class Verdict:
    """What either side says: the types, or the code of the refusal and the column it is marked at (None: no place)."""

    types: tuple[str, ...] = ()
    code: str | None = None
    column: int | None = None


_CODES = {
    "Unknown type name": "unknown-type",
    "Unknown type constructor": "unknown-type-constructor",
    "Subscripted type must be": "unknown-type-constructor",
    "Attempted to use": "bare-generic",
    "cannot be used in a type expression": "invalid-type-expression",
    "expected exactly": "type-argument-count",
    "index out of range": "type-argument-count",
    "Cannot create dict for key": "invalid-dict-key",
    "INTERNAL ASSERT": "degenerate-union",
    "could not be resolved": "unsupported-annotation",
    "Unknown type annotation": "unsupported-annotation",
    "Tuple literal in Tuple": "invalid-type-expression",
    "with None type": "unsupported-annotation",
    "Broadcast": "unsupported-annotation",
}


def _compiler_verdict(function: Any, listing: str) -> Verdict:
    """The compiler's verdict; the column is that of the mark under the line of the error text that holds `listing`."""
    try:
        arguments = torch.jit.script(function).schema.arguments
    except (RuntimeError, ValueError, AssertionError, IndexError) as error:
        text = str(error)
        if text.startswith("expected "):
            return Verdict(code="malformed-type-comment")
        code = next((code for pattern, code in _CODES.items() if pattern in text), text)
        marks = text.partition(listing)[2].partition("\n")[2]
        return Verdict(code=code, column=len(marks) - len(marks.lstrip(" ")) if "~" in marks else None)
    return Verdict(tuple(f"{argument.type.annotation_str}/{argument.N}" for argument in arguments))


HEADER = "def f(x: "


def _our_verdict(text: str) -> Verdict:
    node = ast.parse(text, mode="eval").body
    result = read_parameter_annotation(node, NAMES)
    if isinstance(result, AnnotationProblem):
        column = len(HEADER) + result.node.col_offset if result.located else None
        return Verdict(code=result.code, column=column)
    return Verdict((f"{annotation_form(result.type)}/{result.list_size}",))


NAME_TEXTS = [
    *("int", "float", "complex", "bool", "str", "None", "Tensor", "torch.Tensor", "Any", "number", "list", "tuple"),
    *("dict", "set", "object", "Device", "torch.device", "torch.dtype", "LongTensor", "torch.LongTensor", "NoneType"),
    *("C", "D", "Red", "Blue", "P", "Q", "Narrow", "Mod", "OptionalAlias", "UnionAlias", "PipeAlias", "ListAlias"),
    *("BuiltinListAlias", "EllipsisAlias", "StringAlias", "NumberAlias", "NestedAlias", "NewAlias", "Variable", "Pair"),
    *("nothing", "three", "undefined", "torch.undefined", "List", "Optional", "Dict", "typing.Tuple", "Union"),
    *("numpy.ndarray", "torch.Size", "Sequence", "Callable", "torch.Generator", "_size_2_t", "Future", "_Await"),
]
CONSTRUCTORS = [
    *("List", "list", "Optional", "Optional", "Tuple", "tuple", "Dict", "dict", "Union", "ty.List", "typing.Optional"),
    *(
        "typing.Dict",
        "Future",
        "torch.jit.Future",
        "Await",
        "_Await",
        "torch.jit._Await",
        "int",
        "C",
        "BroadcastingList2",
    ),
]
ODDITIES = ["...", "3", "True", "()", "[int]", "f()", "-1", "int & str", "'a b'", "(int, str)", "''", "1 if x else 2"]

name_texts = st.sampled_from(NAME_TEXTS)
plain_texts = st.sampled_from(NAME_TEXTS[:20]) | name_texts


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    many = st.lists(inner, min_size=1, max_size=3).map(", ".join)
    one = inner
    two = st.tuples(plain_texts, inner).map(", ".join)
    return st.one_of(
        st.tuples(st.sampled_from(["List", "list", "Optional", "Future", "Sequence"]), one).map(
            lambda t: f"{t[0]}[{t[1]}]"
        ),
        st.tuples(st.sampled_from(["Dict", "dict"]), two).map(lambda t: f"{t[0]}[{t[1]}]"),
        st.tuples(st.sampled_from(["Union", "Tuple", "tuple"]), many).map(lambda t: f"{t[0]}[{t[1]}]"),
        st.tuples(st.sampled_from(CONSTRUCTORS), many).map(lambda t: f"{t[0]}[{t[1]}]"),
        st.lists(inner, min_size=2, max_size=3).map(" | ".join),
        inner.filter(lambda text: "'" not in text).map(lambda text: f"'{text}'"),
        st.just("Tuple[()]"),
    )


texts = st.recursive(plain_texts | st.sampled_from(ODDITIES), _larger, max_leaves=6)
quick = settings(
    max_examples=800, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)


@quick
@given(texts)
def test_parameter_annotations_agree(text: str) -> None:
    assert _our_verdict(text) == _compiler_verdict(define(f"{HEADER}{text}):\n    return 1\n"), HEADER), text


COMMENT = "# type:"
endings = st.sampled_from(
    ["", " ", " -> Tensor", " -> List[int]", "->int", " -> (int)", " -> int | None", " ->", " nonsense"]
)


def _reads_alike_in_comments(text: str) -> bool:
    """Not a nested `Tuple[()]`, whose end the compiler's own parser, used for comments alone, misplaces."""
    return " if " not in text and (text == "Tuple[()]" or "()" not in text)


comments = st.builds(
    lambda blanks, inside, comma, closing, ending: f"{blanks}({', '.join(inside)}{comma}{closing}{ending}",
    st.sampled_from([" ", "", "   "]),
    st.lists(texts.filter(_reads_alike_in_comments), min_size=2, max_size=2),
    st.sampled_from(["", "", "", ","]),
    st.sampled_from([")", ")", ")", ")", ""]),
    st.builds(lambda ending, noise: ending + noise, endings, st.sampled_from(["", "", " noqa", " | x", " # more"])),
)


def _our_comment_verdict(text: str) -> Verdict:
    result = read_type_comment(text, NAMES)
    if isinstance(result, AnnotationProblem):
        return Verdict(code=result.code)
    return Verdict(tuple(f"{annotation_form(p.type)}/{p.list_size}" for p in result.parameters))


@quick
@given(comments)
def test_type_comments_agree(text: str) -> None:
    function = define(f"def f(x, y):\n    {COMMENT}{text}\n    raise Exception()\n")
    compiler = _compiler_verdict(function, COMMENT)
    assert _our_comment_verdict(text) == Verdict(compiler.types, compiler.code), text


def _object_verdict(value: object) -> Verdict:
    """The compiler's reading of a Python object; no type at all is a verdict without types and without a code."""
    try:
        t = torch.jit.annotations.try_ann_to_type(value, torch._sources.fake_range())
    except Exception as error:
        return Verdict(code=next((code for pattern, code in _CODES.items() if pattern in str(error)), str(error)))
    return Verdict(() if t is None else (t.annotation_str,))


def _our_object_verdict(value: object) -> Verdict:
    result = object_type(denote(value), ast.Constant(None))
    if isinstance(result, AnnotationProblem):
        return Verdict(code=result.code)
    return Verdict(() if result is None else (annotation_form(result),))


@quick
@given(texts)
def test_python_objects_agree(text: str) -> None:
    try:
        value = evaluate(text)
    except Exception:  # Python itself refuses the expression: there is no object to read
        assume(False)
    assert _our_object_verdict(value) == _object_verdict(value), text


NOT_TYPES = [
    *("{1: 2}", "not a", "~a", "-1", "[a for a in b]", "(a for a in b)", "{a: a for a in b}", "a and b", "a or b"),
    *("a ^ b", "a << b", "a >> b", "a + b", "a - b", "a * b", "a / b", "a % b", "a ** b", "a // b", "a @ b", "a < b"),
    *("a <= b", "a > b", "a >= b", "a == b", "a != b", "a is b", "a is not b", "a in b", "a not in b", "1 < 2 < 3"),
    *("f'a{b}'", "(a,)", "()", "[*a]", "f(a)", "a & b", "...", "True", "3", "1 if a else b"),
]


@pytest.mark.parametrize("text", NOT_TYPES)
def test_expressions_that_are_no_types_have_the_compilers_word(text: str) -> None:
    result = read_parameter_annotation(ast.parse(text, mode="eval").body, NAMES)
    assert isinstance(result, AnnotationProblem)
    expected = f"Expression of type {result.data['kind']} cannot be used in a type expression"
    with pytest.raises(RuntimeError, match=re.escape(expected)):
        torch.jit.script(define(f"{HEADER}{text}):\n    return 1\n"))
