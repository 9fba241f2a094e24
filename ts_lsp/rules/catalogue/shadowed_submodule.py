"""Submodule with the name of something in its class.

## What it does
Finds submodules that are named like a method, or like another name that the class body assigns.

## Why TorchScript refuses it
Python looks a name up in the class before it looks among the submodules, so the compiler, which asks for the submodule
by its name, is given the other thing.

## Example
```py
class Net(nn.Module):
    act = None

    def __init__(self) -> None:
        super().__init__()
        self.act = nn.ReLU()

    def forward(self, x: Tensor) -> Tensor:
        return x

torch.jit.script(Net())
```

## Use instead
```py
class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.act = nn.ReLU()

    def forward(self, x: Tensor) -> Tensor:
        return self.act(x)

torch.jit.script(Net())
```

## Compiler's wording
Expected Module but got ...
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        f"The submodule {named(finding, 'name', 'here')} is hidden by what the class body calls by that name: "
        "rename one of them."
    )


RULE = Rule(
    code="shadowed-submodule",
    summary="submodule with the name of something in its class",
    category="classes",
    message=message,
)
