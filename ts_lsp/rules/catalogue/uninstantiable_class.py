"""Class that compiled code cannot make objects of.

## What it does
Finds calls of classes that are not compiled: modules, exceptions used as values, subclasses of list and tuple,
classes with members written in C.

## Why TorchScript refuses it
Compiled code can make objects of classes whose every method is compiled with it.

## Example
```py
@torch.jit.script
def use(x: Tensor) -> Tensor:
    return nn.Linear(3, 3)(x)
```

## Use instead
```py
class Use(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x)

torch.jit.script(Use())
```

## Compiler's wording
Cannot instantiate class X in a script function.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name = named(finding, "name", "This class")
    if finding.data.get("kind") == "module" or finding.data.get("is_module"):
        return (
            f"{name} is a module: make it in `__init__` and keep it as an attribute; compiled code cannot "
            "create modules."
        )
    return f"Compiled code cannot make objects of {name}: not all of the class can be compiled."


RULE = Rule(
    code="uninstantiable-class",
    summary="class that compiled code cannot make objects of",
    category="calls",
    message=message,
)
