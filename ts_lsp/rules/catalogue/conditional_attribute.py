"""Attribute made inside a branch or loop.

## What it does
Finds attributes whose first assignment in `__init__` stands in an `if`, a loop or a similar block.

## Why TorchScript refuses it
Every object of a class has the same attributes.

## Example
```py
class Box:
    def __init__(self, full: bool):
        if full:
            self.content = 1

torch.jit.script(Box)
```

## Use instead
```py
class Box:
    def __init__(self, full: bool):
        self.content = 0
        if full:
            self.content = 1

torch.jit.script(Box)
```

## Compiler's wording
First assignment cannot be in a control-flow block.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return f"{named(finding, 'name', 'This attribute')} has to get its first value outside of branches and loops."


RULE = Rule(
    code="conditional-attribute",
    summary="attribute made inside a branch or loop",
    category="classes",
    message=message,
)
