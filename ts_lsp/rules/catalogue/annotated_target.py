"""Annotation on a target that is neither a name nor an attribute of self.

## What it does
Finds annotations on targets such as `a.b.c: T = v` or `x[0].a: T = v`.

## Why TorchScript refuses it
Only names and the attributes of `self` can be declared; the compiler stumbles over any other annotated target.

## Example
```py
class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x: Tensor) -> Tensor:
        self.inner.count: int = 1
        return x

torch.jit.script(Outer())
```

## Use instead
```py
class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x: Tensor) -> Tensor:
        self.inner.count = 1
        return x

torch.jit.script(Outer())
```

## Fix
Remove the annotation.

## Compiler's wording
An AttributeError without a place.
"""

from __future__ import annotations

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import drop_annotation, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "Only names, and attributes of `self` in `__init__`, can carry an annotation: drop it here."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    return present(drop_annotation(context, context.statement_of(finding.node) if finding.node else None))


RULE = Rule(
    code="annotated-target",
    summary="annotation on a target that is neither a name nor an attribute of self",
    category="syntax",
    message=message,
    fixes=fixes,
)
