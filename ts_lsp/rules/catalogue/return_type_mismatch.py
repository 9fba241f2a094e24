"""Returned value that does not fit the declared result.

## What it does
Finds `return v` where `v` is not of the function's declared type and is not converted to it.

## Why TorchScript refuses it
A result is converted from tensor to number, but not between numbers, and never from None or Optional.

## Example
```py
@torch.jit.script
def half(n: int) -> int:
    return n / 2
```

## Use instead
```py
@torch.jit.script
def half(n: int) -> float:
    return n / 2
```

## Fix
Change the declared result to what is returned; write a float literal.

## Compiler's wording
Return value was annotated as having type T but is actually of type U.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import annotate_return, float_literal, guard_against_none, optional_of, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding, Related
from ts_lsp.types.model import FLOAT, INT, NONE


def message(finding: Finding) -> str:
    declared, found = finding.data.get("declared", finding.data.get("expected")), finding.data.get("found")
    if declared is None or found is None:
        return "The returned value does not fit the declared result."
    return f"The function declares the result {quoted(declared)}, but this returns {quoted(found)}."


def related_message(related: Related) -> str:
    return "declared here" if related.role == "declared" else related.role.replace("-", " ")


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    declared, found = finding.data.get("declared", finding.data.get("expected")), finding.data.get("found")
    statement = context.statement_of(finding.node) if finding.node else None
    if not isinstance(statement, ast.Return):
        return ()
    value = statement.value
    literal = float_literal(context, value) if declared == FLOAT and found == INT else None
    guard = guard_against_none(context, value, "unsafe") if optional_of(declared) == found else None
    wanted = optional_of(declared) if found == NONE else found
    fix = annotate_return(context, statement, wanted)
    return present(literal, fix and Fix(fix.title, "unsafe", fix.edits), guard)


RULE = Rule(
    code="return-type-mismatch",
    summary="returned value that does not fit the declared result",
    category="returns",
    message=message,
    related_message=related_message,
    fixes=fixes,
)
