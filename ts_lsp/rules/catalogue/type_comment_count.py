"""Type comment with too many or too few types.

## What it does
Finds signature comments whose number of types is not the number of parameters.

## Why TorchScript refuses it
The types of a signature comment belong to the parameters one by one (a method's `self` is left out).

## Example
```py
@torch.jit.script
def add(x, n):
    # type: (Tensor) -> Tensor
    return x + n
```

## Use instead
```py
@torch.jit.script
def add(x, n):
    # type: (Tensor, int) -> Tensor
    return x + n
```

## Compiler's wording
Number of type annotations (N) did not match the number of function parameters (M).
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import counted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    found, wanted = finding.data.get("found"), finding.data.get("expected")
    if found is None or wanted is None:
        return "The type comment does not list one type for each parameter."
    return f"The type comment lists {counted(found, 'type')} for {counted(wanted, 'parameter')}."


RULE = Rule(
    code="type-comment-count",
    summary="type comment with too many or too few types",
    category="syntax",
    message=message,
)
