"""Starred target that cannot be resolved.

## What it does
Finds starred targets that stand alone, twice, before something other than a name, or take from a list.

## Why TorchScript refuses it
How many elements the starred name gets has to be known while compiling.

## Example
```py
@torch.jit.script
def rest(t: Tuple[int, int]) -> int:
    *others, = t
    return len(others)
```

## Use instead
```py
@torch.jit.script
def rest(t: Tuple[int, int]) -> int:
    first, *others = t
    return len(others)
```

## Compiler's wording
Starred unpacking ...; cannot statically infer the expected size of a list.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    texts = {
        "alone": "A starred target needs another target beside it, and a tuple to take from.",
        "several": "Only one target can be starred.",
        "not-name": "Only a plain name can be starred.",
    }
    return texts.get(plain(finding, "reason"), "A starred target can take from a tuple only, whose length is known.")


RULE = Rule(
    code="starred-target",
    summary="starred target that cannot be resolved",
    category="statements",
    message=message,
)
