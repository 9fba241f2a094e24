"""*args or **kwargs parameter.

## What it does
Finds `*args` and `**kwargs` in the signature of a compiled function.

## Why TorchScript refuses it
Every parameter of a compiled function has a name and a type of its own.

## Example
```py
@torch.jit.script
def total(*xs: int) -> int:
    return 0
```

## Use instead
```py
@torch.jit.script
def total(xs: List[int]) -> int:
    return sum(xs)
```

## Compiler's wording
Compiled functions can't take variable number of arguments.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "A compiled function cannot take `*args` or `**kwargs`: take a list or a dict, or name each parameter."


RULE = Rule(
    code="variadic-parameter",
    summary="*args or **kwargs parameter",
    category="syntax",
    message=message,
)
