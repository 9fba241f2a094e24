"""Name that is not defined.

## What it does
Finds names that are neither local variables, nor names of the module around the function, nor builtins.

## Why TorchScript refuses it
Every name is looked up while compiling: first among the locals, then among the compiler's builtins, then in the
module as it is when scripting starts. A module-level name that holds None counts as missing.

## Example
```py
@torch.jit.script
def double(x: Tensor) -> Tensor:
    return y * 2
```

## Use instead
```py
@torch.jit.script
def double(x: Tensor) -> Tensor:
    return x * 2
```

## Fix
Write the known name that comes nearest (unsafe).

## Compiler's wording
undefined value X.
"""

from __future__ import annotations

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import present, rename
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import named
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name = named(finding, "name", "This name")
    if finding.data.get("deleted"):
        return f"{name} cannot be deleted: no variable of that name exists at this level of the function."
    return f"{name} is not defined: no local, module-level name or builtin is called so when this is compiled."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    return present(rename(context, finding.node, finding.data.get("name"), context.known_names(finding.node)))


RULE = Rule(
    code="undefined-name",
    summary="name that is not defined",
    category="names",
    message=message,
    fixes=fixes,
)
