"""Function that calls itself.

## What it does
Finds functions and methods that call themselves, directly or through others.

## Why TorchScript refuses it
A function is compiled completely before anything can call it, so it cannot be called while it is being compiled.

## Example
```py
@torch.jit.script
def factorial(n: int) -> int:
    if n < 2:
        return 1
    return n * factorial(n - 1)
```

## Use instead
```py
@torch.jit.script
def factorial(n: int) -> int:
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result
```

## Compiler's wording
function X is called recursively. Recursive calls are not supported.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name = named(finding, "name", "This function")
    if finding.data.get("mutual"):
        return f"{name} is being compiled already when it is needed here: functions cannot call each other in a circle."
    return f"{name} calls itself, which compiled functions cannot: write a loop."


RULE = Rule(
    code="recursive-function",
    summary="function that calls itself",
    category="calls",
    message=message,
)
