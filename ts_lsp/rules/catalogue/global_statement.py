"""Global or nonlocal declaration in a compiled function.

## What it does
Finds `global` and `nonlocal` inside a function that is compiled.

## Why TorchScript refuses it
Compiled code has no way to write to a Python variable outside itself: its only state is its arguments, its locals and
the attributes of `self`.

## Example
```py
count = 0

@torch.jit.script
def step(x: Tensor) -> Tensor:
    global count
    count = 1
    return x
```

## Use instead
```py
@torch.jit.script
def step(x: Tensor, count: int) -> Tuple[Tensor, int]:
    return x, count + 1
```

## Compiler's wording
Unsupported node: global / nonlocal variables.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        "Compiled code cannot write to variables outside itself: pass the value in and return the new one, or "
        "keep it as an attribute of a module."
    )


RULE = Rule(
    code="global-statement",
    summary="global or nonlocal declaration in a compiled function",
    category="syntax",
    message=message,
)
