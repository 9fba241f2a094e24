"""Async function.

## What it does
Finds an `async def` inside a compiled function.

## Why TorchScript refuses it
TorchScript has no coroutines; its own form of concurrency is `torch.jit.fork` and `torch.jit.wait`.

## Example
```py
@torch.jit.script
def use(x: Tensor) -> Tensor:
    async def double(x: Tensor) -> Tensor:
        return x * 2
    return x
```

## Use instead
```py
def double(x: Tensor) -> Tensor:
    return x * 2

@torch.jit.script
def use(x: Tensor) -> Tensor:
    future = torch.jit.fork(double, x)
    return torch.jit.wait(future)
```

## Compiler's wording
Unsupported node: async function definitions; a scripted one is "not a single top-level function".
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        "An `async` function cannot be compiled: write a plain `def`, and use `torch.jit.fork` and "
        "`torch.jit.wait` for work that runs beside."
    )


RULE = Rule(
    code="async-function",
    summary="async function",
    category="syntax",
    message=message,
)
