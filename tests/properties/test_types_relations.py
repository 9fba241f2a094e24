"""Display and the type algebra against the compiler's own answers on generated types."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties.types_oracle import ATOMS, Recipe, ours, theirs, torch
from ts_lsp.types import display
from ts_lsp.types.model import Type
from ts_lsp.types.relations import UnificationFailure, equal, is_subtype, unify_list

pytestmark = pytest.mark.oracle

COMMON = ("int", "float", "complex", "bool", "str", "NoneType", "Tensor", "Any", "number")
atoms = st.one_of(st.sampled_from(COMMON), st.sampled_from(sorted(ATOMS))).map(lambda name: (name,))
keys = st.sampled_from(["int", "str", "float", "Tensor", "bool"]).map(lambda name: (name,))


def _larger(inner: st.SearchStrategy[Recipe]) -> st.SearchStrategy[Recipe]:
    one = st.tuples(st.sampled_from(["List", "Optional", "Optional", "Future", "RRef", "Await"]), inner)
    union = st.lists(inner, min_size=2, max_size=5).map(lambda inside: ("Union", *inside))
    several = st.lists(inner, max_size=3).map(lambda inside: ("Tuple", *inside))
    return st.one_of(one, union, several, st.tuples(st.just("Dict"), keys, inner))


recipes = st.recursive(atoms, _larger, max_leaves=7)
quick = settings(
    max_examples=250, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)


def _built(batch: list[Recipe]) -> list[tuple[Type, Any]]:
    """The recipes as pairs (ours, the compiler's); both sides must agree on which have a type."""
    pairs = []
    for recipe in batch:
        mine, compiler = ours(recipe), theirs(recipe)
        assert (mine is None) == (compiler is None), recipe
        if mine is not None:
            pairs.append((mine, compiler))
    return pairs


@quick
@given(st.lists(recipes, min_size=4, max_size=8))
def test_types_print_alike(batch: list[Recipe]) -> None:
    for mine, compiler in _built(batch):
        assert display.annotation_form(mine) == compiler.annotation_str == str(compiler)


@quick
@given(st.lists(recipes.filter(lambda recipe: not set("PQRS") & set(_names(recipe))), min_size=4, max_size=8))
def test_graph_forms_print_alike(batch: list[Recipe]) -> None:
    for mine, compiler in _built(batch):
        assert display.graph_form(mine) == compiler.str()


def _names(recipe: Recipe) -> list[str]:
    return [recipe[0], *itertools.chain.from_iterable(map(_names, recipe[1:]))]


@quick
@given(st.lists(recipes, min_size=6, max_size=12))
def test_subtyping_and_equality_agree(batch: list[Recipe]) -> None:
    for (a, compiler_a), (b, compiler_b) in itertools.product(_built(batch), repeat=2):
        assert is_subtype(a, b) == compiler_a.isSubtypeOf(compiler_b), (a, b)
        assert equal(a, b) == (compiler_a == compiler_b), (a, b)


def _compiler_unified(types: list[Any]) -> str | None:
    try:
        return str(torch._C.unify_type_list(types).annotation_str)
    except RuntimeError:
        return None


@quick
@given(st.lists(recipes, min_size=4, max_size=10))
def test_unification_of_pairs_agrees(batch: list[Recipe]) -> None:
    for (a, compiler_a), (b, compiler_b) in itertools.product(_built(batch), repeat=2):
        result = unify_list([a, b])
        mine = None if result is None or isinstance(result, UnificationFailure) else display.annotation_form(result)
        assert mine == _compiler_unified([compiler_a, compiler_b]), (a, b)


@quick
@given(st.lists(atoms | st.tuples(st.just("Optional"), atoms), min_size=2, max_size=5))
def test_unification_of_lists_agrees(batch: list[Recipe]) -> None:
    built = _built(batch)
    if not built:
        return
    result = unify_list([mine for mine, _ in built])
    mine = None if result is None or isinstance(result, UnificationFailure) else display.annotation_form(result)
    assert mine == _compiler_unified([compiler for _, compiler in built])
