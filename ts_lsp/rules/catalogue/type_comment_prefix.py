"""Type comment with an unusual beginning.

## What it does
Finds comments such as `#type: int` or `# type : int` in a compiled function.

## Why TorchScript refuses it
The compiler looks for `# type:` letter by letter, and refuses what only resembles it.

## Example
```py
@torch.jit.script
def add(x, n):
    #type: (Tensor, int) -> Tensor
    return x + n
```

## Use instead
```py
@torch.jit.script
def add(x, n):
    # type: (Tensor, int) -> Tensor
    return x + n
```

## Fix
Write `# type:`.

## Compiler's wording
The annotation prefix in line N is probably invalid.
"""

from __future__ import annotations

import re

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.semantic.facts import Finding
from ts_lsp.text import Range


def message(finding: Finding) -> str:
    return "A type comment has to begin with exactly `# type:`, and a `# type: ignore` has to end its line."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    line = finding.place.line
    text = context.lines.line(line)
    match = re.search(r"#\s*type\s*:\s*(?=\()", text)
    if match is None or match.group() == "# type: ":
        return ()
    return (
        Fix("Write `# type: `", "safe", (context.replace(Range(line, match.start(), line, match.end()), "# type: "),)),
    )


RULE = Rule(
    code="type-comment-prefix",
    summary="type comment with an unusual beginning",
    category="syntax",
    message=message,
    fixes=fixes,
)
