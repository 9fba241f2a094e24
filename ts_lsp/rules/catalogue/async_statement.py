"""Await, async for or async with.

## What it does
Finds `await`, `async for` and `async with` in compiled code.

## Why TorchScript refuses it
TorchScript has no coroutines and no event loop.

## Example
```py
@torch.jit.script
def wait_for(x: Tensor) -> Tensor:
    return await x
```

## Use instead
```py
@torch.jit.script
def wait_for(x: torch.jit.Future[Tensor]) -> Tensor:
    return torch.jit.wait(x)
```

## Compiler's wording
Python's SyntaxError outside of an `async def`; inside of one, that function is refused first.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "`await`, `async for` and `async with` do not exist in TorchScript: use `torch.jit.wait` on a future."


RULE = Rule(
    code="async-statement",
    summary="await, async for or async with",
    category="syntax",
    message=message,
)
