"""Condition that is neither true nor false.

## What it does
Finds conditions of a type that has no truth value in TorchScript: None and Optionals, tuples, complex numbers, enums,
classes without `__bool__`.

## Why TorchScript refuses it
Conditions are numbers, tensors, strings, lists, dicts, or objects whose `__bool__` gives a bool.

## Example
```py
@torch.jit.script
def size(x: Optional[List[int]]) -> int:
    if x:
        return len(x)
    return 0
```

## Use instead
```py
@torch.jit.script
def size(x: Optional[List[int]]) -> int:
    if x is not None:
        return len(x)
    return 0
```

## Fix
Compare with None (unsafe where the value may also be empty or zero).

## Compiler's wording
Could not cast value of type T to bool.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import may_be_none, quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    type_ = finding.data.get("type")
    if finding.data.get("magic"):
        return f"`__bool__` gives {quoted(type_)} here, and has to give a bool."
    if may_be_none(type_):
        return f"{quoted(type_)} is neither true nor false: compare with None, `... is not None`."
    if finding.data.get("is_any"):
        return "A value of type `Any` is neither true nor false: narrow it with `isinstance` first."
    return f"{quoted(type_, 'This')} is neither true nor false: write out what is to be tested."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node = finding.node
    if not isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
        return ()
    if not may_be_none(finding.data.get("type")):
        return ()
    parent = context.parent(node)
    if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
        text = f"{context.text_of(node)} is None"
        return (Fix(f"Write `{text}`", "unsafe", (context.replace(parent, text),)),)
    text = f"{context.text_of(node)} is not None"
    return (Fix(f"Write `{text}`", "unsafe", (context.replace(node, text),)),)


RULE = Rule(
    code="not-boolean",
    summary="condition that is neither true nor false",
    category="statements",
    message=message,
    fixes=fixes,
)
