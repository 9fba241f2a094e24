"""Loop that changes what a declared Union or Any holds.

## What it does
Finds variables that are declared `Union` or `Any`, hold one kind of value before a loop, and get another inside it.

## Why TorchScript refuses it
What the loop carries from one round to the next needs one type, and the compiler takes that of the value before the
loop, not the declared one. It fails late, without a place.

## Example
```py
@torch.jit.script
def last(n: int) -> str:
    y: Union[int, str] = 3
    for i in range(n):
        y = "s"
    return str(y)
```

## Use instead
```py
@torch.jit.script
def last(n: int) -> str:
    y = "3"
    for i in range(n):
        y = "s"
    return y
```

## Compiler's wording
bad optional access, without a place.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named, quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name, before, after = named(finding, "name", "A variable"), finding.data.get("before"), finding.data.get("after")
    if before is None or after is None:
        return f"{name} holds another type before this loop than at the end of its body."
    return (
        f"{name} holds {quoted(before)} before this loop and {quoted(after)} at the end of its body; the "
        "loop carries one type."
    )


RULE = Rule(
    code="optional-state-in-loop",
    summary="loop that changes what a declared Union or Any holds",
    category="statements",
    message=message,
)
