"""Yield in a compiled function.

## What it does
Finds `yield` and `yield from`.

## Why TorchScript refuses it
A compiled function runs to its end and returns once; generators do not exist.

## Example
```py
@torch.jit.script
def count(n: int):
    for i in range(n):
        yield i
```

## Use instead
```py
@torch.jit.script
def count(n: int) -> List[int]:
    numbers: List[int] = []
    for i in range(n):
        numbers.append(i)
    return numbers
```

## Compiler's wording
Unsupported node: Yield.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "A generator cannot be compiled: collect the values in a list and return it."


RULE = Rule(
    code="yield-expression",
    summary="yield in a compiled function",
    category="syntax",
    message=message,
)
