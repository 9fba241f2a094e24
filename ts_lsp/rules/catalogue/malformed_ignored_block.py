"""Ignored block whose variables are not declared as "name:type".

## What it does
Finds `with torch.jit._IgnoreContextManager(...)` with an argument that is not a string of the form `"inp:T"` or
`"out:T"`.

## Why TorchScript refuses it
The arguments declare which variables go into the Python block and which come out of it, and with what type.

## Example
```py
@torch.jit.script
def f(x: Tensor) -> Tensor:
    with torch.jit._IgnoreContextManager(x="inp"):
        y = x
    return x
```

## Use instead
```py
@torch.jit.script
def f(x: int) -> int:
    y = 0
    with torch.jit._IgnoreContextManager(x="inp:int", y="out:int"):
        y = x + 1
    return y
```

## Compiler's wording
A ValueError or AttributeError without a place.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name = named(finding, "name", "This variable")
    return f'{name} has to be declared by a string such as `"inp:Tensor"` or `"out:int"`.'


RULE = Rule(
    code="malformed-ignored-block",
    summary='ignored block whose variables are not declared as "name:type"',
    category="syntax",
    message=message,
)
