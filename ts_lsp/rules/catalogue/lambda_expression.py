"""Lambda expression.

## What it does
Finds `lambda` in compiled code.

## Why TorchScript refuses it
Functions are not values in TorchScript, and there are no closures.

## Example
```py
@torch.jit.script
def scale(x: Tensor) -> Tensor:
    double = lambda t: t * 2
    return double(x)
```

## Use instead
```py
def double(t: Tensor) -> Tensor:
    return t * 2

@torch.jit.script
def scale(x: Tensor) -> Tensor:
    return double(x)
```

## Compiler's wording
Unsupported node: Lambda.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "A `lambda` cannot be compiled: write a function at module level and call it by name."


RULE = Rule(
    code="lambda-expression",
    summary="lambda expression",
    category="syntax",
    message=message,
)
