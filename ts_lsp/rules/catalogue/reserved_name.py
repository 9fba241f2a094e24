"""Name that begins with __jit.

## What it does
Finds names that begin with `__jit`.

## Why TorchScript refuses it
The compiler keeps that prefix for names of its own.

## Example
```py
@torch.jit.script
def same(x: Tensor) -> Tensor:
    __jit_y = x
    return __jit_y
```

## Use instead
```py
@torch.jit.script
def same(x: Tensor) -> Tensor:
    y = x
    return y
```

## Compiler's wording
Not supported: names of that prefix are reserved.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name = finding.data.get("name") or getattr(finding.node, "id", None)
    return f"{quoted(name, 'This name')} begins with `__jit`, which the compiler keeps for itself: choose another name."


RULE = Rule(
    code="reserved-name",
    summary="name that begins with __jit",
    category="syntax",
    message=message,
)
