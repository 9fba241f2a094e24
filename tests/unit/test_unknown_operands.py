"""What is not known never causes a finding, whatever is done with it and what is known beside it."""

from __future__ import annotations

import pytest

from ts_lsp.semantic.analysis import Analysis
from ts_lsp.torchdata.loader import load
from ts_lsp.values.workspace import Workspace

PROGRAM = """
import torch
import unheard_of
from typing import List, Tuple

def three(sizes: Tuple[int, int, int]) -> int:
    return sizes[0]

class Holder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.value = unheard_of.value()

    def forward(self, x):
        return EXPRESSION

torch.jit.script(Holder())
"""


@pytest.mark.parametrize(
    "expression",
    [
        "three((1,) + self.value)",
        "three(self.value + (1, 2))",
        "three(self.value)",
    ],
)
def test_unknown_operand(expression: str) -> None:
    torch = load("2.13")
    analysis = Analysis(torch, Workspace(torch))
    analysis.apply_change("main.py", PROGRAM.replace("EXPRESSION", expression))
    facts = analysis.file_facts("main.py")
    assert [each.verdict for each in facts.entries] == ["unknown"]
    assert not any(each.findings for each in facts.definitions)
