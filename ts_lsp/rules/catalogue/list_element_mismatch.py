"""List whose elements do not fit its annotation.

## What it does
Finds list displays with elements that are not of the declared element type.

## Why TorchScript refuses it
A list holds one type, and its elements are not converted.

## Example
```py
@torch.jit.script
def ones() -> List[float]:
    xs: List[float] = [1, 1]
    return xs
```

## Use instead
```py
@torch.jit.script
def ones() -> List[float]:
    xs: List[float] = [1.0, 1.0]
    return xs
```

## Fix
Write float literals.

## Compiler's wording
List type annotation did not match the types of the given list elements.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import float_literal, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding
from ts_lsp.types.model import FLOAT, ListType


def message(finding: Finding) -> str:
    hint, found = finding.data.get("hint"), finding.data.get("found")
    if hint is None or found is None:
        return "The elements of this list do not have the declared type."
    return f"The list is declared {quoted(hint)}, but its elements are {quoted(found)}."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node, hint = finding.node, finding.data.get("hint")
    if not isinstance(node, ast.List) or not isinstance(hint, ListType) or hint.element != FLOAT:
        return ()
    literals = [float_literal(context, each) for each in node.elts]
    edits = tuple(edit for fix in present(*literals) for edit in fix.edits)
    return (Fix("Write float literals", "safe", edits),) if edits else ()


RULE = Rule(
    code="list-element-mismatch",
    summary="list whose elements do not fit its annotation",
    category="statements",
    message=message,
    fixes=fixes,
)
