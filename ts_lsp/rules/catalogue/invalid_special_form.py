"""Special form used in a way that it does not have.

## What it does
Finds wrong uses of forms that the compiler treats specially: `isinstance`, `hasattr`, `getattr`, `annotate`, `range`,
`zip`, `enumerate`, `list`, `dict`, `tuple`, `fork` and others.

## Why TorchScript refuses it
These are resolved while compiling and have rules of their own on the number and kind of their arguments.

## Example
```py
@torch.jit.script
def numbers(n: float) -> int:
    total = 0
    for i in range(n):
        total += i
    return total
```

## Use instead
```py
@torch.jit.script
def numbers(n: float) -> int:
    total = 0
    for i in range(int(n)):
        total += i
    return total
```

## Compiler's wording
X expected exactly N arguments; takes no keyword arguments; hasattr's second argument must be a string literal; ...
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import counted, named, plain, quoted, written
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    form, reason = named(finding, "form", "This form"), plain(finding, "reason")
    wanted, found = finding.data.get("wanted"), finding.data.get("found")
    if reason == "arity":
        count = f" takes {counted(wanted, 'argument')}" if wanted is not None else " has another number of arguments"
        return f"{form}{count}{f', not {written(found)}' if found is not None else ''}."
    keyword = named(finding, "keyword", "a keyword")
    texts = {
        "keywords": f"{form} takes no keyword arguments here.",
        "unknown-keyword": f"{form} takes no keyword {keyword} here.",
        "name-not-literal": f"{form} needs the attribute's name as a string literal: it is resolved while compiling.",
        "argument-type": f"{form} does not take {quoted(found)} here.",
        "object": f"{form} looks into objects of compiled classes only, not into {quoted(found)}.",
        "not-function": f"{form} needs a compiled function to call as its first argument.",
        "no-hint": f"{form} needs to be told its result: assign it to an annotated variable, `x: List[int] = ...`.",
        "hint": f"{form} gives a list of numbers, to any depth, which {quoted(found)} is not.",
    }
    return texts.get(reason, f"{form} cannot be used like this: it is resolved while compiling, by rules of its own.")


RULE = Rule(
    code="invalid-special-form",
    summary="special form used in a way that it does not have",
    category="calls",
    message=message,
)
