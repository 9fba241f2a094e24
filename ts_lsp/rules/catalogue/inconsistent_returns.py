"""Returns of different types.

## What it does
Finds functions without a declared result whose `return` statements give types that do not go together.

## Why TorchScript refuses it
The first `return` settles the type; the others must fit it, or differ from it by None only.

## Example
```py
@torch.jit.script
def number(flag: bool):
    if flag:
        return 1
    return 2.5
```

## Use instead
```py
@torch.jit.script
def number(flag: bool) -> float:
    if flag:
        return 1.0
    return 2.5
```

## Fix
Write a float literal where the other return gives a float.

## Compiler's wording
Previous return statement returned a value of type T but this return statement returns a value of type U.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import float_literal, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding, Related
from ts_lsp.types.model import FLOAT, INT


def message(finding: Finding) -> str:
    before = finding.data.get("before", finding.data.get("expected", finding.data.get("previous")))
    found = finding.data.get("found")
    if before is None or found is None:
        return "This returns another type than the statements before; a function has one type of result."
    return (
        f"This returns {quoted(found)}, while an earlier return gives {quoted(before)}; a function has "
        "one type of result."
    )


def related_message(related: Related) -> str:
    return "the type of the result is settled here"


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    before = finding.data.get("before", finding.data.get("expected", finding.data.get("previous")))
    statement = context.statement_of(finding.node) if finding.node else None
    if isinstance(statement, ast.Return) and before == FLOAT and finding.data.get("found") == INT:
        return present(float_literal(context, statement.value))
    return ()


RULE = Rule(
    code="inconsistent-returns",
    summary="returns of different types",
    category="returns",
    message=message,
    related_message=related_message,
    fixes=fixes,
)
