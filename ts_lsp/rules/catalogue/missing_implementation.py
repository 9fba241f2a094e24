"""Overload declarations without an implementation.

## What it does
Finds functions and methods of which there are only `torch.jit._overload` or `_overload_method` declarations, or whose
declarations stand below the implementation.

## Why TorchScript refuses it
A declaration is a signature only. The body that all of them share must follow under the same name.

## Example
```py
@torch.jit._overload
def double(x: int) -> int:
    pass

@torch.jit._overload
def double(x: str) -> str:
    pass

@torch.jit.script
def use(x: int) -> int:
    return double(x)
```

## Use instead
```py
@torch.jit._overload
def double(x: int) -> int:
    pass

@torch.jit._overload
def double(x: str) -> str:
    pass

def double(x):
    return x + x

@torch.jit.script
def use(x: int) -> int:
    return double(x)
```

## Compiler's wording
Implementation for the function X is missing.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name = named(finding, "name", "This function")
    return f"{name} has overload declarations only: define it once more, with a body, below the last of them."


RULE = Rule(
    code="missing-implementation",
    summary="overload declarations without an implementation",
    category="calls",
    message=message,
)
