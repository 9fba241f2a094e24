"""Class with an attribute of its own type.

## What it does
Finds attributes whose type contains the class itself.

## Why TorchScript refuses it
Types are built from the inside out, and a class that contains itself has no inside.

## Example
```py
class Node:
    def __init__(self):
        self.me = self

torch.jit.script(Node)
```

## Use instead
```py
class Node:
    def __init__(self):
        self.next = -1

torch.jit.script(Node)
```

## Compiler's wording
Classes that recursively contain instances of themselves are not yet supported.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        f"{named(finding, 'name', 'This attribute')} would hold an object of its own class: keep an index "
        "into a list instead."
    )


RULE = Rule(
    code="self-containing-class",
    summary="class with an attribute of its own type",
    category="classes",
    message=message,
)
