"""Argument that is not given.

## What it does
Finds calls that leave out an argument without a default. Defaults of functions that are not compiled
(`torch.jit.ignore`) do not count.

## Why TorchScript refuses it
Every parameter without a default needs a value.

## Example
```py
def scale(x: Tensor, factor: int) -> Tensor:
    return x * factor

@torch.jit.script
def use(x: Tensor) -> Tensor:
    return scale(x)
```

## Use instead
```py
def scale(x: Tensor, factor: int) -> Tensor:
    return x * factor

@torch.jit.script
def use(x: Tensor) -> Tensor:
    return scale(x, 2)
```

## Compiler's wording
Argument X not provided. Of a default None for a Tensor: Unsupported value kind: Tensor.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import callee_name, named, quoted
from ts_lsp.semantic.facts import Finding, Related


def message(finding: Finding) -> str:
    expected = finding.data.get("expected")
    kind = f" ({quoted(expected)})" if expected is not None else ""
    argument = named(finding, "argument", "one of its parameters")
    if getattr(finding.data.get("failure"), "reason", "") == "undefined-tensor":
        callee = callee_name(finding, "This function")
        return f"{callee} needs an argument for {argument}: its default None is no value of its type, a Tensor."
    return f"{callee_name(finding, 'This function')} needs an argument for {argument}{kind}."


def related_message(related: Related) -> str:
    return "the parameters are declared here" if related.role == "definition" else related.role.replace("-", " ")


RULE = Rule(
    code="missing-argument",
    summary="argument that is not given",
    category="calls",
    message=message,
    related_message=related_message,
)
