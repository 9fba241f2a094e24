"""Figures and differences, from small made-up facts and dumps whose agreement is plain to see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scripts.conformance.compare import Comparison, compare
from scripts.conformance.families import family
from scripts.conformance.figures import count, table
from scripts.conformance.product import Answer, Product
from scripts.conformance.report import Difference, differences, markdown
from scripts.conformance.spelling import plain_type

_TEXT = "def f(x):\n    return x + 1\n\n\ndef g(x):\n    return a\n"


def _fact(line: int, verdict: str, kind: str = "function", **more: Any) -> dict[str, Any]:
    return {"file": "t.py", "line": line, "kind": kind, "name": "f", "verdict": verdict, **more}


def _entry(line: int, verdict: str, kind: str = "function", **more: Any) -> dict[str, Any]:
    return {"line": line, "end_line": line + 1, "kind": kind, "verdict": verdict, "qualname": "f", **more}


def _compare(
    facts: list[dict[str, Any]],
    definitions: list[dict[str, Any]],
    text: str = _TEXT,
    **dump: Any,
) -> list[Comparison]:
    answer = Answer({"path": "t.py", "definitions": definitions, "findings": [], "entries": [], **dump})
    return list(compare(facts, {"t.py": answer}, {"t.py": text}))


def _found(comparisons: list[Comparison]) -> list[Difference]:
    return list(differences(comparisons))


@pytest.mark.parametrize(
    ("wanted", "answered", "sort"),
    [("ok", "error", "false alarm"), ("error", "ok", "missed"), ("ok", "unknown", "unknown")],
)
def test_verdicts_that_differ(wanted: str, answered: str, sort: str) -> None:
    comparisons = _compare([_fact(1, wanted)], [_entry(1, answered)])
    figures = count(comparisons)
    assert (figures.judged, figures.agreed) == (1, 0)
    assert [one.sort for one in _found(comparisons)] == [sort]


def test_a_definition_that_is_not_listed_counts_as_unknown() -> None:
    comparisons = _compare([_fact(1, "ok")], [])
    assert count(comparisons).unknown == 1
    assert [one.sort for one in _found(comparisons)] == ["absent"]


def test_a_file_without_an_answer_leaves_its_definitions_absent() -> None:
    answers = {"t.py": Answer(None, "exit 2: broken")}
    comparisons = list(compare([_fact(1, "ok")], answers, {"t.py": _TEXT}))
    assert count(comparisons).unknown == 1
    assert "exit 2: broken" in markdown(comparisons, _found(comparisons), answers, {"t.py": _TEXT})


def test_both_verdicts_for_one_definition_are_not_judged() -> None:
    figures = count(_compare([_fact(1, "ok"), _fact(1, "error")], [_entry(1, "ok")]))
    assert (figures.judged, figures.mixed) == (0, 1)


def test_the_first_error_must_stand_on_a_marked_line() -> None:
    places = [{"file": "t.py", "line": 6, "end_line": 6}]
    facts = [_fact(5, "error", headline="undefined value a", locs=places)]
    right = _compare(facts, [_entry(5, "error", first_error={"path": "t.py", "line": 6, "code": "x"})])
    wrong = _compare(facts, [_entry(5, "error", first_error={"path": "t.py", "line": 5, "code": "x"})])
    assert (count(right).located, count(right).on_line) == (1, 1)
    assert (count(wrong).located, count(wrong).on_line) == (1, 0)
    assert [one.family for one in _found(wrong)] == ["undefined value X | x"]


def test_a_rejection_without_a_place_does_not_count_for_lines() -> None:
    assert count(_compare([_fact(1, "error", locs=[])], [_entry(1, "error")])).located == 0


def _value(types: str, column: int = 12) -> dict[str, Any]:
    return {"line": 2, "column": column, "end_line": 2, "end_column": column + 5, "type": types}


def test_types_are_compared_where_the_compiler_has_a_node() -> None:
    facts = [_fact(1, "ok", schema="f(Tensor x) -> Tensor", values=[[2, 11, 2, 16, "aten::add", ["Tensor"]]])]
    same = _compare(facts, [_entry(1, "ok", schema="f(Tensor x) -> Tensor", values=[_value("Tensor")])])
    other = _compare(facts, [_entry(1, "ok", schema="f(Tensor x) -> int", values=[_value("int")])])
    none = _compare(facts, [_entry(1, "ok", schema=None, values=[_value("Tensor", column=3)])])
    shares = count(same).percentages()
    assert [name for name, share in shares.items() if share == 100] == ["verdict", "types", "typed", "schemas"]
    assert [one.family for one in _found(other)] == ["int instead of Tensor", "result int instead of Tensor"]
    assert [(one.sort, one.family) for one in _found(none)] == [("untyped", "aten::add")]


def test_columns_are_bytes_in_facts_and_code_points_in_dumps() -> None:
    text = "def f(x):\n    é = 1; x + 1\n"
    facts = [_fact(1, "ok", values=[[2, 12, 2, 17, "aten::add", ["Tensor"]]])]
    assert count(_compare(facts, [_entry(1, "ok", values=[_value("Tensor")])], text)).same_type == 1


def test_methods_are_compared_in_types_but_not_judged_among_all() -> None:
    method = {"name": "m", "file": "t.py", "line": 2, "schema": None, "values": [[2, 11, 2, 16, "aten::add", ["int"]]]}
    definitions = [_entry(1, "ok", "class"), _entry(2, "ok", "method", values=[_value("Tensor")])]
    comparisons = _compare([_fact(1, "ok", "class", methods=[method])], definitions)
    assert [one.kind for one in comparisons] == ["class", "method"]
    assert "| all | 1/1 = 100.00% |" in table(comparisons)
    assert [one.family for one in _found(comparisons)] == ["Tensor instead of int"]


def test_a_module_is_judged_where_it_was_compiled() -> None:
    facts = [_fact(1, "ok", "module", user_call={"file": "t.py", "line": 9})]
    entry = {"line": 9, "kind": "module", "verdict": "ok"}
    assert count(_compare(facts, [_entry(1, "error", "class")], entries=[entry])).agreed == 1
    assert count(_compare(facts, [_entry(1, "error", "class")])).false_alarms == 1


@pytest.mark.parametrize(
    ("printed", "plain"),
    [
        ("__torch__.test_jit.___torch_mangle_4.Foo", "Foo"),
        ("Dict[str, Optional[NoneType]]", "Dict[str,Optional[None]]"),
        ("number", "Scalar"),
        ("Tensor (inferred)", "Tensor"),
    ],
)
def test_plain_types(printed: str, plain: str) -> None:
    assert plain_type(printed) == plain


def test_messages_that_differ_in_names_only_are_one_family() -> None:
    first = family("Variable 'y' previously had type List[int] but is now being assigned to a value of type Tensor")
    second = family("Variable 'z' previously had type float but is now being assigned to a value of type str")
    assert first == second
    assert family("undefined value a") == family("undefined value some.thing") != family("cannot call a value")


def test_the_report_shows_the_source_of_the_most_frequent_family_first() -> None:
    facts = [_fact(1, "error", headline="cannot call 'a'"), _fact(5, "ok")]
    comparisons = _compare(facts, [_entry(1, "ok"), _entry(5, "unknown")])
    report = markdown(comparisons, _found(comparisons), {}, {"t.py": _TEXT})
    assert "### 1: cannot call 'X'" in report
    assert "    2     return x + 1" in report


def test_an_answer_is_kept_until_the_file_or_the_product_changes(tmp_path: Path) -> None:
    source, tests, log = tmp_path / "source", tmp_path / "tests", tmp_path / "log"
    source.mkdir()
    tests.mkdir()
    (source / "a.py").write_text("1")
    (tests / "t.py").write_text("pass")
    script = tmp_path / "dump.py"
    script.write_text(
        "import json, sys\n"
        f"open({str(log)!r}, 'a').write('asked ')\n"
        "print(json.dumps({'files': [{'path': sys.argv[-1], 'definitions': []}]}))\n"
    )

    def ask() -> Answer:
        return Product(f"python {script}", source, tmp_path / "cache").answers(tests, ["t.py"], 1)["t.py"]

    assert ask().dump == ask().dump == {"path": str(tests / "t.py"), "definitions": []}
    assert log.read_text().split() == ["asked"]
    (source / "a.py").write_text("2")
    ask()
    (tests / "t.py").write_text("pass  # changed")
    ask()
    assert log.read_text().split() == ["asked"] * 3


def test_a_product_that_fails_is_a_fault_and_not_kept(tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text("pass")
    product = Product("python -c 'raise(SystemExit(\"no\"))'", tmp_path, tmp_path / "cache")
    answer = product.answers(tmp_path, ["t.py"], 1)["t.py"]
    assert answer.dump is None
    assert answer.fault == "exit 1: no"
    assert list((tmp_path / "cache").iterdir()) == []


def _attribute(name: str, type_: str | None, kind: str = "attribute") -> dict[str, Any]:
    return {"name": name, "kind": kind, "type": type_, "why": None}


def test_attributes_are_compared_with_the_listing_that_agrees_best() -> None:
    wanted = {"training": "bool", "size": "List[int]", "weight": "Tensor", "scale": "float", "left_open": "int"}
    first = [_attribute("size", "int")]
    second = [
        _attribute("size", "List[int]"),
        _attribute("weight", "Tensor", "parameter"),
        _attribute("scale", "int"),
        _attribute("left_open", None),
        _attribute("layer", "Linear", "module"),
    ]
    comparisons = _compare(
        [_fact(1, "ok", "module", attributes=wanted)],
        [_entry(1, "ok", "module", attributes=first), _entry(1, "ok", "module", attributes=second)],
    )
    figures = count(comparisons)
    assert (figures.attributes, figures.same_attribute) == (3, 2)
    [difference] = _found(comparisons)
    assert (difference.sort, difference.family) == ("attribute", "int instead of float")


def test_attributes_that_the_compiler_has_not_are_differences() -> None:
    facts = [_fact(1, "ok", "module", attributes={"training": "bool"})]
    comparisons = _compare(facts, [_entry(1, "ok", "module", attributes=[_attribute("extra", "int")])])
    assert [one.family for one in _found(comparisons)] == ["int instead of None"]
