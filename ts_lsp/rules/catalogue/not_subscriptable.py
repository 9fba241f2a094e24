"""Subscript of a value that has no elements.

## What it does
Finds `x[i]` where `x` is an Optional, a Union, a number or another type without elements.

## Why TorchScript refuses it
Tensors, lists, dicts, tuples, strings, and classes with `__getitem__` can be indexed; only tensors by several indices
at once.

## Example
```py
@torch.jit.script
def first(xs: Optional[List[int]]) -> int:
    return xs[0]
```

## Use instead
```py
@torch.jit.script
def first(xs: Optional[List[int]]) -> int:
    assert xs is not None
    return xs[0]
```

## Fix
Assert above that the value is not None.

## Compiler's wording
'T' object is not subscriptable.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import guard_against_none, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import may_be_none, quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    type_ = finding.data.get("type")
    if finding.data.get("several"):
        return f"{quoted(type_, 'This')} takes one index at a time: several are for tensors only."
    if may_be_none(type_):
        return f"The value may be None here (it is {quoted(type_)}), and None has no elements."
    return f"{quoted(type_, 'This')} has no elements that could be indexed."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node = finding.node
    if not isinstance(node, ast.Subscript) or not may_be_none(finding.data.get("type")):
        return ()
    return present(guard_against_none(context, node.value))


RULE = Rule(
    code="not-subscriptable",
    summary="subscript of a value that has no elements",
    category="attributes",
    message=message,
    fixes=fixes,
)
