"""Generic without the type of its contents.

## What it does
Finds `List`, `Dict`, `Tuple`, `Optional`, `Union` and `Future` without brackets.

## Why TorchScript refuses it
Containers hold one type, which has to be known while compiling.

## Example
```py
@torch.jit.script
def first(xs: List) -> Tensor:
    return xs[0]
```

## Use instead
```py
@torch.jit.script
def first(xs: List[Tensor]) -> Tensor:
    return xs[0]
```

## Fix
Say that the contents are tensors (unsafe: a guess).

## Compiler's wording
Attempted to use List without a contained type.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import plain, quoted
from ts_lsp.semantic.facts import Finding

_GUESS = {"List": "[Tensor]", "Dict": "[str, Tensor]", "Optional": "[Tensor]", "Future": "[Tensor]"}


def message(finding: Finding) -> str:
    name = plain(finding, "name") or (ast.unparse(finding.node) if isinstance(finding.node, ast.expr) else "")
    return f"{quoted(name, 'This generic')} has to say what it holds, as in `List[int]` or `Dict[str, Tensor]`."


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node = finding.node
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return ()
    guess = _GUESS.get(ast.unparse(node).rpartition(".")[2])
    if guess is None:
        return ()
    tensor, imports = context.spell("torch", "Tensor")
    guess = guess.replace("Tensor", tensor)
    return (Fix(f"Write `{ast.unparse(node)}{guess}`", "unsafe", (context.insert_after(node, guess), *imports)),)


RULE = Rule(
    code="bare-generic",
    summary="generic without the type of its contents",
    category="annotations",
    message=message,
    fixes=fixes,
)
