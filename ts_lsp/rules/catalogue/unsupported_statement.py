"""Statement that is not part of TorchScript.

## What it does
Finds statements that the compiler does not know, such as `try`/`except*` or the `type` statement.

## Why TorchScript refuses it
The language subset lists its statements; everything else is refused while the source is read.

## Example
```py
@torch.jit.script
def first(xs: List[int]) -> int:
    try:
        return xs[0]
    except* IndexError:
        pass
    return 0
```

## Use instead
```py
@torch.jit.script
def first(xs: List[int]) -> int:
    if len(xs) > 0:
        return xs[0]
    return 0
```

## Compiler's wording
Unsupported node, with the name of the syntax node.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    kind = plain(finding, "kind") or plain(finding, "node")
    return f"This statement{f' ({kind})' if kind else ''} is not part of TorchScript."


RULE = Rule(
    code="unsupported-statement",
    summary="statement that is not part of TorchScript",
    category="syntax",
    message=message,
)
