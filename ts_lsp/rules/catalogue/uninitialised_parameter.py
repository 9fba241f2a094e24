"""Module with parameters that have no shape yet.

## What it does
Finds lazy modules (`nn.LazyLinear` and its like) in what is scripted.

## Why TorchScript refuses it
A lazy module makes its parameters when it sees its first input, and is another module from then on. Before that there
is nothing to compile.

## Example
```py
class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.LazyLinear(3)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x)

torch.jit.script(Net())
```

## Use instead
```py
class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 3)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x)

torch.jit.script(Net())
```

## Compiler's wording
has uninitialized parameters X. Did you forget to run a forward pass?
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        f"{named(finding, 'name', 'This module')} has no parameters before its first run: give it its sizes, or run it "
        "once before scripting."
    )


RULE = Rule(
    code="uninitialised-parameter",
    summary="module with parameters that have no shape yet",
    category="classes",
    message=message,
)
