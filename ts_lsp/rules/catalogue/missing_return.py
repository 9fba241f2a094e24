"""Path without a return value.

## What it does
Finds functions that declare a result, but can reach their end without returning one.

## Why TorchScript refuses it
Every path has to return a value of the declared type. A loop always counts as one that may end, `while True` too.

## Example
```py
@torch.jit.script
def sign(x: int) -> int:
    if x > 0:
        return 1
    elif x < 0:
        return -1
```

## Use instead
```py
@torch.jit.script
def sign(x: int) -> int:
    if x > 0:
        return 1
    elif x < 0:
        return -1
    return 0
```

## Compiler's wording
Function was not annotated as having type None, but does not return along all paths.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    declared = finding.data.get("declared", finding.data.get("expected"))
    what = f"declares the result {quoted(declared)}" if declared is not None else "declares a result"
    return f"This function {what}, but can reach its end without returning one: return or raise on every path."


RULE = Rule(
    code="missing-return",
    summary="path without a return value",
    category="returns",
    message=message,
)
