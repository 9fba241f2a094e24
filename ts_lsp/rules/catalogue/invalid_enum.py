"""Enum whose values TorchScript cannot hold.

## What it does
Finds enums with values of several types, with values other than int, float and str, and enums without members.

## Why TorchScript refuses it
An enum is compiled with one type for the values of all its members.

## Example
```py
from enum import Enum

class Mode(Enum):
    FAST = 1
    SLOW = "slow"

@torch.jit.script
def fast(m: Mode) -> bool:
    return m == Mode.FAST
```

## Use instead
```py
from enum import Enum

class Mode(Enum):
    FAST = 1
    SLOW = 2

@torch.jit.script
def fast(m: Mode) -> bool:
    return m == Mode.FAST
```

## Compiler's wording
Could not unify type list; Cannot create Enum with value type T; No enum values defined.
Of an IntFlag: Unknown type name 'self.__class__', in enum.py.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named, plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name, reason = named(finding, "name", "This enum"), plain(finding, "reason")
    if reason == "empty":
        return f"{name} has no members."
    if reason == "integer-flag":
        return f"{name} is an `IntFlag`, whose own methods cannot be compiled; `Flag` and `IntEnum` can."
    if reason == "value-type":
        return f"The values of {name} are of a type that an enum cannot hold: they have to be int, float or str."
    return f"The values of {name} have to be all int, all float or all str."


RULE = Rule(
    code="invalid-enum",
    summary="enum whose values TorchScript cannot hold",
    category="annotations",
    message=message,
)
