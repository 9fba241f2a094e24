"""Module constant of a type that constants cannot have.

## What it does
Finds names in `__constants__`, or annotated `Final`, whose value is a dict, tensor, enum member, function or complex
number.

## Why TorchScript refuses it
A constant is written into the compiled code. That works for numbers, strings, None, devices, layouts, dtypes, and
tuples of these.

## Example
```py
class Scaled(torch.nn.Module):
    __constants__ = ["options"]

    def __init__(self) -> None:
        super().__init__()
        self.options = {"scale": 2}

    def forward(self, x: Tensor) -> Tensor:
        return x

torch.jit.script(Scaled())
```

## Use instead
```py
class Scaled(torch.nn.Module):
    __constants__ = ["scale"]

    def __init__(self) -> None:
        super().__init__()
        self.scale = 2

    def forward(self, x: Tensor) -> Tensor:
        return x * self.scale

torch.jit.script(Scaled())
```

## Compiler's wording
is not a valid constant.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named, plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name, python_type = named(finding, "name", "This name"), plain(finding, "python_type", "value of this type")
    return f"{name} is declared constant, but a {python_type} cannot be one: leave it a plain attribute."


RULE = Rule(
    code="invalid-constant",
    summary="module constant of a type that constants cannot have",
    category="classes",
    message=message,
)
