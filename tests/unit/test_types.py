"""Texts of schemas and the parts of the type algebra that generated types do not reach.

Every expected text and type was read off the compiler.
"""

from __future__ import annotations

import ast

import pytest

from ts_lsp.types import model
from ts_lsp.types.annotations import (
    AnnotationProblem,
    AppliedDenotation,
    Denotation,
    GenericDenotation,
    NotAType,
    ParameterType,
    RefusedDenotation,
    TypeComment,
    TypeDenotation,
    UnknownDenotation,
    object_type,
    read_annotation,
    read_parameter_annotation,
    read_type_comment,
)
from ts_lsp.types.display import annotation_form, error_form, graph_form, operator_schema_text, schema_form, schema_text
from ts_lsp.types.matching import broadcast_list, convert, match_type_variables, substitute
from ts_lsp.types.model import (
    ANY,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INFERRED_TENSOR,
    INT,
    NONE,
    NUMBER,
    STR,
    TENSOR,
    UNKNOWN,
    DictType,
    EnumType,
    FutureType,
    ListType,
    NamedTupleType,
    OptionalType,
    TupleType,
    Type,
    TypeVariable,
    UnionType,
)
from ts_lsp.types.relations import (
    DegenerateUnion,
    UnificationFailure,
    contains_unknown,
    equal,
    holds_none,
    is_subtype,
    make_optional,
    make_union,
    members,
    refine_isinstance,
    subtract,
    unify,
    unify_list,
    without_none,
)
from ts_lsp.types.schema import Argument, Default, DefaultValue, Schema

PAIR = TupleType((INT, STR))
OPTIONAL = make_optional(INT)


# Texts


@pytest.mark.parametrize(
    ("t", "value", "text"),
    [
        (OPTIONAL, None, "int? a=None"),
        (STR, "a\"b'c\n\té", r'''str a="a\"b\'c\n\t\0)+\/.)"'''),
        (STR, "\x01\x07\x08\x7f", r'str a="\001\a\b\177"'),
        (FLOAT, 1e-5, "float a=1.0000000000000001e-05"),
        (FLOAT, 2.0, "float a=2."),
        (FLOAT, 1e17, "float a=100000000000000000."),
        (FLOAT, 1e20, "float a=1e+20"),
        (FLOAT, float("-inf"), "float a=-inf"),
        (FLOAT, -0.0, "float a=0."),
        (ListType(INT), (1, 2), "int[] a=[1, 2]"),
        (ListType(INT), (), "int[] a=[]"),
        (PAIR, (1, "x"), "(int, str) a=(1, x)"),
        (TupleType((FLOAT,)), (1,), "(float) a=(1.,)"),
        (BOOL, True, "bool a=True"),
        (COMPLEX, 1 + 2j, "complex a=1.+2.j"),
        (COMPLEX, 0.1 - 2.5e-7j, "complex a=0.10000000000000001-2.4999999999999999e-07j"),
        (make_optional(FLOAT), 3, "float? a=3."),
        (make_optional(STR), "a", 'str? a="a"'),
        (ANY, "b", "Any a=b"),
        (make_union([INT, STR]), "c", "Union(int, str) a=c"),
        (ListType(make_optional(STR)), ("a", None), "str?[] a=[a, None]"),
        (INT, -3, "int a=-3"),
    ],
)
def test_defaults_print_as_the_compiler_prints_them(t: Type, value: DefaultValue, text: str) -> None:
    schema = Schema("f", "", (Argument("a", t, Default(value)),), (Argument("", INT),))
    assert operator_schema_text(schema) == f"f({text}) -> int"


def test_schemas_of_functions() -> None:
    arguments = (
        Argument("x", make_optional(INT), Default(None)),
        Argument("y", ListType(TENSOR)),
        Argument("z", DictType(STR, INT), keyword_only=True),
        Argument("d", DEVICE, Default(opaque=True), keyword_only=True),
    )
    schema = Schema("f", "", arguments, (Argument("", PAIR),))
    assert (
        operator_schema_text(schema) == "f(int? x=None, Tensor[] y, *, Dict(str, int) z, Device d=...) -> ((int, str))"
    )
    assert (
        schema_text(schema)
        == "f(Optional[int] x=None, List[Tensor] y, *, Dict[str, int] z, Device d=...) -> Tuple[int, str]"
    )


def test_schemas_of_operators() -> None:
    numbers = Argument("stride", ListType(INT), Default((1, 1)), list_size=2, printed="SymInt[2]")
    out = Argument("out", TENSOR, keyword_only=True, alias="a!")
    values = (Argument("values", TENSOR), Argument("indices", TENSOR))
    schema = Schema("aten::g", "dim", (Argument("self", TENSOR), numbers, out), values)
    assert (
        operator_schema_text(schema)
        == "aten::g.dim(Tensor self, SymInt[2] stride=[1, 1], *, Tensor(a!) out) -> (Tensor values, Tensor indices)"
    )
    nothing = Schema("aten::sort", "int", (Argument("self", ListType(INT), alias="a!"),), (), is_vararg=True)
    assert operator_schema_text(nothing) == "aten::sort.int(int[](a!) self, ...) -> ()"


def test_forms_of_errors_and_graphs() -> None:
    color = EnumType("__torch__.E", INT)
    assert error_form(INFERRED_TENSOR) == "Tensor (inferred)"
    assert error_form(ListType(INFERRED_TENSOR)) == "List[Tensor]"
    assert (error_form(color), error_form(ListType(color))) == ("Enum<__torch__.E>", "List[__torch__.E]")
    named = NamedTupleType("__torch__.N", ("a", "b"), (INT, FutureType(INT)))
    assert (schema_form(named), graph_form(named)) == ("__torch__.N", "NamedTuple(a : int, b : Future[int])")
    assert annotation_form(ListType(UNKNOWN)) == "List[Unknown]"


# Unions


def test_unions_of_all_numbers_print_oddly() -> None:
    texts = [annotation_form(make_union(types)) for types in ([NUMBER, STR], [NUMBER, TENSOR], [INT, FLOAT, COMPLEX])]
    assert texts == ["Union[, str, number]", "Union[Tensornumber]", "Union[number]"]


def test_degenerate_unions_are_refused() -> None:
    with pytest.raises(DegenerateUnion) as caught:
        make_union([INT, ANY])
    assert caught.value.member == ANY
    with pytest.raises(DegenerateUnion):
        make_optional(NONE)


def test_taking_none_away() -> None:
    union = make_union([INT, STR, NONE])
    assert without_none(union) == make_union([INT, STR])
    assert without_none(OPTIONAL) == INT
    assert without_none(ANY) == ANY
    assert [holds_none(t) for t in (NONE, OPTIONAL, union, ANY, INT)] == [True, True, True, False, False]


def test_members_and_subtraction() -> None:
    assert members(make_optional(NUMBER)) == (INT, FLOAT, COMPLEX, NONE)
    assert subtract(make_union([INT, STR, NONE]), [STR]) == make_optional(INT)
    assert subtract(OPTIONAL, [INT, NONE]) is None


# Named results of operators


def test_named_results_fit_plain_tuples_only_one_way() -> None:
    named, plain = TupleType((TENSOR, TENSOR), ("values", "indices")), TupleType((TENSOR, TENSOR))
    assert is_subtype(named, plain)
    assert not is_subtype(plain, named)
    assert not equal(named, plain)
    assert not is_subtype(ListType(named), ListType(plain))
    assert unify(named, plain) == plain


# Unknown parts


def test_unknown_types_fit_wherever_some_choice_would() -> None:
    unknown_list = ListType(UNKNOWN)
    for t in (INT, TENSOR, OPTIONAL, unknown_list, make_union([INT, STR])):
        assert is_subtype(UNKNOWN, t)
        assert is_subtype(t, UNKNOWN)
        assert unify(UNKNOWN, t) == UNKNOWN
    assert is_subtype(unknown_list, ListType(INT))
    assert is_subtype(ListType(INT), unknown_list)
    assert not is_subtype(unknown_list, INT)
    assert unify(unknown_list, ListType(INT)) == ListType(INT)
    assert unify(ListType(INT), unknown_list) == ListType(INT)
    assert contains_unknown(DictType(STR, unknown_list))
    assert make_union([INT, UNKNOWN]) == UNKNOWN


def test_isinstance_of_unknown_types_is_never_static() -> None:
    assert refine_isinstance(UNKNOWN, [INT]) == (INT, UNKNOWN, None)
    assert refine_isinstance(INT, [UNKNOWN]) == (UNKNOWN, UNKNOWN, None)


# Unification of several


def test_unification_says_which_element_does_not_fit() -> None:
    assert unify_list([INT, NONE, STR]) == UnificationFailure(2, STR, OPTIONAL)
    assert unify_list([]) is None
    assert unify_list([INT, STR], hint=ANY) == ANY


# Matching


def test_type_variables() -> None:
    variable = TypeVariable("t")
    bindings: dict[str, Type] = {}
    assert match_type_variables(ListType(variable), TupleType((INT, NONE)), bindings) is None
    assert bindings == {"t": OPTIONAL}
    assert match_type_variables(ListType(variable), PAIR, {}) == "Cannot match List[t] to Tuple[int, str]"
    assert match_type_variables(DictType(STR, variable), INT, {}) == "Cannot match a dict to int"
    assert substitute(OptionalType(variable), {}) is None
    assert match_type_variables(variable, STR, {"t": INT}) == (
        "Type variable 't' previously matched to type int is matched to type str"
    )
    unknown: dict[str, Type] = {}
    assert match_type_variables(DictType(STR, variable), UNKNOWN, unknown) is None
    assert substitute(ListType(variable), unknown) == ListType(UNKNOWN)


def test_conversions_that_need_a_literal_or_a_fixed_size() -> None:
    assert convert(ListType(TENSOR), OptionalType(ListType(STR)), False, is_empty_list_literal=True) == ListType(STR)
    assert convert(ListType(TENSOR), ListType(STR), False) == ListType(TENSOR)
    assert convert(BOOL, NUMBER, allow_conversions=True) == INT
    assert convert(TENSOR, INT, allow_conversions=False) == TENSOR
    assert broadcast_list(INT, ListType(INT), 2)
    assert broadcast_list(INT, OptionalType(ListType(INT)), 1)
    assert not broadcast_list(INT, ListType(INT), None)
    assert not broadcast_list(BOOL, ListType(INT), 2)
    assert not broadcast_list(INT, ListType(FLOAT), 2)


# Annotations


class Table:
    """Names from a table."""

    def __init__(self, **denotations: Denotation) -> None:
        self.denotations = denotations

    def evaluates(self, written: ast.expr | str) -> bool:
        return True

    def denotation(self, dotted: str) -> Denotation | None:
        return self.denotations.get(dotted)


NAMES = Table(
    List=GenericDenotation("List"),
    Optional=GenericDenotation("Optional"),
    int=TypeDenotation(INT),
    Mystery=UnknownDenotation(),
    Bad=RefusedDenotation("invalid-enum", {"name": "Bad"}),
    Module=NotAType("Module"),
    Alias=AppliedDenotation("Union", (TypeDenotation(INT), TypeDenotation(NONE))),
    Tensor=TypeDenotation(INT),
)


def _node(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize(
    ("text", "t"),
    [
        ("Mystery", UNKNOWN),
        ("Mystery[int]", UNKNOWN),
        ("Mystery[int] | None", OptionalType(UNKNOWN)),
        ("List[Mystery]", ListType(UNKNOWN)),
        ("Optional[Mystery]", OptionalType(UNKNOWN)),
        ("int | Mystery | None", UNKNOWN),
        ("'Mystery'", UNKNOWN),
        ("Alias | None", OPTIONAL),
        # Evaluated, the user's own `Tensor` counts; written, the compiler's.
        ("Tensor", INT),
        ("Tensor | None", OptionalType(TENSOR)),
    ],
)
def test_annotations_by_what_names_mean(text: str, t: Type) -> None:
    assert read_annotation(_node(text), NAMES) == t


def test_refused_objects_surface_their_own_code() -> None:
    problem = read_annotation(_node("List[Bad]"), NAMES)
    assert isinstance(problem, AnnotationProblem)
    assert (problem.code, problem.data, problem.located) == ("invalid-enum", {"name": "Bad"}, False)


def test_objects_that_are_no_types() -> None:
    node = _node("x")
    assert object_type(NotAType("Module"), node) is None
    assert object_type(AppliedDenotation("List", (NotAType("Module"),)), node) is None
    assert object_type(GenericDenotation("dict"), node) is None
    bare = object_type(GenericDenotation("Dict"), node)
    assert isinstance(bare, AnnotationProblem)
    assert bare.code == "bare-generic"


def test_broadcasting_lists_are_for_parameters() -> None:
    node = _node("Optional[BroadcastingList2[int]]")
    assert read_parameter_annotation(node, NAMES) == ParameterType(OptionalType(ListType(INT)), 2)
    assert isinstance(read_annotation(node, NAMES), AnnotationProblem)


def test_type_comments() -> None:
    comment = read_type_comment(" (int, Optional[int]) -> List[int] # noqa", NAMES)
    assert comment == TypeComment((ParameterType(INT), ParameterType(OPTIONAL)), ListType(INT))
    assert read_type_comment(" ()", NAMES) == TypeComment((), None)
    malformed = read_type_comment(" List[int]", NAMES)
    assert isinstance(malformed, AnnotationProblem)
    assert malformed.code == "malformed-type-comment"
    unknown = read_type_comment(" (int, Nope) -> int", NAMES)
    assert isinstance(unknown, AnnotationProblem)
    assert (unknown.code, unknown.node.col_offset, unknown.located) == ("unknown-type", 7, False)


def test_unions_keep_the_order_of_the_compiler() -> None:
    union = make_union([STR, model.ANY_LIST, NONE, TENSOR, INT])
    assert isinstance(union, UnionType)
    assert annotation_form(union) == "Union[Tensor, int, NoneType, str, list]"
