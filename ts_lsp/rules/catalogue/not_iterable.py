"""Loop over something without elements.

## What it does
Finds loops and comprehensions over numbers, Optionals and other values that have no elements.

## Why TorchScript refuses it
Lists, dicts, tuples, tensors, strings, enum classes, `range`, `zip`, `enumerate` and module containers can be looped
over.

## Example
```py
@torch.jit.script
def total(n: int) -> int:
    result = 0
    for i in n:
        result += i
    return result
```

## Use instead
```py
@torch.jit.script
def total(n: int) -> int:
    result = 0
    for i in range(n):
        result += i
    return result
```

## Fix
Assert that an Optional is not None; write `range(n)` for a number (unsafe).

## Compiler's wording
'T' object is not iterable.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import guard_against_none, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import may_be_none, named, plain, quoted
from ts_lsp.semantic.facts import Finding
from ts_lsp.types.model import INT


def message(finding: Finding) -> str:
    type_ = finding.data.get("type")
    name = named(finding, "name", "This")
    if finding.data.get("reason") == "interface":
        return f"{name} cannot list a module that is known by an interface only."
    if may_be_none(type_):
        return f"{name} may be None here (it is {quoted(type_)}), and None has no elements."
    what = quoted(type_) if type_ is not None else f"a {plain(finding, 'kind', 'value')}"
    return f"{name} is {what}, which has no elements to loop over."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node = finding.node
    iterable = node.iter if isinstance(node, ast.For) else node
    type_ = finding.data.get("type")
    if type_ == INT and isinstance(iterable, ast.expr) and isinstance(node, ast.For):
        text = f"range({context.text_of(iterable)})"
        return (Fix(f"Write `{text}`", "unsafe", (context.replace(iterable, text),)),)
    return present(guard_against_none(context, iterable)) if may_be_none(type_) else ()


RULE = Rule(
    code="not-iterable",
    summary="loop over something without elements",
    category="statements",
    message=message,
    fixes=fixes,
)
