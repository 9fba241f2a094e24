"""Argument given twice.

## What it does
Finds arguments given both by position and by keyword.

## Why TorchScript refuses it
A parameter takes one value.

## Example
```py
def scale(x: Tensor, factor: int) -> Tensor:
    return x * factor

@torch.jit.script
def use(x: Tensor) -> Tensor:
    return scale(x, 2, factor=3)
```

## Use instead
```py
def scale(x: Tensor, factor: int) -> Tensor:
    return x * factor

@torch.jit.script
def use(x: Tensor) -> Tensor:
    return scale(x, factor=3)
```

## Compiler's wording
Keyword argument X specified twice.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import callee_name, named
from ts_lsp.semantic.facts import Finding, Related


def message(finding: Finding) -> str:
    return f"{named(finding, 'argument', 'This parameter')} of {callee_name(finding)} is given twice."


def related_message(related: Related) -> str:
    return "the parameters are declared here" if related.role == "definition" else related.role.replace("-", " ")


RULE = Rule(
    code="repeated-argument",
    summary="argument given twice",
    category="calls",
    message=message,
    related_message=related_message,
)
