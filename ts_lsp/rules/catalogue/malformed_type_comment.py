"""Type comment that cannot be read.

## What it does
Finds `# type:` signature comments that are not of the form `# type: (int, Tensor) -> Tensor`.

## Why TorchScript refuses it
A comment that begins with `# type:` is the function's signature, and takes the place of all its annotations.

## Example
```py
@torch.jit.script
def add(x, n):
    # type: Tensor, int -> Tensor
    return x + n
```

## Use instead
```py
@torch.jit.script
def add(x: Tensor, n: int) -> Tensor:
    return x + n
```

## Compiler's wording
expected ... but found ... here, without a file.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        "This `# type:` comment is not a signature: write `# type: (types of the parameters) -> type of the "
        "result`, or better, annotations."
    )


RULE = Rule(
    code="malformed-type-comment",
    summary="type comment that cannot be read",
    category="syntax",
    message=message,
)
