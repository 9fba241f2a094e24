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

_PIECE = re.compile(r"""\{([^{}:!'"=]+?)\s*=?\s*(![rsa])?(:[^{}]*)?\}""")


def message(finding: Finding) -> str:
    return (
        "An f-string can only insert plain values: drop the conversion or format specification, and round beforehand."
    )


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    ancestors = context.ancestors(finding.node) if finding.node is not None else ()
    joined = next((each for each in ancestors if isinstance(each, ast.JoinedStr)), None)
    if joined is None:
        return ()
    text = _PIECE.sub(r"{\1}", context.text_of(joined))
    if not _inserts_plainly(text, joined):
        return ()
    return (Fix("Insert the plain value", "unsafe", (context.replace(joined, text),)),)


def _inserts_plainly(text: str, original: ast.JoinedStr) -> bool:
    """Whether the text is an f-string with the same expressions, and nothing else is said of them."""
    try:
        written = ast.parse(text, mode="eval").body
    except SyntaxError:
        return False
    if not isinstance(written, ast.JoinedStr):
        return False
    before = [ast.dump(each.value) for each in original.values if isinstance(each, ast.FormattedValue)]
    pieces = [each for each in written.values if isinstance(each, ast.FormattedValue)]
    return before == [ast.dump(each.value) for each in pieces] and all(
        each.conversion == -1 and each.format_spec is None for each in pieces
    )


RULE = Rule(
    code="fstring-format",
    summary="f-string with a conversion or format specification",
    category="syntax",
    message=message,
    fixes=fixes,
)
