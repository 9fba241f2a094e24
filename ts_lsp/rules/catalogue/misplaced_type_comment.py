"""Type comment on a local variable.

## What it does
Finds `# type:` comments that are not the function's signature, such as those behind an assignment.

## Why TorchScript refuses it
Any comment that begins with `# type:` is read as the signature of the whole function.

## Example
```py
@torch.jit.script
def numbers() -> List[int]:
    xs = []  # type: List[int]
    return xs
```

## Use instead
```py
@torch.jit.script
def numbers() -> List[int]:
    xs: List[int] = []
    return xs
```

## Fix
Write the comment as an annotation.

## Compiler's wording
expected type comment but found ... here, without a file.
"""

from __future__ import annotations

import re

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.semantic.facts import Finding
from ts_lsp.text import Range


def message(finding: Finding) -> str:
    return (
        "A `# type:` comment inside a function is taken for its signature: annotate the variable instead, `x: "
        "List[int] = []`."
    )


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    line = finding.place.line
    text = context.lines.line(line)
    match = re.fullmatch(r"(\s*[A-Za-z_]\w*)(\s*=\s*.*?\S)\s*#\s*type:\s*([^#]+?)\s*", text)
    if match is None or match.group(3).startswith(("ignore", "(")):
        return ()
    annotated = f"{match.group(1)}: {match.group(3)}{match.group(2)}"
    return (
        Fix(
            "Write the comment as an annotation", "safe", (context.replace(Range(line, 0, line, len(text)), annotated),)
        ),
    )


RULE = Rule(
    code="misplaced-type-comment",
    summary="type comment on a local variable",
    category="syntax",
    message=message,
    fixes=fixes,
)
