"""Try statement.

## What it does
Finds `try`/`except`/`finally` in compiled code.

## Why TorchScript refuses it
An exception that compiled code raises always leaves the whole call; there is nothing that could catch it on the way.

## Example
```py
@torch.jit.script
def first(xs: List[int]) -> int:
    try:
        return xs[0]
    except IndexError:
        return 0
```

## Use instead
```py
@torch.jit.script
def first(xs: List[int]) -> int:
    if len(xs) > 0:
        return xs[0]
    return 0
```

## Compiler's wording
Unsupported node: try blocks.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        "Exceptions cannot be caught in compiled code: test for the condition beforehand, or catch in the "
        "Python code that calls this."
    )


RULE = Rule(
    code="try-statement",
    summary="try statement",
    category="syntax",
    message=message,
)
