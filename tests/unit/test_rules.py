"""The catalogue of rules as a whole, and what turns findings into diagnostics."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import ts_lsp
from scripts.generate_docs import generated_pages
from tests.unit.rule_pages import EVERYTHING, WITHOUT_REFUSAL, diagnostics, mended_programs, programs
from ts_lsp.rules.diagnostics import RuleChoice, fixes_of
from ts_lsp.rules.model import SEVERITIES
from ts_lsp.rules.registry import codes, find_rule, page, reason
from ts_lsp.semantic.facts import Finding
from ts_lsp.text import Range, TextEdit, apply_edits

PACKAGE = Path(ts_lsp.__file__).parent
SECTIONS = ("What it does", "Why TorchScript refuses it")


def found(text: str, choice: RuleChoice = EVERYTHING) -> list[tuple[str, int]]:
    """Codes and 1-based lines."""
    return [(each.code, each.range.line + 1) for each in diagnostics(text, choice)]


@pytest.mark.parametrize("code", codes())
def test_a_rule_is_declared_and_documented(code: str) -> None:
    rule = find_rule(code)
    assert rule is not None
    assert rule.code == code
    assert rule.severity in SEVERITIES
    assert re.fullmatch(r"[^.]+", rule.summary)
    assert all(f"## {title}\n" in page(code) for title in SECTIONS)
    assert reason(code)


@pytest.mark.parametrize("code", codes())
def test_a_message_needs_no_data(code: str) -> None:
    """A finding may carry less than its rule could use."""
    rule = find_rule(code)
    assert rule is not None
    text = rule.message(Finding(code, Range(0, 0, 0, 1), "f"))
    assert text.endswith((".", "?"))
    assert "None" not in text.replace("None and", "").replace("default None", "") or "None" in page(code)
    assert "``" not in text
    assert "  " not in text


def test_every_code_that_the_engine_reports_has_a_rule() -> None:
    """Codes are the string literals that stand first in a call that reports or refuses."""
    reported = {
        node.args[0].value
        for layer in ("syntax", "types", "values", "semantic")
        for path in (PACKAGE / layer).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
        and getattr(node.func, "attr", getattr(node.func, "id", ""))
        in ("report", "refuse", "refusal", "Finding", "Refusal")
    }
    assert len(reported) > 50
    assert reported <= set(codes())


@pytest.mark.parametrize("code", [code for code in codes() if code not in {*WITHOUT_REFUSAL, "failing-callee"}])
def test_the_page_shows_what_is_reported(code: str) -> None:
    """The compiler judges the same programs in test_rule_examples. (A failing callee shows in another file only.)"""
    for text in programs(code, "Example"):
        assert code in [each.code for each in diagnostics(text)]
    for text in programs(code, "Use instead"):
        assert not diagnostics(text)


def test_an_unknown_rule_is_none() -> None:
    assert find_rule("no-such-rule") is None
    assert page("no-such-rule") == ""


def test_the_generated_pages_are_fresh() -> None:
    for path, text in generated_pages().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run `make docs`"


PROGRAM = """\
from typing import Optional

import torch
from torch import Tensor


@torch.jit.script
def add(x: Optional[Tensor]) -> Tensor:
    return x + 1{comment}


def unchecked(x: Optional[Tensor]) -> Tensor:
    return x  # ts-lsp: ignore[optional-operand]
"""
LINE = 9


@pytest.mark.parametrize(
    "comment",
    ["  # ts-lsp: ignore", "  # ts-lsp: ignore[optional-operand]", "  # ts-lsp: ignore[bare-raise, optional-operand]"],
)
def test_a_comment_silences_its_line(comment: str) -> None:
    assert ("optional-operand", LINE) not in found(PROGRAM.format(comment=comment))


def test_a_comment_for_another_rule_silences_nothing_and_is_reported() -> None:
    assert found(PROGRAM.format(comment="  # ts-lsp: ignore[bare-raise]")) == [
        ("optional-operand", LINE),
        ("unused-suppression", LINE),
    ]


def test_a_part_of_a_comment_without_use_is_reported() -> None:
    only = diagnostics(PROGRAM.format(comment="  # ts-lsp: ignore[bare-raise, optional-operand]"))
    assert [each.code for each in only] == ["unused-suppression"]
    assert "`bare-raise`" in only[0].message
    assert "optional-operand" not in only[0].message


def test_an_unknown_code_in_a_comment_is_reported_at_its_place() -> None:
    text = PROGRAM.format(comment="  # ts-lsp: ignore[optional-operant]")
    unknown = next(each for each in diagnostics(text) if each.code == "unknown-suppression")
    line = text.splitlines()[unknown.range.line]
    assert line[unknown.range.column : unknown.range.end_column] == "optional-operant"
    assert "`optional-operand`" in unknown.message


def test_a_comment_in_code_that_is_not_checked_is_not_called_unused() -> None:
    assert found(PROGRAM.format(comment="")) == [("optional-operand", LINE)]


def test_a_comment_for_a_rule_that_is_off_is_not_called_unused() -> None:
    choice = RuleChoice(ignore=frozenset({"bare-raise"}))
    assert found(PROGRAM.format(comment="  # ts-lsp: ignore[bare-raise]"), choice) == [("optional-operand", LINE)]


def test_a_comment_on_a_line_of_its_own_covers_the_next() -> None:
    text = PROGRAM.format(comment="").replace(
        "    return x + 1", "    # ts-lsp: ignore[optional-operand]\n    return x + 1"
    )
    assert found(text) == []


def test_a_comment_on_any_line_of_the_finding_or_its_statement_counts() -> None:
    spread = "    return (  # ts-lsp: ignore[optional-operand]\n        1.0\n        + (x + 1)\n    )"
    assert found(PROGRAM.format(comment="").replace("    return x + 1", spread)) == []


def test_rules_can_be_chosen() -> None:
    text = PROGRAM.format(comment="")
    assert found(text, RuleChoice(ignore=frozenset({"optional-operand"}))) == []
    assert found(text, RuleChoice(select=frozenset({"bare-raise"}))) == []
    assert [each.severity for each in diagnostics(text, RuleChoice(severity={"optional-operand": "hint"}))] == ["hint"]


def fixed(text: str, applicability: str = "safe") -> str:
    """The text after the first fix of that kind of its first diagnostic."""
    first = diagnostics(text)[0]
    fix = next(each for each in fixes_of(first, text) if each.applicability == applicability)
    return apply_edits(text, [TextEdit(edit.range, edit.text) for edit in fix.edits])


def test_fixes_of_findings_far_down_the_file_edit_the_right_lines() -> None:
    assert "    assert x is not None\n    return x + 1\n" in fixed(PROGRAM.format(comment=""))


def test_a_fix_adds_the_import_that_it_needs() -> None:
    head = '"""Doc."""\n\nfrom __future__ import annotations\n\n'
    body = "@torch.jit.script\ndef f(n: int):\n    x = None\n    if n > 1:\n        x = n\n    return x\n"
    mended = fixed(f"{head}import torch\n\n\n{body}")
    assert "    x: Optional[int] = None\n" in mended
    assert mended.startswith(f"{head}from typing import Optional\nimport torch\n")
    assert not diagnostics(mended)


def test_a_fix_adds_a_name_to_the_import_that_is_there() -> None:
    head = "import torch\nfrom typing import (\n    List,\n)\n\n\n"
    body = "@torch.jit.script\ndef f(n: int):\n    x = None\n    if n > 1:\n        x = n\n    return x\n"
    mended = fixed(head + body)
    assert "    List, Optional,\n" in mended
    assert not diagnostics(mended)


@pytest.mark.parametrize("code", [code for code in codes() if code not in WITHOUT_REFUSAL])
def test_a_fix_of_an_example_mends_it(code: str) -> None:
    """After its fixes, the finding is gone and nothing else has come up."""
    for text in programs(code, "Example"):
        before = [each.code for each in diagnostics(text)]
        for mended in mended_programs(text, code):
            assert len(diagnostics(mended)) < len(before), mended
