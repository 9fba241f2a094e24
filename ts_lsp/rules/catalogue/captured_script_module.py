"""Compiled module from outside.

## What it does
Finds uses of a scripted module that is a variable of the Python around, not a submodule.

## Why TorchScript refuses it
A module's parameters have to belong to the caller; only what is assigned to `self` in `__init__` does.

## Example
```py
class Double(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2

double = torch.jit.script(Double())

@torch.jit.script
def use(x: Tensor) -> Tensor:
    return double(x)
```

## Use instead
```py
class Double(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2

class Use(nn.Module):
    def __init__(self):
        super().__init__()
        self.twice = Double()

    def forward(self, x: Tensor) -> Tensor:
        return self.twice(x)

torch.jit.script(Use())
```

## Compiler's wording
Cannot call a ScriptModule that is not a submodule of the caller.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name = named(finding, "name", "This module")
    return f"{name} is a compiled module from outside: make it a submodule, by assigning it to `self` in `__init__`."


RULE = Rule(
    code="captured-script-module",
    summary="compiled module from outside",
    category="calls",
    message=message,
)
