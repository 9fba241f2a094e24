"""Annotation that is not a type expression.

## What it does
Finds annotations that are calls, literals, lists or `...` rather than names and generics.

## Why TorchScript refuses it
Annotations are read as text: names, dotted names, generics in brackets, `|`, and quoted names.

## Example
```py
@torch.jit.script
def total(xs: Tuple[int, ...]) -> int:
    return len(xs)
```

## Use instead
```py
@torch.jit.script
def total(xs: List[int]) -> int:
    return len(xs)
```

## Fix
Write `List[T]` for `Tuple[T, ...]`.

## Compiler's wording
Expression of type dots / apply / ... cannot be used in a type expression.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import plain, quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    node = finding.node
    text = ast.unparse(node) if isinstance(node, ast.expr) else plain(finding, "kind")
    if text == "...":
        return "A tuple of any length does not exist in TorchScript: use `List[T]`, or write out the elements."
    return (
        f"{quoted(text if len(text) < 60 else None, 'This')} cannot be part of a type: use a name, or a "
        "generic with brackets."
    )


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    elements = context.parent(finding.node) if finding.node else None
    tuple_type = context.parent(elements) if elements else None
    if not isinstance(tuple_type, ast.Subscript) or not isinstance(elements, ast.Tuple) or len(elements.elts) != 2:
        return ()
    spelled, imports = context.spell_generic("List")
    text = f"{spelled}[{context.text_of(elements.elts[0])}]"
    return (Fix(f"Write `{text}`", "safe", (context.replace(tuple_type, text), *imports)),)


RULE = Rule(
    code="invalid-type-expression",
    summary="annotation that is not a type expression",
    category="annotations",
    message=message,
    fixes=fixes,
)
