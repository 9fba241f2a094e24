"""Default that can be changed.

## What it does
Finds lists, dicts and objects of classes as defaults.

## Why TorchScript refuses it
The default would be one object that all calls share; compiled code makes defaults constants.

## Example
```py
@torch.jit.script
def total(xs: List[int] = [1, 2]) -> int:
    return sum(xs)
```

## Use instead
```py
@torch.jit.script
def total(xs: Optional[List[int]] = None) -> int:
    if xs is None:
        xs = [1, 2]
    return sum(xs)
```

## Fix
Make the parameter Optional with the default None, and create the value inside (unsafe: calls share it no longer).

## Compiler's wording
Mutable default parameters are not supported because Python binds them to the function and they persist across calls.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import default_of, find_parameter
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name = quoted(finding.data.get("parameter", finding.data.get("name")), "This parameter")
    return (
        f"{name} has a default that can be changed: make it Optional with the default None, and create "
        "the value inside."
    )


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    function = context.function_of(finding.node) if finding.node is not None else None
    parameter = find_parameter(context, finding.node, finding.data.get("parameter"))
    default = default_of(context, parameter) if parameter is not None else None
    if function is None or parameter is None or parameter.annotation is None or default is None:
        return ()
    first = next((each for each in function.body if not _is_docstring(each)), None)
    if first is None or not context.starts_its_line(first):
        return ()
    optional, imports = context.spell("typing", "Optional")
    inner = context.indentation(first.lineno - 1)
    value = f"if {parameter.arg} is None:\n{inner}    {parameter.arg} = {context.text_of(default)}"
    edits = (
        context.replace(parameter.annotation, f"{optional}[{context.text_of(parameter.annotation)}]"),
        context.replace(default, "None"),
        context.insert_statement_before(first, value),
        *imports,
    )
    return (Fix("Make the default None, and create the value inside", "unsafe", edits),)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


RULE = Rule(
    code="mutable-default",
    summary="default that can be changed",
    category="annotations",
    message=message,
    fixes=fixes,
)
