"""Class without a constructor of its own.

## What it does
Finds objects made of classes that have no `__init__` of their own.

## Why TorchScript refuses it
The constructor tells which attributes an object has; an inherited one does not count.

## Example
```py
class Empty:
    def size(self) -> int:
        return 0

@torch.jit.script
def use() -> int:
    return Empty().size()
```

## Use instead
```py
class Empty:
    def __init__(self):
        pass

    def size(self) -> int:
        return 0

@torch.jit.script
def use() -> int:
    return Empty().size()
```

## Compiler's wording
Class X does not have an __init__ function defined.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        f"{quoted(finding.data.get('type') or finding.data.get('name'), 'This class')} needs an `__init__` of its own."
    )


RULE = Rule(
    code="class-without-init",
    summary="class without a constructor of its own",
    category="classes",
    message=message,
)
