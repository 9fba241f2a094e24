"""Suppression comment with a code that does not exist.

## What it does
Finds codes in `# ts-lsp: ignore[...]` comments that are no rules.

## Why TorchScript refuses it
It is not refused: the comment has no effect for that code.

## Example
```python
@torch.jit.script
def double(x: Tensor) -> Tensor:
    return x * 2  # ts-lsp: ignore[optional-operant]
```

## Use instead
```python
@torch.jit.script
def double(x: Tensor) -> Tensor:
    return x * 2
```
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named, plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return f"{named(finding, 'code', 'This')} is no rule of ts-lsp{plain(finding, 'hint')}."


RULE = Rule(
    code="unknown-suppression",
    summary="suppression comment with a code that does not exist",
    category="meta",
    message=message,
    severity="warning",
)
