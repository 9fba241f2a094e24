"""Module that never calls the `__init__` of its base.

## What it does
Finds modules that are scripted though their `__init__` never calls `super().__init__()`.

## Why TorchScript refuses it
`nn.Module.__init__` makes the tables of parameters, buffers and submodules that the compiler reads.

## Example
```py
class Plain(torch.nn.Module):
    def __init__(self) -> None:
        pass

    def forward(self, x: Tensor) -> Tensor:
        return x

torch.jit.script(Plain())
```

## Use instead
```py
class Plain(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()

    def forward(self, x: Tensor) -> Tensor:
        return x

torch.jit.script(Plain())
```

## Compiler's wording
has not been initialized, did you forget to call 'super()'.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return f"{named(finding, 'name', 'This class')} never calls `super().__init__()`, without which it is no module."


RULE = Rule(
    code="module-not-initialised",
    summary="module that never calls the `__init__` of its base",
    category="classes",
    message=message,
)
