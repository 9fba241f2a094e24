"""Unpacking into the wrong number of targets.

## What it does
Finds assignments of a tuple to more or fewer names than it has elements.

## Why TorchScript refuses it
The length of a tuple is part of its type.

## Example
```py
@torch.jit.script
def first(t: Tuple[int, int, int]) -> int:
    a, b = t
    return a
```

## Use instead
```py
@torch.jit.script
def first(t: Tuple[int, int, int]) -> int:
    a, b, c = t
    return a
```

## Compiler's wording
too many values to unpack: need N but found M; need N values to unpack but found only M.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import counted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    wanted, found = finding.data.get("wanted"), finding.data.get("found")
    if wanted is None or found is None:
        return "The number of targets is not the number of values."
    least = "at least " if finding.data.get("starred") else ""
    return f"This takes {least}{counted(wanted, 'value')}, but the tuple has {found}."


RULE = Rule(
    code="unpack-count",
    summary="unpacking into the wrong number of targets",
    category="statements",
    message=message,
)
