"""Index that a tensor does not take.

## What it does
Finds tensor indices that are floats, bools, strings, tuples in variables or Optionals, and indices that combine `...`
in an unsupported way.

## Why TorchScript refuses it
A tensor takes ints, slices, None, `...`, tensors and lists; `...` once, and no tensor behind it.

## Example
```py
@torch.jit.script
def pick(x: Tensor, i: float) -> Tensor:
    return x[i]
```

## Use instead
```py
@torch.jit.script
def pick(x: Tensor, i: float) -> Tensor:
    return x[int(i)]
```

## Compiler's wording
Unsupported operation: indexing tensor with unsupported index type T.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import may_be_none, plain, quoted
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    reason, found = plain(finding, "reason"), finding.data.get("found")
    if reason == "several-ellipses":
        return "A tensor can be indexed with one `...` only."
    if reason == "after-ellipsis":
        return "A tensor cannot be an index behind `...`: write out the leading dimensions as `:`."
    if may_be_none(found):
        return f"The index may be None here (it is {quoted(found)}): test it first."
    return (
        f"A tensor cannot be indexed by {quoted(found, 'this')}: use an int, a slice, None, `...`, a tensor or a list."
    )


RULE = Rule(
    code="tensor-index",
    summary="index that a tensor does not take",
    category="attributes",
    message=message,
)
