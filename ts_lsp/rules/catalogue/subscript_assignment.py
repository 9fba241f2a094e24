"""Element that cannot be assigned.

## What it does
Finds `x[i] = v` where `x` is a tuple, a string or another type whose elements cannot change, or where `v` does not
fit.

## Why TorchScript refuses it
Elements of tensors, lists and dicts, and of classes with `__setitem__`, can be assigned; the value has to be of the
element's type.

## Example
```py
@torch.jit.script
def change(t: Tuple[int, int]) -> Tuple[int, int]:
    t[0] = 1
    return t
```

## Use instead
```py
@torch.jit.script
def change(t: Tuple[int, int]) -> Tuple[int, int]:
    return 1, t[1]
```

## Compiler's wording
T does not support subscripted assignment.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import annotate_first_binding, present
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import plain, quoted
from ts_lsp.semantic.facts import Finding
from ts_lsp.types.model import STR, TENSOR, DictType, Type


def message(finding: Finding) -> str:
    type_, reason = finding.data.get("type"), plain(finding, "reason")
    container, found, index = quoted(type_, "this"), finding.data.get("value"), finding.data.get("index")
    if reason == "no-setitem":
        return f"{container} has no `__setitem__`, so its elements cannot be assigned."
    if reason == "types":
        what = quoted(found) if isinstance(found, Type) else "this value"
        where = f" at {quoted(index)}" if isinstance(index, Type) else ""
        text = f"{container} does not take {what}{where}."
        if type_ == DictType(STR, TENSOR):
            return f"{text} A dict made by `{{}}` without annotation maps strings to tensors."
        return text
    return f"The elements of {container} cannot be changed{' in place' if finding.data.get('augmented') else ''}."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    """Say what a dict holds where it is made by `{}`."""
    key, value, node = finding.data.get("index"), finding.data.get("value"), finding.node
    if finding.data.get("type") != DictType(STR, TENSOR) or not isinstance(key, Type) or not isinstance(value, Type):
        return ()
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return ()
    return present(annotate_first_binding(context, target, target.value.id, DictType(key, value)))


RULE = Rule(
    code="subscript-assignment",
    summary="element that cannot be assigned",
    category="attributes",
    message=message,
    fixes=fixes,
)
