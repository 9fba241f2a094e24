"""Default that does not fit its parameter.

## What it does
Finds defaults that are not of the parameter's type. A parameter without annotation is a Tensor.

## Why TorchScript refuses it
The default's value becomes a constant of the parameter's type when the function is compiled.

## Example
```py
@torch.jit.script
def scale(x: Tensor, factor=2) -> Tensor:
    return x * factor
```

## Use instead
```py
@torch.jit.script
def scale(x: Tensor, factor: int = 2) -> Tensor:
    return x * factor
```

## Fix
Annotate the parameter with the type of its default; with Optional, where the default is None.

## Compiler's wording
Expected a default value of type T on parameter X.
"""

from __future__ import annotations

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import annotate_parameter, find_parameter, optional_of, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding
from ts_lsp.types.model import NONE


def message(finding: Finding) -> str:
    name = finding.data.get("parameter", finding.data.get("name"))
    expected, found = finding.data.get("expected"), finding.data.get("found")
    value = f" (its default is {quoted(found)})" if found is not None else ""
    if finding.data.get("inferred"):
        return (
            f"{quoted(name, 'This parameter')} has no annotation, which makes it a Tensor; its default is none{value}."
        )
    return f"The default of {quoted(name, 'this parameter')} is no {quoted(expected, 'value of its type')}{value}."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    name = finding.data.get("parameter", finding.data.get("name"))
    parameter = find_parameter(context, finding.node, name)
    found, expected = finding.data.get("found"), finding.data.get("expected")
    wanted = optional_of(expected) if found == NONE else found
    return present(annotate_parameter(context, parameter, wanted))


RULE = Rule(
    code="default-type-mismatch",
    summary="default that does not fit its parameter",
    category="annotations",
    message=message,
    fixes=fixes,
)
