"""Source text that cannot be un-indented.

## What it does
Finds functions with a line that begins left of the `def`, such as a comment or the inside of a multi-line string.

## Why TorchScript refuses it
The compiler takes the text of a function out of its file and removes its indentation, which such a line prevents.

## Example
```py
class Model(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        y = x + (
  1)
        return y

torch.jit.script(Model())
```

## Use instead
```py
class Model(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        y = x + (
            1)
        return y

torch.jit.script(Model())
```

## Compiler's wording
An IndentationError, or a message on indentation, without a place.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        "This line begins left of its `def`, so the compiler cannot read the function on its own: indent it, "
        "or move the text out of the function."
    )


RULE = Rule(
    code="unaligned-source",
    summary="source text that cannot be un-indented",
    category="syntax",
    message=message,
)
