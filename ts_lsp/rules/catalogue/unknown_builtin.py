"""Torch function without an operator.

## What it does
Finds functions of torch that are callable in Python, but have no operator behind them that compiled code could call.

## Why TorchScript refuses it
Functions written in C are not compiled; they are calls of registered operators, and some have none.

## Example
```py
@torch.jit.script
def largest(x: Tensor) -> bool:
    return torch.is_tensor(x)
```

## Use instead
```py
@torch.jit.script
def largest(x: Tensor) -> bool:
    return isinstance(x, Tensor)
```

## Compiler's wording
Unknown builtin op: aten::X.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import enumeration, listed, plain, quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    operator = plain(finding, "operator").rpartition("::")[2]
    similar = [quoted(str(each).rpartition("::")[2]) for each in listed(finding, "similar")]
    hint = f" Similar operators: {enumeration(similar[:3], 'or')}." if similar else ""
    return f"{quoted(operator, 'This function')} has no TorchScript operator, so compiled code cannot call it.{hint}"


RULE = Rule(
    code="unknown-builtin",
    summary="torch function without an operator",
    category="calls",
    message=message,
)
