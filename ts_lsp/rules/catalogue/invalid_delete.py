"""Del of something that cannot be deleted.

## What it does
Finds `del` of slices, attributes, tuple or tensor elements, and of elements of classes without `__delitem__`.

## Why TorchScript refuses it
Only variables and single elements of a list or dict can be deleted.

## Example
```py
@torch.jit.script
def drop(xs: List[int]) -> List[int]:
    del xs[0:2]
    return xs
```

## Use instead
```py
@torch.jit.script
def drop(xs: List[int]) -> List[int]:
    return xs[2:]
```

## Compiler's wording
del statements are only supported for deletion of single elements, or list / dict indexing.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import plain, quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    container = quoted(finding.data.get("type"), "this")
    reasons = {
        "slice": f"A slice of {container} cannot be deleted: build the list that remains.",
        "no-delitem": f"{container} has no `__delitem__`, so its elements cannot be deleted.",
        "container": f"Elements of {container} cannot be deleted.",
    }
    return reasons.get(plain(finding, "reason"), "Only a variable, or one element of a list or dict, can be deleted.")


RULE = Rule(
    code="invalid-delete",
    summary="del of something that cannot be deleted",
    category="statements",
    message=message,
)
