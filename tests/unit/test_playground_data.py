"""What the playground offers: each example fails by its rule, and what is to be written instead does not."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.rule_examples import playground_data
from tests.unit.rule_pages import WITHOUT_REFUSAL, diagnostics
from ts_lsp.rules.registry import codes
from ts_lsp.torchdata.versions import SHIPPED

DATA: dict[str, Any] = playground_data()
EXAMPLES = [example for category in DATA["categories"] for example in category["examples"]]


def test_every_rule_with_a_program_is_offered() -> None:
    assert {each["code"] for each in EXAMPLES} == set(codes()) - WITHOUT_REFUSAL
    assert set(DATA["torch"]) == set(SHIPPED)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each["code"])
def test_an_example_fails_and_its_counterpart_does_not(example: dict[str, str]) -> None:
    found = {each.code for each in diagnostics(example["fails"])}
    # In one file a failing callee is reported where it fails.
    assert example["code"] in found or (example["code"] == "failing-callee" and found)
    assert diagnostics(example["works"]) == ()
