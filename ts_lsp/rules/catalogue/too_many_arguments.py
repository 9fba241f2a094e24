"""More arguments than parameters.

## What it does
Finds calls with more positional arguments than the callee takes.

## Why TorchScript refuses it
Compiled functions have no `*args` that could take the rest.

## Example
```py
def double(x: Tensor) -> Tensor:
    return x * 2

@torch.jit.script
def use(x: Tensor) -> Tensor:
    return double(x, 3)
```

## Use instead
```py
def double(x: Tensor) -> Tensor:
    return x * 2

@torch.jit.script
def use(x: Tensor) -> Tensor:
    return double(x)
```

## Compiler's wording
Expected at most N arguments but found M positional arguments.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import callee_name, counted
from ts_lsp.semantic.facts import Finding, Related


def message(finding: Finding) -> str:
    wanted, given = finding.data.get("wanted"), finding.data.get("given")
    if wanted is None:
        return f"{callee_name(finding, 'This function')} is given too many arguments."
    got = f", not {given}" if given else ""
    return f"{callee_name(finding, 'This function')} takes at most {counted(wanted, 'argument')}{got}."


def related_message(related: Related) -> str:
    return "the parameters are declared here" if related.role == "definition" else related.role.replace("-", " ")


RULE = Rule(
    code="too-many-arguments",
    summary="more arguments than parameters",
    category="calls",
    message=message,
    related_message=related_message,
)
