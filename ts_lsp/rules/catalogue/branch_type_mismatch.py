"""Branches that give a variable different types.

## What it does
Finds variables to which the two branches of an `if` give types that do not go together.

## Why TorchScript refuses it
After the `if` the variable needs one type. Only None and another type (as Optional), and the members of a declared
Optional or Union, are brought together; an int and a float are not.

## Example
```py
@torch.jit.script
def pick(flag: bool) -> float:
    if flag:
        y = 1
    else:
        y = 2.5
    return y
```

## Use instead
```py
@torch.jit.script
def pick(flag: bool) -> float:
    if flag:
        y = 1.0
    else:
        y = 2.5
    return y
```

## Fix
Write a float literal where the other branch has a float.

## Compiler's wording
Type mismatch: X is set to type T in the true branch and type U in the false branch.
"""

from __future__ import annotations

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import bindings_of, float_literal, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import named, quoted
from ts_lsp.semantic.facts import Finding, Related
from ts_lsp.types.model import FLOAT, INT


def message(finding: Finding) -> str:
    name = named(finding, "name", "This variable")
    true, false = finding.data.get("true"), finding.data.get("false")
    if true is None or false is None:
        return f"{name} gets different types in the two branches; after them it needs one."
    return f"{name} is {quoted(true)} after the true branch and {quoted(false)} after the false one; it needs one type."


def related_message(related: Related) -> str:
    return "these branches disagree" if related.role == "branches" else related.role.replace("-", " ")


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    name, types = finding.data.get("name"), (finding.data.get("true"), finding.data.get("false"))
    function = context.function_of(finding.node) if finding.node else None
    if function is None or not isinstance(name, str) or set(types) != {INT, FLOAT}:
        return ()
    literals = [each.value for each in bindings_of(function, name) if float_literal(context, each.value)]
    return present(float_literal(context, literals[0])) if len(literals) == 1 else ()


RULE = Rule(
    code="branch-type-mismatch",
    summary="branches that give a variable different types",
    category="names",
    message=message,
    related_message=related_message,
    fixes=fixes,
)
