"""Print with a keyword.

## What it does
Finds `print(..., end=...)` and other keywords of `print`.

## Why TorchScript refuses it
The compiled `print` takes values only.

## Example
```py
@torch.jit.script
def show(x: int) -> int:
    print(x, end="")
    return x
```

## Use instead
```py
@torch.jit.script
def show(x: int) -> int:
    print(x)
    return x
```

## Fix
Remove the keywords (unsafe: the output changes).

## Compiler's wording
print doesn't accept any keyword arguments.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    keyword = plain(finding, "keyword")
    return f"`print` takes no keywords in TorchScript{f': drop `{keyword}`' if keyword else ''}."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node = finding.node
    call = node if isinstance(node, ast.Call) else context.parent(node) if node is not None else None
    if not isinstance(call, ast.Call):
        return ()
    text = f"print({', '.join(context.text_of(each) for each in call.args)})"
    return (Fix(f"Write `{text}`", "unsafe", (context.replace(call, text),)),)


RULE = Rule(
    code="print-keyword",
    summary="print with a keyword",
    category="calls",
    message=message,
    fixes=fixes,
)
