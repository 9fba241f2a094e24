"""With statement that binds something other than a name.

## What it does
Finds `with ... as target` where the target is a tuple, an attribute or a subscript.

## Why TorchScript refuses it
What `__enter__` gives can be bound to one plain name only.

## Example
```py
class Context:
    def __enter__(self):
        return 1, 2

    def __exit__(self, a: Any, b: Any, c: Any):
        pass

@torch.jit.script
def use(x: Tensor) -> Tensor:
    with Context() as (a, b):
        return x
```

## Use instead
```py
class Context:
    def __init__(self):
        self.n = 0

    def __enter__(self):
        return 1, 2

    def __exit__(self, a: Any, b: Any, c: Any):
        pass

@torch.jit.script
def use(x: Tensor) -> Tensor:
    with Context() as pair:
        a, b = pair
        return x + a + b
```

## Compiler's wording
A TypeError without a place.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "`with ... as` can bind one plain name only: take the value apart inside the block."


RULE = Rule(
    code="with-target",
    summary="with statement that binds something other than a name",
    category="syntax",
    message=message,
)
