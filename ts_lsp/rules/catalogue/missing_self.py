"""Method without a first parameter.

## What it does
Finds methods of compiled classes that take no parameter at all.

## Why TorchScript refuses it
A method is called with its object, which needs a parameter to go to; only `@staticmethod` does without.

## Example
```py
@torch.jit.script
class Counter:
    def __init__(self):
        self.count = 0

    def zero() -> int:
        return 0
```

## Use instead
```py
@torch.jit.script
class Counter:
    def __init__(self):
        self.count = 0

    def zero(self) -> int:
        return 0
```

## Fix
Add the parameter `self`.

## Compiler's wording
methods must have a self argument.
"""

from __future__ import annotations

import re

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return (
        f"{named(finding, 'name', 'This method')} needs a first parameter for the object that it is called on: `self`."
    )


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    function = context.function_of(finding.node) if finding.node is not None else None
    if function is None or function.decorator_list:
        return ()
    line = function.lineno - 1
    match = re.search(rf"def\s+{re.escape(function.name)}\s*\(\s*(?=\))", context.lines.line(line))
    if match is None:
        return ()
    return (Fix("Add the parameter `self`", "safe", (context.insert(line, match.end(), "self"),)),)


RULE = Rule(
    code="missing-self", summary="method without a first parameter", category="classes", message=message, fixes=fixes
)
