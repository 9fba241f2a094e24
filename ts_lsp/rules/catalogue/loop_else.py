"""Else branch of a loop.

## What it does
Finds an `else` behind a `for` or `while` loop.

## Why TorchScript refuses it
The compiled loop has a body and a condition only; nothing remembers whether it ended by `break`.

## Example
```py
@torch.jit.script
def find(xs: List[int], wanted: int) -> int:
    for x in xs:
        if x == wanted:
            break
    else:
        return -1
    return wanted
```

## Use instead
```py
@torch.jit.script
def find(xs: List[int], wanted: int) -> int:
    found = False
    for x in xs:
        if x == wanted:
            found = True
            break
    return wanted if found else -1
```

## Compiler's wording
Not supported: else branches of for loops; for while loops a plain TypeError.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "A loop cannot have an `else` branch: set a flag before `break` and test it after the loop."


RULE = Rule(
    code="loop-else",
    summary="else branch of a loop",
    category="syntax",
    message=message,
)
