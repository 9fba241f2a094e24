"""Annotation whose Python object has no TorchScript type.

## What it does
Finds annotations that can be evaluated, but contain something without a TorchScript type, such as `Optional[dict]` or
`Dict[str, Callable]`.

## Why TorchScript refuses it
A type in compiled code is one of the language's own (numbers, str, Tensor, device, containers of these), a class,
enum, named tuple or interface that can be compiled, or an alias of one.

## Example
```py
@torch.jit.script
def size(options: Optional[dict]) -> int:
    return 0
```

## Use instead
```py
@torch.jit.script
def size(options: Optional[Dict[str, int]]) -> int:
    return 0
```

## Compiler's wording
Unsupported annotation ... could not be resolved; Unknown type annotation.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named, plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    callee, part = plain(finding, "callee"), named(finding, "part", "This annotation")
    if finding.data.get("reason") == "classmethod":
        return f"`{callee}` is a class method, whose signature cannot be read: make it a static method or a function."
    if finding.data.get("reason") == "count":
        return (
            f"The annotations of `{callee}` do not go with the arguments: their number is not that of the parameters "
            "that the compiler sees."
        )
    if callee:
        return f"{part}, in the signature of `{callee}`, is no type in TorchScript."
    return f"{part} is no type in TorchScript, and cannot be part of one."


RULE = Rule(
    code="unsupported-annotation",
    summary="annotation whose Python object has no TorchScript type",
    category="annotations",
    message=message,
)
