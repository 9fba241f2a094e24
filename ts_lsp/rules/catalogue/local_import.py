"""Import inside a compiled function.

## What it does
Finds `import` and `from ... import` inside a function that is compiled.

## Why TorchScript refuses it
Names of other modules are looked up when scripting starts, in the module around the function; compiled code cannot
import.

## Example
```py
@torch.jit.script
def area(r: float) -> float:
    import math
    return math.pi * r * r
```

## Use instead
```py
import math

@torch.jit.script
def area(r: float) -> float:
    return math.pi * r * r
```

## Fix
Move the import to the top of the file (unsafe: the module is then imported together with this one).

## Compiler's wording
Unsupported node: import statements.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.semantic.facts import Finding
from ts_lsp.text import Range


def message(finding: Finding) -> str:
    return "Compiled code cannot import: move this import to the top of the file."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    statement = finding.node
    if not isinstance(statement, (ast.Import, ast.ImportFrom)) or not context.starts_its_line(statement):
        return ()
    parent = context.parent(statement)
    if len(getattr(parent, "body", ())) < 2:
        return ()
    place = context.range_of(statement)
    whole_line = Range(place.line, 0, place.end_line + 1, 0)
    edits = (context.insert_at_top(ast.unparse(statement)), context.replace(whole_line, ""))
    return (Fix("Move the import to the top of the file", "unsafe", edits),)


RULE = Rule(
    code="local-import",
    summary="import inside a compiled function",
    category="syntax",
    message=message,
    fixes=fixes,
)
