"""Value that cannot be assigned to an attribute.

## What it does
Finds assignments to attributes whose value is of another type than the attribute, to constants and read-only
properties, and to attributes of values that are not objects of a class.

## Why TorchScript refuses it
An attribute keeps the type that it got in `__init__`; nothing is converted on assignment, not even an empty list.

## Example
```py
class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, x: Tensor) -> Tensor:
        self.count = 0.5
        return x

torch.jit.script(Counter())
```

## Use instead
```py
class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0.0

    def forward(self, x: Tensor) -> Tensor:
        self.count = 0.5
        return x

torch.jit.script(Counter())
```

## Fix
Write a float literal where a float is expected.

## Compiler's wording
Wrong type for attribute assignment; Tried to set an attribute on a non-class; read-only.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import float_literal, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import named, plain, quoted
from ts_lsp.semantic.facts import Finding
from ts_lsp.types.model import FLOAT, INT, NONE


def message(finding: Finding) -> str:
    name, reason = named(finding, "name", "This attribute"), plain(finding, "reason")
    expected, found = finding.data.get("expected"), finding.data.get("found")
    if reason == "non-class":
        owner = quoted(finding.data.get("type"), plain(finding, "kind", "this value"))
        return f"{name} cannot be assigned: {owner} is no object of a compiled class."
    if reason == "read-only":
        return f"{name} cannot be assigned: it is a constant or has no setter."
    if expected is None or found is None:
        return f"{name} cannot be assigned this value."
    text = f"{name} is {quoted(expected)}, so {quoted(found)} cannot be assigned to it; nothing is converted here."
    if found == NONE:
        return f"{text} Declare the attribute Optional where it is made."
    return text


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    statement = context.statement_of(finding.node) if finding.node else None
    if finding.data.get("expected") == FLOAT and finding.data.get("found") == INT:
        return present(float_literal(context, statement.value if isinstance(statement, ast.Assign) else None))
    return ()


RULE = Rule(
    code="attribute-assignment",
    summary="value that cannot be assigned to an attribute",
    category="attributes",
    message=message,
    fixes=fixes,
)
