"""Generic with the wrong number of types.

## What it does
Finds generics with too many or too few types in their brackets, such as `Dict[str]`.

## Why TorchScript refuses it
A list, an optional and a future hold one type; a dict has one for its keys and one for its values.

## Example
```py
@torch.jit.script
def size(xs: dict[str] | None) -> int:
    return 0
```

## Use instead
```py
@torch.jit.script
def size(xs: Optional[Dict[str, int]]) -> int:
    return 0
```

## Compiler's wording
expected exactly one element type / 2 element types but found N.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import counted, named, written
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    wanted, found = finding.data.get("expected"), finding.data.get("found")
    subject = named(finding, "constructor", "This generic")
    if wanted is None:
        return f"{subject} has the wrong number of types in its brackets."
    return f"{subject} takes {counted(wanted, 'type')} in its brackets, not {written(found)}."


RULE = Rule(
    code="type-argument-count",
    summary="generic with the wrong number of types",
    category="annotations",
    message=message,
)
