"""Raise of something that is no exception.

## What it does
Finds `raise` with a value that is no class derived from Exception.

## Why TorchScript refuses it
Only exceptions can be raised; their class is kept as a name, their message as text.

## Example
```py
@torch.jit.script
def stop() -> int:
    raise "stop"
    return 0
```

## Use instead
```py
@torch.jit.script
def stop() -> int:
    raise RuntimeError("stop")
    return 0
```

## Compiler's wording
exceptions must derive from BaseException.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    found = finding.data.get("found")
    what = f", not {quoted(found)}" if found is not None else ""
    return f"Only a class derived from `Exception`, or a call of one, can be raised{what}."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    statement = finding.node
    if not isinstance(statement, ast.Raise) or not isinstance(statement.exc, (ast.Constant, ast.JoinedStr)):
        return ()
    text = f"RuntimeError({context.text_of(statement.exc)})"
    return (Fix(f"Raise `{text}`", "safe", (context.replace(statement.exc, text),)),)


RULE = Rule(
    code="raise-non-exception",
    summary="raise of something that is no exception",
    category="statements",
    message=message,
    fixes=fixes,
)
