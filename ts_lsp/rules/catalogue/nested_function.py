"""Function defined inside a compiled function.

## What it does
Finds a `def` inside a function that is compiled.

## Why TorchScript refuses it
TorchScript has no closures: a compiled function is one flat body, and functions are known by name from the module
around it.

## Example
```py
@torch.jit.script
def scale(x: Tensor) -> Tensor:
    def twice(y: Tensor) -> Tensor:
        return y * 2
    return twice(x)
```

## Use instead
```py
def twice(y: Tensor) -> Tensor:
    return y * 2

@torch.jit.script
def scale(x: Tensor) -> Tensor:
    return twice(x)
```

## Compiler's wording
Unsupported node: function definitions.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        "A function cannot be defined inside a compiled one: move it to module level, and hand over what it "
        "uses as arguments."
    )


RULE = Rule(
    code="nested-function",
    summary="function defined inside a compiled function",
    category="syntax",
    message=message,
)
