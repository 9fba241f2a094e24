"""Call with ** arguments.

## What it does
Finds `f(**kwargs)`.

## Why TorchScript refuses it
Arguments are matched with parameters while compiling, when the keys of a dict are not known.

## Example
```py
def scale(x: Tensor, factor: int) -> Tensor:
    return x * factor

@torch.jit.script
def use(x: Tensor, options: Dict[str, int]) -> Tensor:
    return scale(x, **options)
```

## Use instead
```py
def scale(x: Tensor, factor: int) -> Tensor:
    return x * factor

@torch.jit.script
def use(x: Tensor, options: Dict[str, int]) -> Tensor:
    return scale(x, factor=options["factor"])
```

## Compiler's wording
Not supported: keyword expansion.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "`**` cannot be used in a call: name each argument."


RULE = Rule(
    code="keyword-unpacking",
    summary="call with ** arguments",
    category="syntax",
    message=message,
)
