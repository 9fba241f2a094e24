"""Ellipsis outside of a tensor index.

## What it does
Finds `...` as a value or statement, and as the only index of a tensor that is read.

## Why TorchScript refuses it
`...` has a meaning only among the indices of a tensor.

## Example
```py
@torch.jit.script
def nothing(x: Tensor) -> Tensor:
    return x[...]
```

## Use instead
```py
@torch.jit.script
def nothing(x: Tensor) -> Tensor:
    return x
```

## Fix
Write `pass` for a `...` statement.

## Compiler's wording
Cannot emit expr for: (dots).
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "`...` can only stand among several indices of a tensor, such as `x[..., 0]`."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    parent = context.parent(finding.node) if finding.node else None
    if isinstance(parent, ast.Expr):
        return (Fix("Write `pass`", "safe", (context.replace(parent, "pass"),)),)
    return ()


RULE = Rule(
    code="invalid-ellipsis",
    summary="ellipsis outside of a tensor index",
    category="attributes",
    message=message,
    fixes=fixes,
)
