"""Assignment to a slice of a list.

## What it does
Finds `xs[a:b] = v` and `xs[i, j] = v` where `xs` is not a tensor, and augmented assignments to list slices.

## Why TorchScript refuses it
Only tensors take assignments to slices.

## Example
```py
@torch.jit.script
def clear(xs: List[int]) -> List[int]:
    xs[0:2] = [0, 0]
    return xs
```

## Use instead
```py
@torch.jit.script
def clear(xs: List[int]) -> List[int]:
    xs[0] = 0
    xs[1] = 0
    return xs
```

## Compiler's wording
Sliced expression not yet supported for subscripted assignment.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        f"A slice of {quoted(finding.data.get('type'), 'this')} cannot be assigned to: assign the elements one by one."
    )


RULE = Rule(
    code="slice-assignment",
    summary="assignment to a slice of a list",
    category="attributes",
    message=message,
)
