"""Function, module or class name assigned anew.

## What it does
Finds assignments that mix values with names that stand for a function, class, module or iterator across blocks.

## Why TorchScript refuses it
Such a name exists only while compiling; code in an inner block cannot decide at run time what it stands for.

## Example
```py
@torch.jit.script
def apply(x: Tensor, flag: bool) -> Tensor:
    f = torch.sin
    if flag:
        f = torch.cos
    return f(x)
```

## Use instead
```py
@torch.jit.script
def apply(x: Tensor, flag: bool) -> Tensor:
    if flag:
        return torch.cos(x)
    return torch.sin(x)
```

## Compiler's wording
Cannot re-assign X to a value of type ... because X is not a first-class value.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named, plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name, kind = named(finding, "name", "This name"), plain(finding, "kind", "function, class or module")
    return (
        f"{name} stands for a {kind} at compile time, so an inner block cannot assign it: call what you "
        "need in each branch."
    )


RULE = Rule(
    code="rebound-non-value",
    summary="function, module or class name assigned anew",
    category="names",
    message=message,
)
