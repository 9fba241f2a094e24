"""Comprehension with a condition.

## What it does
Finds `if` inside a comprehension.

## Why TorchScript refuses it
A compiled comprehension makes one element of each element it reads.

## Example
```py
@torch.jit.script
def positive(xs: List[int]) -> List[int]:
    return [x for x in xs if x > 0]
```

## Use instead
```py
@torch.jit.script
def positive(xs: List[int]) -> List[int]:
    kept: List[int] = []
    for x in xs:
        if x > 0:
            kept.append(x)
    return kept
```

## Compiler's wording
Not supported: comprehension ifs.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "A comprehension cannot have a condition: write a loop with `if` and `append`."


RULE = Rule(
    code="filtered-comprehension",
    summary="comprehension with a condition",
    category="syntax",
    message=message,
)
