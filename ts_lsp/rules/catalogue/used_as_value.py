"""Function, class or module used as a value.

## What it does
Finds functions, builtins, classes, modules and the like where a value is needed: stored, passed on, put in a list,
compared.

## Why TorchScript refuses it
They are no values: they exist while compiling only, and can be called but not handed around.

## Example
```py
@torch.jit.script
def functions(x: Tensor) -> Tensor:
    fs = [torch.sin]
    return x
```

## Use instead
```py
@torch.jit.script
def functions(x: Tensor) -> Tensor:
    return torch.sin(x)
```

## Compiler's wording
builtin / function / module / ... cannot be used as a value.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named, plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    kind = plain(finding, "kind", "function, class or module")
    if kind == "None":
        return "This call gives nothing that could be used as a value."
    name, kind = named(finding, "name", "This"), "builtin function" if kind == "print" else kind
    article = "an" if kind[:1] in "aeiou" else "a"
    return f"{name} is {article} {kind}: it exists only while compiling, and is no value."


RULE = Rule(
    code="used-as-value",
    summary="function, class or module used as a value",
    category="names",
    message=message,
)
