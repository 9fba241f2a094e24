"""Bytes literal.

## What it does
Finds `b"..."`.

## Why TorchScript refuses it
There is no bytes type.

## Example
```py
@torch.jit.script
def tag() -> str:
    return b"tag"
```

## Use instead
```py
@torch.jit.script
def tag() -> str:
    return "tag"
```

## Compiler's wording
Unknown constant expression type.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "TorchScript has no bytes: use a string, or a uint8 tensor."


RULE = Rule(
    code="bytes-literal",
    summary="bytes literal",
    category="syntax",
    message=message,
)
