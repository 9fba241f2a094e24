"""Division in a class body.

## What it does
Finds `/` in the value of an assignment in the body of a compiled class.

## Why TorchScript refuses it
Assignments of a class body are read without knowing that the file divides like Python 3, and `/` without that is
refused.

## Example
```py
class Half:
    RATIO = 1 / 2

    def __init__(self):
        self.x = 1

torch.jit.script(Half)
```

## Use instead
```py
class Half:
    RATIO = 0.5

    def __init__(self):
        self.x = 1

torch.jit.script(Half)
```

## Compiler's wording
Division of ints in TorchScript uses Python 3 true division semantics.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "A class body that is compiled cannot hold a division: write the result, or divide in `__init__`."


RULE = Rule(
    code="class-level-division",
    summary="division in a class body",
    category="syntax",
    message=message,
)
