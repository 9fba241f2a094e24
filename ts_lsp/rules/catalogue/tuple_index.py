"""Tuple index that is not known while compiling.

## What it does
Finds indices of a tuple that are out of range, no ints, or no literals where the elements differ in type.

## Why TorchScript refuses it
The type of the element depends on the index, so the index has to be a literal; only a tuple of equal types can be
indexed by a variable.

## Example
```py
@torch.jit.script
def second(t: Tuple[int, str]) -> str:
    return t[2]
```

## Use instead
```py
@torch.jit.script
def second(t: Tuple[int, str]) -> str:
    return t[1]
```

## Compiler's wording
Tuple index out of range; tuple index must be an integer; Cannot index into a tuple with a non-integer literal.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import counted, plain, quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    reason, type_ = plain(finding, "reason"), quoted(finding.data.get("type"), "This tuple")
    if reason == "range":
        length = finding.data.get("length")
        return f"{type_} has {counted(length, 'element')}, so there is none at index {plain(finding, 'index')}."
    if reason == "not-int":
        return f"{type_} is indexed by an int, not by {quoted(finding.data.get('found'))}."
    return f"{type_} has elements of several types, so its index has to be a literal such as `0`."


RULE = Rule(
    code="tuple-index",
    summary="tuple index that is not known while compiling",
    category="attributes",
    message=message,
)
