"""Assignment to targets in square brackets.

## What it does
Finds `[a, b] = v`.

## Why TorchScript refuses it
Several targets are written as a tuple.

## Example
```py
@torch.jit.script
def first(t: Tuple[int, int]) -> int:
    [a, b] = t
    return a
```

## Use instead
```py
@torch.jit.script
def first(t: Tuple[int, int]) -> int:
    a, b = t
    return a
```

## Fix
Write the targets without brackets.

## Compiler's wording
unexpected expression on left-hand side of assignment.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "Targets cannot stand in square brackets: write `a, b = ...`."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node = finding.node
    if not isinstance(node, ast.List) or not node.elts:
        return ()
    inner = context.text_of(node)[1:-1].strip().rstrip(",")
    text = f"{inner}," if len(node.elts) == 1 else inner
    if not isinstance(context.parent(node), (ast.Assign, ast.For)):
        text = f"({text})"
    return (Fix(f"Write `{text}`", "safe", (context.replace(node, text),)),)


RULE = Rule(
    code="list-target",
    summary="assignment to targets in square brackets",
    category="statements",
    message=message,
    fixes=fixes,
)
