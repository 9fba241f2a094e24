"""Annotation without a value.

## What it does
Finds `x: T` without an assigned value in a function body.

## Why TorchScript refuses it
A variable gets its type where it gets its first value; a declaration alone has no meaning in compiled code.

## Example
```py
@torch.jit.script
def pick(flag: bool) -> int:
    x: int
    if flag:
        x = 1
    else:
        x = 2
    return x
```

## Use instead
```py
@torch.jit.script
def pick(flag: bool) -> int:
    if flag:
        x = 1
    else:
        x = 2
    return x
```

## Fix
Remove the declaration.

## Compiler's wording
Unsupported node: annotated assignments without assigned value.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.semantic.facts import Finding
from ts_lsp.text import Range


def message(finding: Finding) -> str:
    return "A variable cannot be declared without a value: give it one here, or drop the line."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    statement = finding.node
    if not isinstance(statement, ast.AnnAssign) or not context.starts_its_line(statement):
        return ()
    if len(getattr(context.parent(statement), "body", ())) < 2:
        return (Fix("Write `pass` instead", "safe", (context.replace(statement, "pass"),)),)
    place = context.range_of(statement)
    return (Fix("Remove the declaration", "safe", (context.replace(Range(place.line, 0, place.end_line + 1, 0), ""),)),)


RULE = Rule(
    code="bare-annotation",
    summary="annotation without a value",
    category="syntax",
    message=message,
    fixes=fixes,
)
