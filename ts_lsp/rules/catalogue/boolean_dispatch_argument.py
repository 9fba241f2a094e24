"""Flag that has to be a literal.

## What it does
Finds calls such as `F.max_pool2d(x, 2, return_indices=flag)` where the flag is not written as True or False.

## Why TorchScript refuses it
The flag decides which of two functions, with different results, is called; that is settled while compiling.

## Example
```py
import torch.nn.functional as F

@torch.jit.script
def pool(x: Tensor, indices: bool) -> Tensor:
    return F.max_pool2d(x, 2, return_indices=indices)
```

## Use instead
```py
import torch.nn.functional as F

@torch.jit.script
def pool(x: Tensor) -> Tensor:
    return F.max_pool2d(x, 2, return_indices=False)
```

## Compiler's wording
Argument for boolean dispatch at position N was not constant.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named, plain, quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    argument, callee = named(finding, "argument", "This flag"), plain(finding, "callee").rpartition(".")[2]
    return f"{argument} of {quoted(callee, 'this function')} decides which function is called: write True or False."


RULE = Rule(
    code="boolean-dispatch-argument",
    summary="flag that has to be a literal",
    category="calls",
    message=message,
)
