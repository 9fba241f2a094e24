"""Unpacking of something that is not a tuple.

## What it does
Finds assignments to several targets of a value that is neither a tuple nor a list.

## Why TorchScript refuses it
Tuples are taken apart by their type, lists at run time; tensors, strings and dicts are not taken apart at all.

## Example
```py
@torch.jit.script
def halves(x: Tensor) -> Tensor:
    a, b = x
    return a + b
```

## Use instead
```py
@torch.jit.script
def halves(x: Tensor) -> Tensor:
    a, b = x.unbind(0)
    return a + b
```

## Fix
Take a tensor apart with `unbind(0)`.

## Compiler's wording
X cannot be used as a tuple.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import guard_against_none, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import may_be_none, plain, quoted
from ts_lsp.semantic.facts import Finding
from ts_lsp.types.model import TENSOR


def message(finding: Finding) -> str:
    type_ = finding.data.get("type")
    if type_ == TENSOR:
        return "A tensor cannot be taken apart by assignment: use `.unbind(0)`, which gives a list."
    if may_be_none(type_):
        return f"This may be None here (it is {quoted(type_)}), and None has no elements."
    what = quoted(type_) if type_ is not None else f"A {plain(finding, 'kind', 'value of this kind')}"
    return f"{what} cannot be taken apart: only tuples and lists can."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    statement = context.statement_of(finding.node) if finding.node else None
    if not isinstance(statement, ast.Assign):
        return ()
    if finding.data.get("type") == TENSOR and isinstance(statement.value, (ast.Name, ast.Attribute, ast.Call)):
        return (Fix("Add `.unbind(0)`", "safe", (context.insert_after(statement.value, ".unbind(0)"),)),)
    return present(guard_against_none(context, statement.value)) if may_be_none(finding.data.get("type")) else ()


RULE = Rule(
    code="unpack-non-tuple",
    summary="unpacking of something that is not a tuple",
    category="statements",
    message=message,
    fixes=fixes,
)
