"""Function of torch that does not compile.

## What it does
Finds calls of functions of the torch package that are written in Python and do not compile themselves.

## Why TorchScript refuses it
Python functions of torch are compiled like any other, and some use what TorchScript does not have.

## Example
```py
@torch.jit.script
def init(x: Tensor) -> Tensor:
    return nn.init.orthogonal_(x)
```

## Use instead
```py
@torch.jit.script
def init(x: Tensor) -> Tensor:
    return nn.init.xavier_normal_(x)
```

## Compiler's wording
Whatever is wrong inside that function, with its place in the torch package.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import plain, quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    path, refusal = quoted(finding.data.get("path"), "This function of torch"), plain(finding, "refusal")
    inner = f" ({' '.join(refusal.split())})" if refusal and len(refusal) < 120 else ""
    if finding.data.get("is_module"):
        return f"{path} does not compile{inner}: use another module, or keep it out of what is scripted."
    return f"{path} does not compile{inner}: use another function, or call it from `@torch.jit.ignore` code."


RULE = Rule(
    code="uncompilable-torch-function",
    summary="function of torch that does not compile",
    category="calls",
    message=message,
)
