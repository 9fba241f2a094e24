"""Attribute of the class, not of the object.

## What it does
Finds uses of values that the body of a compiled class assigns, second names of methods among them.

## Why TorchScript refuses it
Only attributes that `__init__` assigns to `self` exist in compiled code.

## Example
```py
class Scale:
    FACTOR = 2

    def __init__(self):
        self.x = 1

    def scaled(self) -> int:
        return self.x * self.FACTOR

torch.jit.script(Scale)
```

## Use instead
```py
class Scale:
    def __init__(self):
        self.x = 1
        self.factor = 2

    def scaled(self) -> int:
        return self.x * self.factor

torch.jit.script(Scale)
```

## Compiler's wording
X is defined as a class attribute which currently is not supported. Consider converting this to an instance attribute.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named, quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    function = quoted(finding.data.get("function"), "")
    if function:
        name = named(finding, "name", "This")
        return f"{name} is {function} by another name, which would define it twice: call it by its own."
    return (
        f"{named(finding, 'name', 'This')} belongs to the class, not to its objects: assign it to `self` in `__init__`."
    )


RULE = Rule(
    code="class-attribute",
    summary="attribute of the class, not of the object",
    category="classes",
    message=message,
)
