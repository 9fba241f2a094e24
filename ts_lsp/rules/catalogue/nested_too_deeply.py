"""Expression nested too deeply.

## What it does
Finds functions with an expression so deep that Python's own parser gives up on it.

## Why TorchScript refuses it
The compiler walks the tree by recursion and runs into Python's limit.

## Compiler's wording
A RecursionError.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "This function holds an expression that is nested too deeply to be compiled: put parts of it into variables."


RULE = Rule(
    code="nested-too-deeply",
    summary="expression nested too deeply",
    category="syntax",
    message=message,
)
