"""Index of a module container that is not a literal.

## What it does
Finds `self.layers[i]` on a `ModuleList`, `Sequential` or `ModuleDict` whose index is no literal, or names no element.

## Why TorchScript refuses it
Each element has a type of its own, so the compiler has to know which one is meant.
A loop over the container is unrolled, and `enumerate` and `.items()` give the position or key along with the element.

## Example
```py
class Stack(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(2, 2)])

    def forward(self, x: Tensor, n: int) -> Tensor:
        return self.layers[n](x)

torch.jit.script(Stack())
```

## Use instead
```py
class Stack(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(2, 2)])

    def forward(self, x: Tensor, n: int) -> Tensor:
        for i, layer in enumerate(self.layers):
            if i == n:
                x = layer(x)
        return x

torch.jit.script(Stack())
```

## Compiler's wording
Expected integer literal for index; Index out of range; Key Error.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import counted, plain, quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    reason = plain(finding, "reason")
    if reason == "range":
        length = counted(finding.data.get("length"), "element")
        return f"This container has {length}, so there is none at index {plain(finding, 'index')}."
    if reason == "key":
        return f"This container has no element `{plain(finding, 'key')}`."
    if reason == "interface":
        expected = quoted(finding.data.get("expected"), "the interface")
        return f"Not every element of this container is {expected}, so none can be chosen while running."
    return "The elements of a module container have types of their own: use a literal index, or loop over them."


RULE = Rule(
    code="module-index",
    summary="index of a module container that is not a literal",
    category="attributes",
    message=message,
)
