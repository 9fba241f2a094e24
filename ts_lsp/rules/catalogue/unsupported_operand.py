"""Operator without a form for these types.

## What it does
Finds operators whose operands fit none of the operator's forms.

## Why TorchScript refuses it
Each operator has a list of typed forms; operands are converted from tensor to number, and from number or bool to int
or float, but nothing else.

## Example
```py
@torch.jit.script
def label(n: int) -> str:
    return "n = " + n
```

## Use instead
```py
@torch.jit.script
def label(n: int) -> str:
    return "n = " + str(n)
```

## Fix
Convert a number that is added to a string with `str` (unsafe).

## Compiler's wording
Arguments for call are not valid. The following variants are available: ...
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import enumeration, plain, quoted, type_list
from ts_lsp.semantic.facts import Finding
from ts_lsp.types.model import ANY, BOOL, FLOAT, INT, NONE, STR, Type


def message(finding: Finding) -> str:
    symbol, types = plain(finding, "symbol"), type_list(finding)
    if not types:
        return f"{quoted(symbol or None, 'This operator')} has no form for these operands."
    if symbol in ("[]", "[:]"):
        return _subscript_message(symbol, types)
    operator = "This augmented assignment" if symbol == "augmented" else quoted(symbol or None, "This operator")
    text = f"{operator} has no form for {enumeration(quoted(each) for each in types)}."
    if finding.data.get("unions"):
        return f"{text} Tell with `isinstance` which member of the union it is."
    return f"{text} Narrow the `Any` with `isinstance` first." if ANY in types else text


def _subscript_message(symbol: str, types: list[Type]) -> str:
    container, *others = types
    if symbol == "[:]":
        bounds = [each for each in others if each not in (INT, NONE)]
        return f"The bounds of a slice are ints{f', not {enumeration(map(quoted, bounds))}' if bounds else ''}."
    return f"{quoted(container)} cannot be indexed by {enumeration(map(quoted, others))}."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node = finding.node
    types = type_list(finding)
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add) or len(types) != 2:
        return ()
    if types[0] == STR and types[1] in (INT, FLOAT, BOOL):
        other = node.right
    elif types[1] == STR and types[0] in (INT, FLOAT, BOOL):
        other = node.left
    else:
        return ()
    text = f"str({context.text_of(other)})"
    return (Fix(f"Write `{text}`", "unsafe", (context.replace(other, text),)),)


RULE = Rule(
    code="unsupported-operand",
    summary="operator without a form for these types",
    category="calls",
    message=message,
    fixes=fixes,
)
