"""Unary plus.

## What it does
Finds `+x`.

## Why TorchScript refuses it
The operator is missing from the compiler's table; it fails while the source is read.

## Example
```py
@torch.jit.script
def same(x: Tensor) -> Tensor:
    return +x
```

## Use instead
```py
@torch.jit.script
def same(x: Tensor) -> Tensor:
    return x
```

## Fix
Remove the sign.

## Compiler's wording
An AttributeError without a place.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "Unary `+` does not exist in TorchScript: leave it out."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node = finding.node
    if not isinstance(node, ast.UnaryOp):
        return ()
    return (Fix("Remove the `+`", "safe", (context.replace(node, context.text_of(node.operand)),)),)


RULE = Rule(
    code="unary-plus",
    summary="unary plus",
    category="syntax",
    message=message,
    fixes=fixes,
)
