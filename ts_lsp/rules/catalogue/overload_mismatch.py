"""Overload declaration that does not fit the implementation.

## What it does
Finds `torch.jit._overload` declarations whose parameters are others than the implementation's, or are more, or have
another default.

## Why TorchScript refuses it
The implementation compiles once under each declaration, whose parameters take the place of its own, one by one. What a
declaration leaves out stays as the implementation has it, and needs a type and a default there.

## Example
```py
@torch.jit._overload
def scale(x: int, by: int) -> int:
    pass

@torch.jit._overload
def scale(x: float, factor: int) -> float:
    pass

def scale(x, by=2):
    return x * by

@torch.jit.script
def use(x: float) -> float:
    return scale(x, 3)
```

## Use instead
```py
@torch.jit._overload
def scale(x: int, by: int) -> int:
    pass

@torch.jit._overload
def scale(x: float, by: int) -> float:
    pass

def scale(x, by=2):
    return x * by

@torch.jit.script
def use(x: float) -> float:
    return scale(x, 3)
```

## Compiler's wording
Overload parameters must have the same names; should not have more parameters; Expected to find default parameter.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name, argument = named(finding, "name", "the function"), named(finding, "argument", "a parameter")
    reason = finding.data.get("reason")
    if reason == "count":
        return f"This declaration of {name} has another number of parameters than the implementation."
    if reason == "name":
        other = named(finding, "implemented", "something else")
        return f"This declaration of {name} calls a parameter {argument} that the implementation calls {other}."
    if reason == "default":
        return f"The default of {argument} is not the implementation's: leave it out of the declaration."
    missing = "default" if reason == "no-default" else "type"
    return f"A declaration of {name} leaves out {argument}, which therefore needs a {missing} here."


RULE = Rule(
    code="overload-mismatch",
    summary="overload declaration that does not fit the implementation",
    category="calls",
    message=message,
)
