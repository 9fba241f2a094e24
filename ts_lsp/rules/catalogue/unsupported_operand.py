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
from ts_lsp.types.model import BOOL, FLOAT, INT, STR


def message(finding: Finding) -> str:
    symbol, types = plain(finding, "symbol"), type_list(finding)
    unions = finding.data.get("unions")
    operator = "This augmented assignment" if symbol == "augmented" else quoted(symbol, "This operator")
    if not types:
        return f"{operator} has no form for these operands."
    operands = enumeration(quoted(each) for each in types)
    text = f"{operator} has no form for {operands}."
    return f"{text} Tell with `isinstance` which member of the union it is." if unions else text


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
