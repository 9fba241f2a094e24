"""Comprehension whose elements do not fit.

## What it does
Finds comprehensions where the annotation is no list, and those whose elements change their type along a tuple.

## Why TorchScript refuses it
A list holds one type.

## Example
```py
@torch.jit.script
def doubled(xs: List[int]) -> int:
    ys: int = [x * 2 for x in xs]
    return ys
```

## Use instead
```py
@torch.jit.script
def doubled(xs: List[int]) -> List[int]:
    ys: List[int] = [x * 2 for x in xs]
    return ys
```

## Compiler's wording
Expected list elements of type T; the list comprehension's element types differ.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    hint, found = finding.data.get("hint"), finding.data.get("found")
    if hint is None or found is None:
        return "The elements of this comprehension do not have one type."
    return f"This is to be {quoted(hint)}, but the comprehension gives {quoted(found)}."


RULE = Rule(
    code="comprehension-mismatch",
    summary="comprehension whose elements do not fit",
    category="statements",
    message=message,
)
