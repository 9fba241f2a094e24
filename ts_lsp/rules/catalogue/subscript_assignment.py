"""Element that cannot be assigned.

## What it does
Finds `x[i] = v` where `x` is a tuple, a string or another type whose elements cannot change, or where `v` does not
fit.

## Why TorchScript refuses it
Elements of tensors, lists and dicts, and of classes with `__setitem__`, can be assigned; the value has to be of the
element's type.

## Example
```py
@torch.jit.script
def change(t: Tuple[int, int]) -> Tuple[int, int]:
    t[0] = 1
    return t
```

## Use instead
```py
@torch.jit.script
def change(t: Tuple[int, int]) -> Tuple[int, int]:
    return 1, t[1]
```

## Compiler's wording
T does not support subscripted assignment.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    container, found = quoted(finding.data.get("type"), "this"), finding.data.get("found")
    if found is not None:
        return f"{quoted(found)} cannot be an element of {container}."
    return f"The elements of {container} cannot be changed{' in place' if finding.data.get('augmented') else ''}."


RULE = Rule(
    code="subscript-assignment",
    summary="element that cannot be assigned",
    category="attributes",
    message=message,
)
