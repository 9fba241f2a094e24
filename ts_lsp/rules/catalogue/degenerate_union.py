"""Union that is only one type.

## What it does
Finds unions whose members fall together into one type, such as `Union[int, Any]` or `Optional[None]`.

## Why TorchScript refuses it
A union needs two members that differ; the compiler stops at an internal check otherwise.

## Example
```py
@torch.jit.script
def same(x: Union[int, Any]) -> int:
    return 1
```

## Use instead
```py
@torch.jit.script
def same(x: Any) -> int:
    return 1
```

## Compiler's wording
INTERNAL ASSERT FAILED ... has the single type T, without a place.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    single = finding.data.get("type")
    only = f" {quoted(single)}" if single is not None else ""
    return f"The members of this union fall together into one type{only}: write that type."


RULE = Rule(
    code="degenerate-union",
    summary="union that is only one type",
    category="annotations",
    message=message,
)
