"""Match statement.

## What it does
Finds `match` in compiled code.

## Why TorchScript refuses it
Structural pattern matching is not part of the language subset.

## Example
```py
@torch.jit.script
def name(code: int) -> str:
    match code:
        case 0:
            return "zero"
        case _:
            return "other"
```

## Use instead
```py
@torch.jit.script
def name(code: int) -> str:
    if code == 0:
        return "zero"
    else:
        return "other"
```

## Compiler's wording
Unsupported node: Match.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "`match` is not part of TorchScript: write an `if`/`elif` chain."


RULE = Rule(
    code="match-statement",
    summary="match statement",
    category="syntax",
    message=message,
)
