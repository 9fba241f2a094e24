"""Path without a return value.

## What it does
Finds functions that declare a result, but can reach their end without returning one.

## Why TorchScript refuses it
Every path has to return a value of the declared type. A loop always counts as one that may end, `while True` too.

## Example
```py
@torch.jit.script
def sign(x: int) -> int:
    if x > 0:
        return 1
    elif x < 0:
        return -1
```

## Use instead
```py
@torch.jit.script
def sign(x: int) -> int:
    if x > 0:
        return 1
    elif x < 0:
        return -1
    return 0
```

## Fix
Raise at the end of the function (unsafe, unless it ends in a `while True` that nothing leaves).

## Compiler's wording
Function was not annotated as having type None, but does not return along all paths.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    declared = finding.data.get("declared", finding.data.get("expected"))
    what = f"declares the result {quoted(declared)}" if declared is not None else "declares a result"
    return f"This function {what}, but can reach its end without returning one: return or raise on every path."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    function = context.function_of(finding.node) if finding.node is not None else None
    if function is None or not context.starts_its_line(function.body[-1]):
        return ()
    last = function.body[-1]
    place = context.range_of(last)
    if not context.ends_its_line(last):
        return ()
    statement = 'raise RuntimeError("no result")'
    text = f"\n{context.indentation(last.lineno - 1)}{statement}"
    never_ends = isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and last.test.value is True
    never_ends = never_ends and not any(isinstance(each, ast.Break) for each in ast.walk(last))
    edit = context.insert(place.end_line, place.end_column, text)
    return (Fix(f"Add `{statement}` at the end", "safe" if never_ends else "unsafe", (edit,)),)


RULE = Rule(
    code="missing-return",
    summary="path without a return value",
    category="returns",
    message=message,
    fixes=fixes,
)
