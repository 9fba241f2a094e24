"""Call of something that does not compile.

## What it does
Finds calls of functions, methods and classes of other files that do not compile themselves.

## Why TorchScript refuses it
What compiled code calls is compiled with it, so the error over there stops this definition as well.

## Example
```py
def helper(x: Tensor) -> Tensor:
    return x.nothing_of_that_name()

@torch.jit.script
def use(x: Tensor) -> Tensor:
    return helper(x)
```

## Use instead
```py
def helper(x: Tensor) -> Tensor:
    return x.relu()

@torch.jit.script
def use(x: Tensor) -> Tensor:
    return helper(x)
```

## Compiler's wording
X is being compiled since it was called from Y.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named, plain
from ts_lsp.semantic.facts import Finding, Related


def message(finding: Finding) -> str:
    callee, code = named(finding, "callee", "What is called here"), plain(finding, "code")
    return f"{callee} does not compile{f' ({code})' if code else ''}, so this cannot either."


def related_message(related: Related) -> str:
    code = plain(related, "code")
    return f"the error is here ({code})" if code else "the error is here"


RULE = Rule(
    code="failing-callee",
    summary="call of something that does not compile",
    category="calls",
    message=message,
    related_message=related_message,
)
