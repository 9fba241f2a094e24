"""List or dict given to an annotation of another kind.

## What it does
Finds list and dict displays assigned to a variable whose annotation is no list or dict, or is a Union that leaves
open which.

## Why TorchScript refuses it
The annotation decides what an empty display holds, so it has to name one list or dict type.

## Example
```py
@torch.jit.script
def empty() -> int:
    xs: int = []
    return xs
```

## Use instead
```py
@torch.jit.script
def empty() -> List[int]:
    xs: List[int] = []
    return xs
```

## Compiler's wording
Expected an annotation of type List but got T; Expected an Union type annotation with an inner List type.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import plain, quoted
from ts_lsp.semantic.facts import Finding
from ts_lsp.types.model import UnionType


def message(finding: Finding) -> str:
    container, hint = plain(finding, "container", "list"), finding.data.get("hint")
    if isinstance(hint, UnionType):
        return (
            f"{quoted(hint)} does not settle what this {container} holds: its annotation has to name one "
            f"{container} type."
        )
    return f"This is a {container}, but {quoted(hint, 'another type')} is declared."


RULE = Rule(
    code="empty-container-hint",
    summary="list or dict given to an annotation of another kind",
    category="statements",
    message=message,
)
