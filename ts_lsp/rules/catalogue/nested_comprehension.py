"""Comprehension with several for clauses.

## What it does
Finds comprehensions with more than one `for`, and asynchronous ones.

## Why TorchScript refuses it
A compiled comprehension reads exactly one iterable.

## Example
```py
@torch.jit.script
def flat(rows: List[List[int]]) -> List[int]:
    return [x for row in rows for x in row]
```

## Use instead
```py
@torch.jit.script
def flat(rows: List[List[int]]) -> List[int]:
    numbers: List[int] = []
    for row in rows:
        for x in row:
            numbers.append(x)
    return numbers
```

## Compiler's wording
Not supported: only a single generator.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "A comprehension can have one `for` only: write nested loops with `append`."


RULE = Rule(
    code="nested-comprehension",
    summary="comprehension with several for clauses",
    category="syntax",
    message=message,
)
