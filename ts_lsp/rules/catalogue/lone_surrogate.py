r"""String that cannot be written as UTF-8.

## What it does
Finds strings with half of a surrogate pair, such as `"\ud800"`.

## Why TorchScript refuses it
Strings of compiled code are kept as UTF-8, which has no form for half a character.

## Example
```py
@torch.jit.script
def half() -> str:
    return "\ud800"
```

## Use instead
```py
@torch.jit.script
def whole() -> str:
    return "\U00010000"
```

## Compiler's wording
A UnicodeEncodeError without a place.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    return "This string holds half of a surrogate pair, which cannot be written as UTF-8: write the whole character."


RULE = Rule(code="lone-surrogate", summary="string that cannot be written as UTF-8", category="syntax", message=message)
