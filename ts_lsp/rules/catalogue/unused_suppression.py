"""Suppression comment that silences nothing.

## What it does
Finds `# ts-lsp: ignore` comments on lines without a finding, and codes in them for which there is none.

## Why TorchScript refuses it
It is not refused: the comment has no effect, and would hide a finding that comes later.

## Example
```python
@torch.jit.script
def double(x: Tensor) -> Tensor:
    return x * 2  # ts-lsp: ignore[optional-operand]
```

## Use instead
```python
@torch.jit.script
def double(x: Tensor) -> Tensor:
    return x * 2
```

## Fix
Remove the comment, or the code from it.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    codes = plain(finding, "codes")
    what = f" of {codes}" if codes else ""
    return f"This comment silences nothing: there is no finding{what} on its line."


RULE = Rule(
    code="unused-suppression",
    summary="suppression comment that silences nothing",
    category="meta",
    message=message,
    severity="warning",
)
