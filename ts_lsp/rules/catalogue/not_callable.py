"""Call of something that cannot be called.

## What it does
Finds calls of values (tensors, numbers, strings), modules, interfaces and enum classes.

## Why TorchScript refuses it
Functions, methods, builtins, classes and submodules can be called. A function passed as an argument is a Tensor to
the callee unless it is annotated, and functions are no values anyway.

## Example
```py
@torch.jit.script
def apply(f: Tensor, x: Tensor) -> Tensor:
    return f(x)
```

## Use instead
```py
@torch.jit.script
def apply(f: Tensor, x: Tensor) -> Tensor:
    return f * x
```

## Compiler's wording
cannot call a value of type T.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named, plain, quoted
from ts_lsp.semantic.facts import Finding
from ts_lsp.types.model import TENSOR


def message(finding: Finding) -> str:
    name, kind = named(finding, "name", "This"), plain(finding, "kind")
    what = (
        f"a value of type {quoted(finding.data.get('type'))}" if finding.data.get("type") is not None else f"a {kind}"
    )
    text = f"{name} is {what if kind or finding.data.get('type') else 'nothing'}, which cannot be called."
    if finding.data.get("type") == TENSOR:
        return f"{text} Without annotation a parameter is a Tensor, and functions cannot be passed."
    return text


RULE = Rule(
    code="not-callable",
    summary="call of something that cannot be called",
    category="calls",
    message=message,
)
