"""F-string with a conversion or format specification.

## What it does
Finds `{x!r}`, `{x=}` and `{x:.2f}` in f-strings.

## Why TorchScript refuses it
An f-string becomes a call of `str.format` with plain `{}` places; conversions and format specifications have no
counterpart.

## Example
```py
@torch.jit.script
def show(x: float) -> str:
    return f"loss {x:.2f}"
```

## Use instead
```py
@torch.jit.script
def show(x: float) -> str:
    return f"loss {x}"
```

## Fix
Drop the conversion or specification (unsafe: the text changes).

## Compiler's wording
Not supported: don't support conversion / formatted strings.
"""

from __future__ import annotations

import ast
import re

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return 'An f-string can only insert plain values: drop the conversion or format specification, or use `"%.2f" % x`.'


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    joined = (
        next((each for each in context.ancestors(finding.node) if isinstance(each, ast.JoinedStr)), None)
        if finding.node
        else None
    )
    if joined is None:
        return ()
    pieces = [each for each in joined.values if isinstance(each, ast.FormattedValue)]
    text = context.text_of(joined)
    plain_text = re.sub(r"\{([A-Za-z_][\w.]*)\s*=?\s*(![rsa])?(:[^{}]*)?\}", r"{\1}", text)
    if plain_text == text or text.count("{") != len(pieces):
        return ()
    return (Fix("Insert the plain value", "unsafe", (context.replace(joined, plain_text),)),)


RULE = Rule(
    code="fstring-format",
    summary="f-string with a conversion or format specification",
    category="syntax",
    message=message,
    fixes=fixes,
)
