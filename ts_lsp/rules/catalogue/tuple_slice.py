"""Tuple slice that is not known while compiling.

## What it does
Finds slices of tuples whose bounds or step are not literals.

## Why TorchScript refuses it
The type of the result depends on the bounds.

## Example
```py
@torch.jit.script
def head(t: Tuple[int, int, int], n: int) -> Tuple[int, int]:
    return t[0:n]
```

## Use instead
```py
@torch.jit.script
def head(t: Tuple[int, int, int]) -> Tuple[int, int]:
    return t[0:2]
```

## Compiler's wording
tuple slice indices must be integer constants.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    if finding.data.get("reason") == "zero-step":
        return "The step of a slice cannot be 0."
    return "The bounds of a tuple's slice have to be integer literals: they decide the type of the result."


RULE = Rule(
    code="tuple-slice",
    summary="tuple slice that is not known while compiling",
    category="attributes",
    message=message,
)
