"""Keyword-only parameter with a default.

## What it does
Finds defaults of parameters behind `*`.

## Why TorchScript refuses it
Keyword-only parameters are supported, but only without defaults.

## Example
```py
@torch.jit.script
def scale(x: Tensor, *, factor: int = 2) -> Tensor:
    return x * factor
```

## Use instead
```py
@torch.jit.script
def scale(x: Tensor, factor: int = 2) -> Tensor:
    return x * factor
```

## Fix
Remove the `*`, so that the parameter may also be given by position.

## Compiler's wording
Compiled functions can't use keyword-only arguments with defaults.
"""

from __future__ import annotations

import re

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.semantic.facts import Finding
from ts_lsp.text import Range


def message(finding: Finding) -> str:
    return "A keyword-only parameter cannot have a default here: drop the `*`, or the default."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    function = context.function_of(finding.node) if finding.node else None
    if function is None or function.args.vararg is not None or not function.args.kwonlyargs:
        return ()
    first = context.range_of(function.args.kwonlyargs[0])
    start = first.column
    line = context.lines.line(first.line)
    match = re.search(r"\*\s*,\s*$", line[:start])
    if match is None:
        return ()
    return (Fix("Remove the `*`", "safe", (context.replace(Range(first.line, match.start(), first.line, start), ""),)),)


RULE = Rule(
    code="keyword-only-default",
    summary="keyword-only parameter with a default",
    category="syntax",
    message=message,
    fixes=fixes,
)
