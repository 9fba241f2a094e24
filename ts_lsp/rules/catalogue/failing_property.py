"""Property that raises while the module is scripted.

## What it does
Finds properties of compiled modules whose getter does nothing but raise.

## Why TorchScript refuses it
Before anything compiles, Python reads every name of the module's class on the instance, properties included, and what a
getter raises goes all the way up. Only an AttributeError is taken for a missing name.

## Example
```py
class Base(nn.Module):
    @property
    def width(self) -> int:
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        return x

torch.jit.script(Base())
```

## Use instead
```py
class Base(nn.Module):
    __jit_unused_properties__ = ["width"]
    __jit_ignored_attributes__ = ["width"]

    @property
    def width(self) -> int:
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        return x

torch.jit.script(Base())
```

## Compiler's wording
NotImplementedError
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name, raised = named(finding, "name", "This property"), named(finding, "exception", "an exception")
    return f"{name} raises {raised} when Python reads it, which it does before anything compiles."


RULE = Rule(
    code="failing-property",
    summary="property that raises while the module is scripted",
    category="classes",
    message=message,
)
