"""Raise without an exception.

## What it does
Finds `raise` without a value.

## Why TorchScript refuses it
There is no exception being handled that could be raised again, since compiled code cannot catch any.

## Example
```py
@torch.jit.script
def check(x: int) -> int:
    if x < 0:
        raise
    return x
```

## Use instead
```py
@torch.jit.script
def check(x: int) -> int:
    if x < 0:
        raise ValueError("x must not be negative")
    return x
```

## Compiler's wording
An AttributeError without a place.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        '`raise` needs an exception here, such as `raise RuntimeError("...")`: compiled code has none in '
        "flight to raise again."
    )


RULE = Rule(
    code="bare-raise",
    summary="raise without an exception",
    category="syntax",
    message=message,
)
