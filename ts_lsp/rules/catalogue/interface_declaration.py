"""Interface that is not written as the compiler wants it.

## What it does
Finds methods of a `torch.jit.interface` whose body is not just `pass`, or that declare no result.

## Why TorchScript refuses it
An interface lists signatures; each needs its result, and `pass` for a body.

## Example
```py
@torch.jit.interface
class Shape:
    def area(self, scale: float) -> float:
        ...
```

## Use instead
```py
@torch.jit.interface
class Shape:
    def area(self, scale: float) -> float:
        pass
```

## Fix
Write `pass` for a body of `...`.

## Compiler's wording
interfaces declarations should contain 'pass' statement; interface declarations must have a return type annotated.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import named, plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name, reason = named(finding, "name", "This method"), plain(finding, "reason")
    if reason == "inheritance":
        return f"{name} is an interface, which may derive from nothing but `object` or `nn.Module`."
    if reason in ("return", "no-return", "returns"):
        return f"{name} has to declare its result: an interface is all that callers know."
    return f"{name} of an interface has to declare its result and have `pass` for its body."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    function = context.function_of(finding.node) if finding.node else None
    last = function.body[-1] if function is not None else None
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Constant) and last.value.value is ...:
        return (Fix("Write `pass`", "safe", (context.replace(last, "pass"),)),)
    return ()


RULE = Rule(
    code="interface-declaration",
    summary="interface that is not written as the compiler wants it",
    category="classes",
    message=message,
    fixes=fixes,
)
