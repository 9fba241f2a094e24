"""Attribute of a value that may be None.

## What it does
Finds attributes and methods of an `Optional` that has not been tested.

## Why TorchScript refuses it
None has no attributes. A test such as `x is not None` or an `assert` tells the compiler that the value is there; only
names are followed, so an attribute has to be put in a local first.

## Example
```py
@torch.jit.script
def size(x: Optional[Tensor]) -> int:
    return x.numel()
```

## Use instead
```py
@torch.jit.script
def size(x: Optional[Tensor]) -> int:
    assert x is not None
    return x.numel()
```

## Fix
Assert above that the value is not None; an attribute is put in a local first.

## Compiler's wording
'Optional[T]' object has no attribute or method 'X'.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import guard_against_none, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import named, quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    node, type_ = finding.node, finding.data.get("type")
    name = named(finding, "name", "this attribute")
    value = quoted(ast.unparse(node.value) if isinstance(node, ast.Attribute) else None, "The value")
    kind = f" (it is {quoted(type_)})" if type_ is not None else ""
    return f"{value} may be None here{kind}, and None has no {name}."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node = finding.node
    return present(guard_against_none(context, node.value)) if isinstance(node, ast.Attribute) else ()


RULE = Rule(
    code="optional-attribute",
    summary="attribute of a value that may be None",
    category="attributes",
    message=message,
    fixes=fixes,
)
