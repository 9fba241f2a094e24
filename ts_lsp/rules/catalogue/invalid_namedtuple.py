"""Named tuple with a field that TorchScript cannot hold.

## What it does
Finds named tuples with a field whose annotation or default has no counterpart.

## Why TorchScript refuses it
A named tuple is compiled with the type of every field; defaults become constants.

## Example
```py
from typing import NamedTuple

class Pair(NamedTuple):
    first: int
    second: dict

@torch.jit.script
def first(p: Pair) -> int:
    return p.first
```

## Use instead
```py
from typing import NamedTuple

class Pair(NamedTuple):
    first: int
    second: Dict[str, int]

@torch.jit.script
def first(p: Pair) -> int:
    return p.first
```

## Compiler's wording
Unknown type annotation ... in NamedTuple X; Can't redefine NamedTuple.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named, plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name, field = named(finding, "name", "This named tuple"), plain(finding, "field")
    if finding.data.get("reason") == "redefined":
        return f"Another named tuple with other fields has the same name as {name}; the compiler knows them by that."
    if field:
        return f"The field `{field}` of {name} has a type or default that TorchScript cannot hold."
    return f"{name} has a field that TorchScript cannot hold."


RULE = Rule(
    code="invalid-namedtuple",
    summary="named tuple with a field that TorchScript cannot hold",
    category="annotations",
    message=message,
)
