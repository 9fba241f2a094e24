"""With statement over something that is no context manager.

## What it does
Finds `with` over values that are no objects of a compiled class with `__enter__(self)` and `__exit__(self, a: Any, b:
Any, c: Any)`.

## Why TorchScript refuses it
The two methods are compiled and called; contexts of torch that are written in C are not known, except for a few such
as `torch.no_grad()`.

## Example
```py
class Context:
    def __init__(self):
        self.n = 0

    def __enter__(self) -> int:
        return self.n

    def __exit__(self, a: int, b: int, c: int) -> None:
        pass

@torch.jit.script
def use(x: Tensor) -> Tensor:
    with Context():
        return x
```

## Use instead
```py
class Context:
    def __init__(self):
        self.n = 0

    def __enter__(self) -> int:
        return self.n

    def __exit__(self, a: Any, b: Any, c: Any) -> None:
        pass

@torch.jit.script
def use(x: Tensor) -> Tensor:
    with Context():
        return x
```

## Compiler's wording
With item expression must return an object; does not define __enter__ and __exit__ methods; ...
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import plain, quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    type_ = quoted(finding.data.get("type"), "This")
    texts = {
        "methods": f"{type_} has no `__enter__` and `__exit__`.",
        "enter-arguments": f"`__enter__` of {type_} may take nothing but `self`.",
        "exit-arguments": f"`__exit__` of {type_} has to take `self` and three arguments.",
        "exit-types": f"The three arguments of `__exit__` of {type_} have to be annotated `Any`.",
    }
    return texts.get(plain(finding, "reason"), f"{type_} is no object with `__enter__` and `__exit__`.")


RULE = Rule(
    code="with-non-context",
    summary="with statement over something that is no context manager",
    category="statements",
    message=message,
)
