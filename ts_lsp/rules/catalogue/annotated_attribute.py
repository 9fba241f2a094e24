"""Attribute annotated outside of __init__.

## What it does
Finds `self.a: T = v` in a function that is not called `__init__`.

## Why TorchScript refuses it
The type of an attribute is settled when the object is made; a method cannot declare it.

## Example
```py
class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, x: Tensor) -> Tensor:
        self.count: int = 1
        return x

torch.jit.script(Counter())
```

## Use instead
```py
class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, x: Tensor) -> Tensor:
        self.count = 1
        return x

torch.jit.script(Counter())
```

## Fix
Remove the annotation.

## Compiler's wording
Type annotations on instance attributes must be declared in `__init__`.
"""

from __future__ import annotations

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import drop_annotation, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "An attribute can be annotated in `__init__` only: drop the annotation here."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    return present(drop_annotation(context, context.statement_of(finding.node) if finding.node else None))


RULE = Rule(
    code="annotated-attribute",
    summary="attribute annotated outside of __init__",
    category="syntax",
    message=message,
    fixes=fixes,
)
