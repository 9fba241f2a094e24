"""Integer that does not fit in 64 bits.

## What it does
Finds integer literals and constants of more than 64 bits, the smallest negative number included.

## Why TorchScript refuses it
An int of TorchScript is a signed 64-bit number; the sign is applied after the digits are read.

## Example
```py
@torch.jit.script
def big() -> int:
    return 9223372036854775808
```

## Use instead
```py
@torch.jit.script
def big() -> int:
    return 9223372036854775807
```

## Compiler's wording
Integral constant out of range (must fit in a signed 64 bit integer).
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return f"{plain(finding, 'value', 'This number')} does not fit in a signed 64-bit integer."


RULE = Rule(
    code="integer-overflow",
    summary="integer that does not fit in 64 bits",
    category="attributes",
    message=message,
)
