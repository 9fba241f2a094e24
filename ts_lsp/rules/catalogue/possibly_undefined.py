"""Variable that is set on some paths only.

## What it does
Finds uses of a variable that one branch sets and another does not.

## Why TorchScript refuses it
A variable has to have a value of one type on every path that reaches its use; there is no "unset" state.

## Example
```py
@torch.jit.script
def pick(x: Tensor, flag: bool) -> Tensor:
    if flag:
        y = x + 1
    return y
```

## Use instead
```py
@torch.jit.script
def pick(x: Tensor, flag: bool) -> Tensor:
    if flag:
        y = x + 1
    else:
        y = x
    return y
```

## Compiler's wording
X is not defined in the true / false branch, and was used here.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named, plain
from ts_lsp.semantic.facts import Finding, Related


def message(finding: Finding) -> str:
    name = named(finding, "name", "This variable")
    branch = plain(finding, "branch")
    where = f"the {branch} branch does not set it" if branch else "some path to this place does not set it"
    return f"{name} may have no value here: {where}. Set it on every path, or before the branches."


def related_message(related: Related) -> str:
    return "one branch of this statement sets it, the other does not"


RULE = Rule(
    code="possibly-undefined",
    summary="variable that is set on some paths only",
    category="names",
    message=message,
    related_message=related_message,
)
