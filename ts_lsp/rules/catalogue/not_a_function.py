"""Something other than a function given to the compiler.

## What it does
Finds lambdas and other things without a `def` of their own given to `torch.jit.script`.

## Why TorchScript refuses it
The compiler reads source text, and needs one `def` in it.

## Example
```py
double = torch.jit.script(lambda x: x * 2)
```

## Use instead
```py
@torch.jit.script
def double(x: Tensor) -> Tensor:
    return x * 2
```

## Compiler's wording
Expected a single top-level function.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        "Only a function with a `def` of its own, a class or a module can be compiled: write this as a named function."
    )


RULE = Rule(
    code="not-a-function",
    summary="something other than a function given to the compiler",
    category="syntax",
    message=message,
)
