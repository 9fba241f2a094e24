"""Augmented assignment with // or @.

## What it does
Finds `//=` and `@=`.

## Why TorchScript refuses it
These two operators exist, but not in their augmented form.

## Example
```py
@torch.jit.script
def halve(n: int) -> int:
    n //= 2
    return n
```

## Use instead
```py
@torch.jit.script
def halve(n: int) -> int:
    n = n // 2
    return n
```

## Fix
Write the operation out (unsafe: on a tensor, `//=` changes the tensor itself).

## Compiler's wording
Not supported: unsupported kind of augmented assignment.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "`//=` and `@=` do not exist in TorchScript: write the operation out, `a = a // b`."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    statement = context.statement_of(finding.node) if finding.node else None
    if not isinstance(statement, ast.AugAssign) or not isinstance(statement.target, ast.Name):
        return ()
    sign = "//" if isinstance(statement.op, ast.FloorDiv) else "@"
    target, value = context.text_of(statement.target), context.text_of(statement.value)
    if isinstance(statement.value, (ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.UnaryOp, ast.Lambda)):
        value = f"({value})"
    text = f"{target} = {target} {sign} {value}"
    return (Fix(f"Write `{text}`", "unsafe", (context.replace(statement, text),)),)


RULE = Rule(
    code="augmented-operator",
    summary="augmented assignment with // or @",
    category="syntax",
    message=message,
    fixes=fixes,
)
