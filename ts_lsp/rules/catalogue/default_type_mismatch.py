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
from ts_lsp.rules.wording import named, quoted
from ts_lsp.semantic.facts import Finding
from ts_lsp.types.model import BOOL, COMPLEX, FLOAT, INT, STR
from ts_lsp.values.model import ConstantValue

_CONSTANT_TYPES = {bool: BOOL, int: INT, float: FLOAT, str: STR, complex: COMPLEX}


def message(finding: Finding) -> str:
    name, default = named(finding, "parameter", "This parameter"), finding.data.get("default")
    value = f"the default {default.value!r}" if isinstance(default, ConstantValue) else "its default"
    if finding.data.get("inferred"):
        return f"{name} has no annotation, which makes it a Tensor, and {value} is none."
    return f"{name} is declared {quoted(finding.data.get('type'))}, which {value} does not fit."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    default = finding.data.get("default")
    if not isinstance(default, ConstantValue):
        return ()
    parameter = find_parameter(context, finding.node, finding.data.get("parameter"))
    if default.value is None:
        return present(annotate_parameter(context, parameter, optional_of(finding.data.get("type"))))
    if type(default.value) is int and not -(2**63) <= default.value < 2**63:
        return ()
    fix = annotate_parameter(context, parameter, _CONSTANT_TYPES.get(type(default.value)))
    if fix is not None and not finding.data.get("inferred"):
        fix = Fix(fix.title, "unsafe", fix.edits)
    return present(fix)


RULE = Rule(
    code="default-type-mismatch",
    summary="default that does not fit its parameter",
    category="annotations",
    message=message,
    fixes=fixes,
)
