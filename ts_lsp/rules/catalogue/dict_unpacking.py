"""Dict display with **.

## What it does
Finds `{**other}`.

## Why TorchScript refuses it
A dict display lists its keys and values one by one.

## Example
```py
@torch.jit.script
def merged(a: Dict[str, int], b: Dict[str, int]) -> Dict[str, int]:
    return {**a, **b}
```

## Use instead
```py
@torch.jit.script
def merged(a: Dict[str, int], b: Dict[str, int]) -> Dict[str, int]:
    both = a.copy()
    both.update(b)
    return both
```

## Compiler's wording
Not supported: dict expansion; or an AttributeError without a place.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "`**` cannot be used in a dict display: copy the one dict and `update` it with the other."


RULE = Rule(
    code="dict-unpacking",
    summary="dict display with **",
    category="syntax",
    message=message,
)
