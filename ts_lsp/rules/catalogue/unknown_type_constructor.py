"""Annotation with a generic that TorchScript does not have.

## What it does
Finds subscripted annotations such as `Sequence[int]`, `Callable[...]`, `Literal[...]` or `Type[...]`.

## Why TorchScript refuses it
The generics are List, Dict, Tuple, Optional, Union, Future, RRef and Await (the builtin `list`, `dict` and `tuple`
count as well).

## Example
```py
from typing import Sequence

@torch.jit.script
def total(xs: Sequence[int]) -> int:
    return len(xs)
```

## Use instead
```py
@torch.jit.script
def total(xs: List[int]) -> int:
    return len(xs)
```

## Fix
Write `List` for a sequence, `Dict` for a mapping.

## Compiler's wording
Unknown type constructor X.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import plain, quoted
from ts_lsp.semantic.facts import Finding

_INSTEAD = {
    **dict.fromkeys(("Sequence", "MutableSequence", "Iterable", "Iterator", "Collection", "Deque", "Set"), "List"),
    **dict.fromkeys(("Mapping", "MutableMapping", "OrderedDict", "DefaultDict"), "Dict"),
}


def message(finding: Finding) -> str:
    name = plain(finding, "constructor")
    instead = _INSTEAD.get(name.rpartition(".")[2])
    hint = f" `{instead}[...]` is what comes nearest." if instead else ""
    return f"{quoted(f'{name}[...]' if name else None, 'This generic')} does not exist in TorchScript.{hint}"


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node = finding.node
    if not isinstance(node, ast.Subscript):
        return ()
    name = ast.unparse(node.value).rpartition(".")[2]
    if name not in _INSTEAD:
        return ()
    spelled, imports = context.spell_generic(_INSTEAD[name])
    return (Fix(f"Write `{spelled}`", "safe", (context.replace(node.value, spelled), *imports)),)


RULE = Rule(
    code="unknown-type-constructor",
    summary="annotation with a generic that TorchScript does not have",
    category="annotations",
    message=message,
    fixes=fixes,
)
