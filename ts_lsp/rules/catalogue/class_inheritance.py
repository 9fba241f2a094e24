"""Compiled class that inherits.

## What it does
Finds classes given to `torch.jit.script` that derive from anything but `object`.

## Why TorchScript refuses it
Compiled classes have no inheritance; a base's methods would be missing.

## Example
```py
class Base:
    def __init__(self):
        self.x = 1

@torch.jit.script
class Derived(Base):
    def __init__(self):
        self.x = 2
```

## Use instead
```py
@torch.jit.script
class Derived:
    def __init__(self):
        self.x = 2
```

## Compiler's wording
TorchScript classes does not support inheritance yet. Please directly inherit from 'object'.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        f"{named(finding, 'name', 'This class')} derives from another class, which a compiled class "
        "cannot: write out what it inherits."
    )


RULE = Rule(
    code="class-inheritance",
    summary="compiled class that inherits",
    category="classes",
    message=message,
)
