"""Value that does not fit the annotation of its variable.

## What it does
Finds `x: T = v` where `v` is not a `T`.

## Why TorchScript refuses it
An annotated assignment converts nothing: an int is not a float, and a tensor is not an int, even where a call would
convert.

## Example
```py
@torch.jit.script
def half() -> float:
    x: float = 1
    return x / 2
```

## Use instead
```py
@torch.jit.script
def half() -> float:
    x: float = 1.0
    return x / 2
```

## Fix
Write a float literal, or change the annotation.

## Compiler's wording
Variable X is annotated with type T but is being assigned to a value of type U.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import change_annotation, float_literal, optional_of, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import named, quoted
from ts_lsp.semantic.facts import Finding
from ts_lsp.types.model import FLOAT, INT, NONE


def message(finding: Finding) -> str:
    declared, found = finding.data.get("declared"), finding.data.get("found")
    if finding.data.get("form") == "annotate":
        return f"`torch.jit.annotate` says {quoted(declared)}, but the value is {quoted(found)}."
    name = named(finding, "name", "This variable")
    if declared is None or found is None:
        return f"The value does not fit the annotation of {name}."
    return f"{name} is declared {quoted(declared)}, but the value is {quoted(found)}; nothing is converted here."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    statement = context.statement_of(finding.node) if finding.node else None
    if not isinstance(statement, ast.AnnAssign):
        return ()
    declared, found = finding.data.get("declared"), finding.data.get("found")
    if declared == FLOAT and found == INT:
        return present(float_literal(context, statement.value))
    wanted = optional_of(declared) if found == NONE else found
    return present(change_annotation(context, statement, wanted))


RULE = Rule(
    code="annotation-mismatch",
    summary="value that does not fit the annotation of its variable",
    category="names",
    message=message,
    fixes=fixes,
)
