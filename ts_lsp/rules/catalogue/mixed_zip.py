"""Zip of a tuple and a list.

## What it does
Finds `zip` over things of which some have a length that is known while compiling (tuples, module lists) and some have
not.

## Why TorchScript refuses it
A loop is either written out once per element or run at run time.

## Example
```py
@torch.jit.script
def dot(t: Tuple[int, int], xs: List[int]) -> int:
    total = 0
    for a, b in zip(t, xs):
        total += a * b
    return total
```

## Use instead
```py
@torch.jit.script
def dot(t: Tuple[int, int], xs: List[int]) -> int:
    total = 0
    for i, a in enumerate(t):
        total += a * xs[i]
    return total
```

## Compiler's wording
Can not iterate over a module list or tuple with a value that does not have a static length.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        "`zip` takes either only values whose length is known while compiling (tuples, module lists) or only "
        "others: index the list with `enumerate` instead."
    )


RULE = Rule(
    code="mixed-zip",
    summary="zip of a tuple and a list",
    category="statements",
    message=message,
)
