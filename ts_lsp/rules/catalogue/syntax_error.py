"""Text that Python cannot parse.

## What it does
Finds places that Python itself cannot read. The definitions around them are checked all the same.

## Why TorchScript refuses it
A file with such a place cannot be imported, so nothing in it can be compiled.

## Example
```py
@torch.jit.script
def broken(x: Tensor) -> Tensor:
    return x +
```

## Use instead
```py
@torch.jit.script
def mended(x: Tensor) -> Tensor:
    return x + 1
```

## Compiler's wording
Python's SyntaxError.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    said = plain(finding, "message")
    return f"Python cannot read this: {said}." if said else "Python cannot read this."


RULE = Rule(
    code="syntax-error",
    summary="text that Python cannot parse",
    category="meta",
    message=message,
)
