"""Python builtin without a TorchScript form.

## What it does
Finds builtins and functions written in C that TorchScript does not know, such as `open`, `iter`, `setattr` or
`time.time`.

## Why TorchScript refuses it
They have no source that could be compiled and no operator of their own.

## Example
```py
@torch.jit.script
def first(xs: List[int]) -> int:
    return next(iter(xs))
```

## Use instead
```py
@torch.jit.script
def first(xs: List[int]) -> int:
    return xs[0]
```

## Compiler's wording
Python builtin <...> is currently not supported in Torchscript.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import plain, quoted
from ts_lsp.semantic.facts import Finding

_INSTEAD = {
    "next": "index the list, or loop over it",
    "iter": "loop over the value itself",
    "reversed": "use `xs[::-1]`, or a loop over indices",
    "map": "use a comprehension",
    "filter": "use a loop with `if`",
    "repr": "use `str`",
    "setattr": "assign to the attribute by name",
    "open": "do it in Python, in a function with `@torch.jit.ignore`",
}


def message(finding: Finding) -> str:
    name = plain(finding, "name").removeprefix("builtins.")
    instead = _INSTEAD.get(name, "do it in Python, in a function with `@torch.jit.ignore`")
    return f"{quoted(name, 'This builtin')} does not exist in TorchScript: {instead}."


RULE = Rule(
    code="python-builtin",
    summary="Python builtin without a TorchScript form",
    category="calls",
    message=message,
)
