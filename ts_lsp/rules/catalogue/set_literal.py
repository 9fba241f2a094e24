"""Set display or set comprehension.

## What it does
Finds `{a, b}` and set comprehensions.

## Why TorchScript refuses it
TorchScript has lists, tuples and dicts, but no sets.

## Example
```py
@torch.jit.script
def known(n: int) -> bool:
    return n in {1, 2, 3}
```

## Use instead
```py
@torch.jit.script
def known(n: int) -> bool:
    return n in [1, 2, 3]
```

## Fix
Write a list, where the set is only searched.

## Compiler's wording
Unsupported node: Set, SetComp.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "TorchScript has no sets: use a list, or a dict with the elements as keys."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node = finding.node
    if not isinstance(node, ast.Set):
        return ()
    parent = context.parent(node)
    searched = isinstance(parent, ast.Compare) and all(isinstance(op, (ast.In, ast.NotIn)) for op in parent.ops)
    text = f"[{context.text_of(node)[1:-1]}]"
    return (Fix("Write a list", "safe" if searched else "unsafe", (context.replace(node, text),)),)


RULE = Rule(
    code="set-literal",
    summary="set display or set comprehension",
    category="syntax",
    message=message,
    fixes=fixes,
)
