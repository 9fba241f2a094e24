"""Annotation of a variable that an outer block owns.

## What it does
Finds `x: T = v` in an inner block where `x` exists outside already.

## Why TorchScript refuses it
A variable is declared where it is made; an inner block can only assign to it.

## Example
```py
@torch.jit.script
def count(flag: bool) -> int:
    n = 0
    if flag:
        n: int = 1
    return n
```

## Use instead
```py
@torch.jit.script
def count(flag: bool) -> int:
    n: int = 0
    if flag:
        n = 1
    return n
```

## Fix
Remove the annotation.

## Compiler's wording
Attempting to declare and annotate the type of variable X that is already defined in an outer block.
"""

from __future__ import annotations

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import drop_annotation, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name = named(finding, "name", "This variable")
    return f"{name} exists outside of this block already, so it cannot be declared here: annotate its first assignment."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    return present(drop_annotation(context, context.statement_of(finding.node) if finding.node else None))


RULE = Rule(
    code="annotation-in-inner-block",
    summary="annotation of a variable that an outer block owns",
    category="names",
    message=message,
    fixes=fixes,
)
