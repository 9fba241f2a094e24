"""Attribute whose value does not fit its class annotation.

## What it does
Finds module attributes annotated in the class body whose value in `__init__` cannot be cast to that type.

## Why TorchScript refuses it
The annotation is the attribute's type, and the value is copied into it when the module is scripted.
An int fits a float and a tuple a List; None fits an Optional only.

## Example
```py
class Gain(torch.nn.Module):
    factor: int

    def __init__(self) -> None:
        super().__init__()
        self.factor = 1.5

    def forward(self, x: Tensor) -> Tensor:
        return x * self.factor

torch.jit.script(Gain())
```

## Use instead
```py
class Gain(torch.nn.Module):
    factor: float

    def __init__(self) -> None:
        super().__init__()
        self.factor = 1.5

    def forward(self, x: Tensor) -> Tensor:
        return x * self.factor

torch.jit.script(Gain())
```

## Compiler's wording
Could not cast attribute to type.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named, quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    expected = quoted(finding.data.get("expected"), "another type")
    name = named(finding, "name", "This attribute")
    return f"{name} is declared {expected}, but `__init__` gives it a value that is none."


RULE = Rule(
    code="attribute-value-mismatch",
    summary="attribute whose value does not fit its class annotation",
    category="classes",
    message=message,
)
