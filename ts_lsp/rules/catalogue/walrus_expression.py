"""Assignment inside an expression.

## What it does
Finds `:=`.

## Why TorchScript refuses it
Assignments are statements in TorchScript.

## Example
```py
@torch.jit.script
def size(xs: List[int]) -> int:
    if (n := len(xs)) > 3:
        return n
    return 0
```

## Use instead
```py
@torch.jit.script
def size(xs: List[int]) -> int:
    n = len(xs)
    if n > 3:
        return n
    return 0
```

## Fix
Assign on a line of its own above, where that is evaluated exactly as often.

## Compiler's wording
Unsupported node: NamedExpr.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.semantic.facts import Finding
from ts_lsp.text import Range


def message(finding: Finding) -> str:
    return "`:=` is not part of TorchScript: assign on a line of its own first."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node = finding.node
    statement = context.statement_of(node) if node else None
    if not isinstance(node, ast.NamedExpr) or statement is None or not context.starts_its_line(statement):
        return ()
    if not _is_evaluated_first(context, node, statement):
        return ()
    line = f"{node.target.id} = {context.text_of(node.value)}"
    place = _with_parentheses(context, node)
    edits = (context.insert_statement_before(statement, line), context.replace(place, node.target.id))
    return (Fix(f"Assign `{node.target.id}` on a line of its own", "safe", edits),)


def _is_evaluated_first(context: FixContext, node: ast.NamedExpr, statement: ast.stmt) -> bool:
    """Whether nothing of the statement runs before the assignment, and the assignment runs once."""
    if not isinstance(statement, (ast.If, ast.Return, ast.Assign, ast.Expr, ast.Assert)):
        return False
    if context.text_of(statement).startswith("elif"):
        return False
    child: ast.AST = node
    for ancestor in list(context.ancestors(node))[1:]:
        if ancestor is statement:
            return True
        first = next(iter(ast.iter_child_nodes(ancestor)), None)
        if first is not child or isinstance(ancestor, (ast.ListComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)):
            return False
        child = ancestor
    return False


def _with_parentheses(context: FixContext, node: ast.NamedExpr) -> Range:
    place = context.range_of(node)
    wider = Range(place.line, place.column - 1, place.end_line, place.end_column + 1)
    text = context.text_of(wider) if place.column else ""
    return wider if text.startswith("(") and text.endswith(")") else place


RULE = Rule(
    code="walrus-expression",
    summary="assignment inside an expression",
    category="syntax",
    message=message,
    fixes=fixes,
)
