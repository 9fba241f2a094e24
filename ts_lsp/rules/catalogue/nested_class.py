"""Class defined inside a compiled function.

## What it does
Finds a `class` inside a function that is compiled.

## Why TorchScript refuses it
Classes are compiled once, from module level; a compiled body cannot create new ones while it runs.

## Example
```py
@torch.jit.script
def make(x: Tensor) -> Tensor:
    class Holder:
        pass
    return x
```

## Use instead
```py
class Holder:
    def __init__(self, x: Tensor):
        self.x = x

@torch.jit.script
def make(x: Tensor) -> Tensor:
    return Holder(x).x
```

## Compiler's wording
Unsupported node: class definitions.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "A class cannot be defined inside a compiled function: move it to module level."


RULE = Rule(
    code="nested-class",
    summary="class defined inside a compiled function",
    category="syntax",
    message=message,
)
