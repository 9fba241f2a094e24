"""Overloaded function handed to the compiler.

## What it does
Finds functions with `torch.jit._overload` declarations that are scripted themselves.

## Why TorchScript refuses it
Each declaration is a function of its own; only the arguments of a call from compiled code can choose one.

## Example
```py
@torch.jit._overload
def double(x: int) -> int:
    pass

@torch.jit._overload
def double(x: str) -> str:
    pass

def double(x):
    return x + x

torch.jit.script(double)
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
Function X cannot be directly compiled because it is overloaded.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name = named(finding, "name", "This function")
    return f"{name} is overloaded, so it cannot be scripted itself: call it from a scripted function."


RULE = Rule(
    code="overloaded-entry-point",
    summary="overloaded function handed to the compiler",
    category="calls",
    message=message,
)
