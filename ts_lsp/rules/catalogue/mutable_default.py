"""Default that can be changed.

## What it does
Finds lists, dicts and objects of classes as defaults.

## Why TorchScript refuses it
The default would be one object that all calls share; compiled code makes defaults constants.

## Example
```py
@torch.jit.script
def total(xs: List[int] = [1, 2]) -> int:
    return sum(xs)
```

## Use instead
```py
@torch.jit.script
def total(xs: Optional[List[int]] = None) -> int:
    if xs is None:
        xs = [1, 2]
    return sum(xs)
```

## Compiler's wording
Mutable default parameters are not supported because Python binds them to the function and they persist across calls.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name = quoted(finding.data.get("parameter", finding.data.get("name")), "This parameter")
    return (
        f"{name} has a default that can be changed: make it Optional with the default None, and create "
        "the value inside."
    )


RULE = Rule(
    code="mutable-default",
    summary="default that can be changed",
    category="annotations",
    message=message,
)
