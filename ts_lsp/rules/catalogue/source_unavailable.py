"""Callee without readable source.

## What it does
Finds functions and classes whose source text cannot be had, such as generated ones.

## Why TorchScript refuses it
The compiler reads source text; what was made by `exec`, by `functools` or by a decorator of a dataclass has none.

## Example
```py
from dataclasses import dataclass

@dataclass
class Point:
    x: int

@torch.jit.script
def make() -> int:
    return Point(1).x
```

## Use instead
```py
class Point:
    def __init__(self, x: int):
        self.x = x

@torch.jit.script
def make() -> int:
    return Point(1).x
```

## Compiler's wording
OSError: Can't get source for X.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return f"{named(finding, 'name', 'This')} has no source text that could be compiled."


RULE = Rule(
    code="source-unavailable",
    summary="callee without readable source",
    category="calls",
    message=message,
)
