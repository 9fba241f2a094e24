r"""Source text that cannot be un-indented.

## What it does
Finds source that the compiler cannot take out of its file: the tail of a multi-line string or a type comment left of
an indented class or a module's `__init__`, or a form feed at the beginning of an indented line.

## Why TorchScript refuses it
The compiler takes a definition out of its file and removes its indentation, which such a line prevents.

## Example
```py
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.text = '''first
second'''

    def forward(self, x: Tensor) -> Tensor:
        return x

torch.jit.script(Model())
```

## Use instead
```py
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.text = "first\nsecond"

    def forward(self, x: Tensor) -> Tensor:
        return x

torch.jit.script(Model())
```

## Compiler's wording
An IndentationError without a place.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        "This line keeps the compiler from un-indenting the definition around it: indent the line, or move "
        "its text out."
    )


RULE = Rule(
    code="unaligned-source",
    summary="source text that cannot be un-indented",
    category="syntax",
    message=message,
)
