"""Attribute that __init__ does not make.

## What it does
Finds assignments to attributes of `self` that `__init__` has not made.

## Why TorchScript refuses it
The attributes of an object are those that its constructor assigns; later code can change them, but not add any.

## Example
```py
class Counter:
    def __init__(self):
        self.count = 0

    def step(self) -> None:
        self.last = 1

torch.jit.script(Counter)
```

## Use instead
```py
class Counter:
    def __init__(self):
        self.count = 0
        self.last = 0

    def step(self) -> None:
        self.last = 1

torch.jit.script(Counter)
```

## Fix
Write the known attribute that comes nearest (unsafe).

## Compiler's wording
Tried to set nonexistent attribute: X. Did you forget to initialize it in __init__()?
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import present, rename
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return f"{named(finding, 'name', 'This attribute')} is not made in `__init__`: give it its first value there."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    known, name = finding.data.get("known"), finding.data.get("name")
    statement = context.statement_of(finding.node) if finding.node else None
    target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
    if not isinstance(known, (tuple, list)) or not isinstance(target, ast.Attribute):
        return ()
    return present(rename(context, target, name, [str(each) for each in known]))


RULE = Rule(
    code="attribute-outside-init",
    summary="attribute that __init__ does not make",
    category="classes",
    message=message,
    fixes=fixes,
)
