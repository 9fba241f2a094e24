"""Variable that an inner block gives another type.

## What it does
Finds assignments inside an `if`, loop or comprehension that give an outer variable a value of another type.

## Why TorchScript refuses it
In the block where a variable is made its type may change freely; blocks inside have to keep it, since what comes
after them must know the type whichever way was taken.

## Example
```py
@torch.jit.script
def total(xs: List[float]) -> float:
    result = 0
    for x in xs:
        result = result + x
    return result
```

## Use instead
```py
@torch.jit.script
def total(xs: List[float]) -> float:
    result = 0.0
    for x in xs:
        result = result + x
    return result
```

## Fix
Make the first value a float literal; or annotate the first assignment as Optional.

## Compiler's wording
Variable X previously had type T but is now being assigned to a value of type U.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import annotate_first_binding, bindings_of, float_literal, optional_of, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import named, quoted
from ts_lsp.semantic.facts import Finding, Related
from ts_lsp.types.model import FLOAT, INT, NONE, TENSOR, ListType


def message(finding: Finding) -> str:
    name = named(finding, "name", "This variable")
    before, found = finding.data.get("before"), finding.data.get("found")
    if before is None or found is None:
        return f"{name} has another type outside of this block, and has to keep it here."
    text = f"{name} is {quoted(before)} outside of this block, so it cannot become {quoted(found)} here."
    if isinstance(before, ListType) and before.element == TENSOR and isinstance(found, ListType):
        return f"{text} An empty list is a List[Tensor] unless it is annotated."
    if before == NONE:
        return f"{text} Annotate its first assignment as {quoted(optional_of(found))}."
    return text


def related_message(related: Related) -> str:
    return f"the variable gets its type {named(related, 'type', '')} here".replace("  ", " ")


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    name, before, found = finding.data.get("name"), finding.data.get("before"), finding.data.get("found")
    function = context.function_of(finding.node) if finding.node else None
    if function is None or not isinstance(name, str):
        return ()
    first = min(bindings_of(function, name), key=lambda each: each.lineno, default=None)
    if before == INT and found == FLOAT:
        return present(float_literal(context, first.value if first else None))
    if before == FLOAT and found == INT:
        statement = context.statement_of(finding.node) if finding.node else None
        return present(float_literal(context, statement.value if isinstance(statement, ast.Assign) else None))
    if before == NONE:
        return present(annotate_first_binding(context, finding.node, name, optional_of(found)))
    if found == NONE:
        return present(annotate_first_binding(context, finding.node, name, optional_of(before)))
    if first is not None and isinstance(first.value, (ast.List, ast.Dict)) and not ast.unparse(first.value)[1:-1]:
        return present(annotate_first_binding(context, finding.node, name, found))
    return ()


RULE = Rule(
    code="reassigned-type",
    summary="variable that an inner block gives another type",
    category="names",
    message=message,
    related_message=related_message,
    fixes=fixes,
)
