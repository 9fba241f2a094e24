"""Module class in the place of an instance.

## What it does
Finds classes deriving from `nn.Module` that are given to `torch.jit.script`, or decorated with it.

## Why TorchScript refuses it
What a module compiles to depends on its attributes and submodules, and only an instance has these.

## Example
```py
@torch.jit.script
class Double(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2
```

## Use instead
```py
class Double(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2

double = torch.jit.script(Double())
```

## Compiler's wording
cannot be compiled since it inherits from nn.Module, pass an instance instead.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name = plain(finding, "name")
    shown, instance = (f"`{name}`", f"`{name}(...)`") if name else ("This", "an instance")
    return f"{shown} is a module class, and only its instances can be compiled: script {instance}."


RULE = Rule(
    code="module-class",
    summary="module class in the place of an instance",
    category="classes",
    message=message,
)
