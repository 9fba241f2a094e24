"""Argument unpacking that cannot be resolved.

## What it does
Finds `*xs` in calls and displays where `xs` is not a tuple.

## Why TorchScript refuses it
How many values there are has to be known while compiling: a tuple says so, a list does not.

## Example
```py
def add(x: int, y: int) -> int:
    return x + y

@torch.jit.script
def use(xs: List[int]) -> int:
    return add(*xs)
```

## Use instead
```py
def add(x: int, y: int) -> int:
    return x + y

@torch.jit.script
def use(xs: Tuple[int, int]) -> int:
    return add(*xs)
```

## Compiler's wording
cannot statically infer the expected size of a list in this context.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    found = finding.data.get("type")
    return (
        "`*` can unpack a tuple only, whose length is known while "
        f"compiling{f', not {quoted(found)}' if found else ''}."
    )


RULE = Rule(
    code="star-argument",
    summary="argument unpacking that cannot be resolved",
    category="calls",
    message=message,
)
