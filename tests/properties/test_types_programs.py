"""The type algebra where only whole programs show it: list literals, isinstance, conversions, type variables."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.properties.types_oracle import torch
from tests.properties.types_programs import NAMES, define
from ts_lsp.types.annotations import AnnotationProblem, read_annotation
from ts_lsp.types.display import annotation_form
from ts_lsp.types.matching import convert, match_type_variables, substitute
from ts_lsp.types.model import NONE, ListType, OptionalType, Type, TypeVariable
from ts_lsp.types.relations import is_subtype, refine_isinstance, unify_list

pytestmark = pytest.mark.oracle

ATOM_TEXTS = [
    *("int", "float", "complex", "bool", "str", "None", "Tensor", "Any", "number", "torch.device", "list", "tuple"),
    *("C", "D", "Red", "Blue", "P", "Q", "S", "Narrow", "Wide", "Exact", "int", "float", "str", "None", "bool"),
    "int | float | complex",
]
ISINSTANCE_TEXTS = [text for text in ATOM_TEXTS if text not in ("Any", "number", "int | float | complex")]


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    alternatives = st.lists(inner, min_size=2, max_size=3).map(" | ".join)
    return st.one_of(
        st.tuples(st.sampled_from(["List[{}]", "Optional[{}]"]), inner).map(lambda pair: pair[0].format(pair[1])),
        st.lists(inner, min_size=1, max_size=3).map(lambda inside: f"Tuple[{', '.join(inside)}]"),
        st.tuples(st.sampled_from(["int", "str"]), inner).map(lambda pair: f"Dict[{pair[0]}, {pair[1]}]"),
        alternatives.map(lambda text: f"Optional[{text}]"),
        alternatives.map(lambda text: f"Union[{text.replace(' | ', ', ')}]"),
    )


texts = st.recursive(st.sampled_from(ATOM_TEXTS), _larger, max_leaves=5)


def examples(count: int) -> settings:
    slow = [HealthCheck.too_slow, HealthCheck.filter_too_much]
    return settings(max_examples=count, deadline=None, derandomize=True, suppress_health_check=slow, database=None)


def _type(text: str) -> Type:
    """The type of an annotation text; refused ones are no part of these tests."""
    result = read_annotation(ast.parse(text, mode="eval").body, NAMES)
    assume(not isinstance(result, AnnotationProblem))
    assert isinstance(result, Type)
    return result


def _result(source: str) -> str | None:
    """The annotation form of what the function `f` of `source` gives; None where the compiler refuses it."""
    try:
        compiled: Any = torch.jit.script(define(source))
    except RuntimeError as error:
        # Alias analysis stops at some unions of tuples; that says nothing of their types.
        assume("INTERNAL ASSERT" not in str(error))
        return None
    return str(compiled.schema.returns[0].type.annotation_str)


@examples(350)
@given(st.lists(texts, min_size=2, max_size=4))
def test_list_literals_unify_with_unions(annotations: list[str]) -> None:
    types = [_type(text) for text in annotations]
    names = "abcd"[: len(types)]
    parameters = ", ".join(f"{name}: {text}" for name, text in zip(names, annotations, strict=True))
    compiled = _result(f"def f({parameters}):\n    return [{', '.join(names)}]\n")
    unified = unify_list(types, union=True)
    assert isinstance(unified, Type)
    fits = all(is_subtype(t, unified) for t in types)
    assert compiled == (annotation_form(ListType(unified)) if fits else None)


@examples(150)
@given(texts, st.lists(st.sampled_from(ISINSTANCE_TEXTS) | texts, min_size=1, max_size=3))
def test_isinstance_refines_alike(annotation: str, candidates: list[str]) -> None:
    t, wanted = _type(annotation), [_type(text) for text in candidates]
    test = f"if isinstance(v, ({', '.join(candidates)},)):"
    header = f"def f(v: {annotation}):\n    {test}\n"
    true, false, static = refine_isinstance(t, wanted)
    sides = (None if static is False else true, None if static is True else false)
    # In a branch the side is assigned to the variable, and one that became an Optional may not fit where it came from.
    fits = static is not None or all(side is None or is_subtype(side, t) for side in sides)
    expected = [annotation_form(NONE if side is None else ListType(side)) if fits else None for side in sides]
    assert _result(f"{header}        return [v]\n    raise Exception()\n") == expected[0]
    assert _result(f"{header}        raise Exception()\n    return [v]\n") == expected[1]


@examples(400)
@given(texts, texts)
def test_results_convert_alike(actual: str, formal: str) -> None:
    mine, wanted = _type(actual), _type(formal)
    compiled = _result(f"def f(v: {actual}) -> {formal}:\n    return v\n")
    fits = is_subtype(convert(mine, wanted, allow_conversions=True), wanted)
    assert compiled == (annotation_form(wanted) if fits else None)


@examples(250)
@given(texts, texts)
def test_type_variables_bind_alike(element: str, added: str) -> None:
    variable = TypeVariable("t")
    bindings: dict[str, Type] = {}
    value = _type(added)
    assert match_type_variables(ListType(variable), _type(f"List[{element}]"), bindings) is None
    reason = match_type_variables(variable, value, bindings)
    bound = substitute(variable, bindings)
    assert bound is not None
    fits = reason is None and is_subtype(convert(value, bound, allow_conversions=True), bound)
    source = f"def f(xs: List[{element}], v: {added}):\n    xs.append(v)\n    return 1\n"
    assert (_result(source) is not None) == fits


@examples(300)
@given(texts)
def test_optional_variables_unwrap_alike(annotation: str) -> None:
    variable = TypeVariable("t")
    bindings: dict[str, Type] = {}
    value = _type(annotation)
    formal = OptionalType(variable)
    reason = match_type_variables(formal, value, bindings)
    wanted = substitute(formal, bindings)
    result = substitute(variable, bindings)
    fits = reason is None and wanted is not None and is_subtype(convert(value, wanted, True), wanted)
    compiled = _result(f"def f(v: {annotation}):\n    return [torch.jit._unwrap_optional(v)]\n")
    assert compiled == (annotation_form(ListType(result)) if fits and result is not None else None)
