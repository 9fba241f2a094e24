"""Conditional expression with sides of different types.

## What it does
Finds `a if c else b` where `a` and `b` have types that do not go together.

## Why TorchScript refuses it
The expression has one type; only None and another type are brought together.

## Example
```py
@torch.jit.script
def rate(fast: bool) -> float:
    return 1 if fast else 0.5
```

## Use instead
```py
@torch.jit.script
def rate(fast: bool) -> float:
    return 1.0 if fast else 0.5
```

## Fix
Write a float literal.

## Compiler's wording
if-expression's true branch has type T but false branch has type U.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import float_literal, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding, Related
from ts_lsp.types.model import FLOAT, INT


def message(finding: Finding) -> str:
    true, false = finding.data.get("true"), finding.data.get("false")
    if true is None or false is None:
        return "The two sides of this expression have different types."
    return f"This is {quoted(true)} if the condition holds and {quoted(false)} if not; an expression has one type."


def related_message(related: Related) -> str:
    return "the value if the condition holds" if related.role == "true-branch" else "the value otherwise"


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node = finding.node
    types = (finding.data.get("true"), finding.data.get("false"))
    if not isinstance(node, ast.IfExp) or set(types) != {INT, FLOAT}:
        return ()
    return present(float_literal(context, node.body if types[0] == INT else node.orelse))


RULE = Rule(
    code="ternary-type-mismatch",
    summary="conditional expression with sides of different types",
    category="statements",
    message=message,
    related_message=related_message,
    fixes=fixes,
)
