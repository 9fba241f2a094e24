"""Break or continue in a loop over a tuple or module list.

## What it does
Finds `break` and `continue` in loops over tuples, module lists and other things whose length is known while
compiling.

## Why TorchScript refuses it
Such a loop is written out once per element, since the elements may differ in type; there is no loop left to leave.

## Example
```py
@torch.jit.script
def first(t: Tuple[int, int]) -> int:
    result = 0
    for x in t:
        if x > 0:
            result = x
            break
    return result
```

## Use instead
```py
@torch.jit.script
def first(t: Tuple[int, int]) -> int:
    result = 0
    for x in [t[0], t[1]]:
        if x > 0:
            result = x
            break
    return result
```

## Compiler's wording
Because we emit iteration over Modulelists or Tuples as unrolled loops, we do not support break or continue inside the
body of these loops.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    word = named(finding, "word", "`break` or `continue`")
    return (
        f"{word} cannot be used here: a loop over a tuple or module list is written out once per element. "
        "Set a flag instead."
    )


RULE = Rule(
    code="loop-jump-in-unrolled-loop",
    summary="break or continue in a loop over a tuple or module list",
    category="statements",
    message=message,
)
