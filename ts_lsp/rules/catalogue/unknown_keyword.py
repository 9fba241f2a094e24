"""Keyword that the callee does not have.

## What it does
Finds keyword arguments for which the callee has no parameter.

## Why TorchScript refuses it
Keywords are matched with parameter names while compiling. Operators often have fewer parameters than their Python
counterparts (no `requires_grad`, for one).

## Example
```py
def scale(x: Tensor, factor: int = 1) -> Tensor:
    return x * factor

@torch.jit.script
def use(x: Tensor) -> Tensor:
    return scale(x, factr=2)
```

## Use instead
```py
def scale(x: Tensor, factor: int = 1) -> Tensor:
    return x * factor

@torch.jit.script
def use(x: Tensor) -> Tensor:
    return scale(x, factor=2)
```

## Fix
Write the parameter that comes nearest (unsafe).

## Compiler's wording
Keyword argument X unknown.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import present, rename
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import callee_name, named
from ts_lsp.semantic.facts import Finding, Related


def message(finding: Finding) -> str:
    return f"{callee_name(finding, 'This function')} has no parameter {named(finding, 'argument', 'of that name')}."


def related_message(related: Related) -> str:
    return "the parameters are declared here" if related.role == "definition" else related.role.replace("-", " ")


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    call, wrong = finding.data.get("call"), finding.data.get("argument")
    schema = getattr(finding.data.get("failure"), "schema", None)
    if not isinstance(call, ast.Call) or schema is None:
        return ()
    keyword = next((each for each in call.keywords if each.arg == wrong), None)
    return present(rename(context, keyword, wrong, [each.name for each in schema.arguments]))


RULE = Rule(
    code="unknown-keyword",
    summary="keyword that the callee does not have",
    category="calls",
    message=message,
    related_message=related_message,
    fixes=fixes,
)
