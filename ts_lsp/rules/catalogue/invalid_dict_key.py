"""Dict with keys of an unusable type.

## What it does
Finds dict types and displays whose keys are not int, bool, float, complex, str, Tensor or device.

## Why TorchScript refuses it
Compiled dicts can hash these types only.

## Example
```py
@torch.jit.script
def look(d: Dict[Tuple[int, int], int]) -> int:
    return len(d)
```

## Use instead
```py
@torch.jit.script
def look(d: Dict[str, int]) -> int:
    return len(d)
```

## Compiler's wording
Cannot create dict for key type T.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    key = finding.data.get("key", finding.data.get("type"))
    return (
        f"{quoted(key, 'This type')} cannot be the key of a dict: keys are int, bool, float, complex, "
        "str, Tensor or device."
    )


RULE = Rule(
    code="invalid-dict-key",
    summary="dict with keys of an unusable type",
    category="annotations",
    message=message,
)
