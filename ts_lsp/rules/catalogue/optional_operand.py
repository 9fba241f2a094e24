"""Operand that may be None.

## What it does
Finds operators one of whose operands is an `Optional` that has not been tested.

## Why TorchScript refuses it
No operator takes None. A test such as `x is not None` or an `assert` tells the compiler that the value is there, from
that point on; only names are followed, not attributes.

## Example
```py
@torch.jit.script
def add(x: Optional[Tensor]) -> Tensor:
    return x + 1
```

## Use instead
```py
@torch.jit.script
def add(x: Optional[Tensor]) -> Tensor:
    assert x is not None
    return x + 1
```

## Fix
Assert above that the operand is not None; an attribute is put in a local first.

## Compiler's wording
Arguments for call are not valid. The following variants are available: ...
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import guard_against_none, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import may_be_none, named, quoted, type_list
from ts_lsp.semantic.facts import Finding
from ts_lsp.types.model import NONE


def message(finding: Finding) -> str:
    types, nodes = type_list(finding), _nodes(finding)
    operator = named(finding, "symbol", "this operator")
    if NONE in types:
        return f"{operator} takes no None: compare with `is None` or `is not None`."
    for node, operand in zip(nodes, types, strict=False):
        if may_be_none(operand):
            return f"`{ast.unparse(node)}` may be None here (it is {quoted(operand)}), and {operator} takes no None."
    return f"An operand may be None here, and {operator} takes no None."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    if NONE in type_list(finding):
        return present(_compare_identity(finding.node, context))
    operands = zip(_nodes(finding), type_list(finding), strict=False)
    optional = [node for node, operand in operands if may_be_none(operand)]
    return present(guard_against_none(context, optional[0])) if optional else ()


def _compare_identity(node: ast.AST | None, context: FixContext) -> Fix | None:
    """`x == None` becomes `x is None`."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
        return None
    right = node.comparators[0]
    if not isinstance(right, ast.Constant) or right.value is not None:
        return None
    word = "is" if isinstance(node.ops[0], ast.Eq) else "is not"
    text = f"{context.text_of(node.left)} {word} None"
    return Fix(f"Write `{text}`", "safe", (context.replace(node, text),))


def _nodes(finding: Finding) -> list[ast.expr]:
    """The operands, where the finding names them or its node shows them."""
    given = finding.data.get("nodes")
    if isinstance(given, tuple):
        return [each for each in given if isinstance(each, ast.expr)]
    node = finding.node
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    return [node.operand] if isinstance(node, ast.UnaryOp) else []


RULE = Rule(
    code="optional-operand",
    summary="operand that may be None",
    category="calls",
    message=message,
    fixes=fixes,
)
