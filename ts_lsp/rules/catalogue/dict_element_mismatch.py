"""Dict whose keys or values do not fit.

## What it does
Finds dict displays with keys of several types, or with keys or values that are not of the declared type.

## Why TorchScript refuses it
A dict holds one type of keys and one type of values, and converts neither.

## Example
```py
@torch.jit.script
def table() -> Dict[str, int]:
    d: Dict[str, int] = {"a": 1.5}
    return d
```

## Use instead
```py
@torch.jit.script
def table() -> Dict[str, float]:
    d: Dict[str, float] = {"a": 1.5}
    return d
```

## Compiler's wording
Type annotation was inferred to be ..., but the type of keys / values given by the dict literal is T; Dict keys must
contain only a single type.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    expected, found = finding.data.get("expected"), finding.data.get("found")
    if expected is None or found is None:
        return "The keys or values of this dict do not have one type."
    if finding.data.get("part") == "key":
        return f"The keys of a dict have one type: this one is {quoted(found)}, and {quoted(expected)} is expected."
    return f"The dict is declared {quoted(expected)}, but this gives {quoted(found)}."


RULE = Rule(
    code="dict-element-mismatch",
    summary="dict whose keys or values do not fit",
    category="statements",
    message=message,
)
