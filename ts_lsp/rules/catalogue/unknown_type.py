"""Annotation that names no TorchScript type.

## What it does
Finds annotations that name something which is no type in TorchScript: an unknown name, a Python type without
counterpart (`dict`, `set`, `np.ndarray`), an `nn.Module` class.

## Why TorchScript refuses it
A type in compiled code is one of the language's own (numbers, str, Tensor, device, containers of these), a class,
enum, named tuple or interface that can be compiled, or an alias of one.

## Example
```py
@torch.jit.script
def size(shape: torch.Size) -> int:
    return len(shape)
```

## Use instead
```py
@torch.jit.script
def size(shape: List[int]) -> int:
    return len(shape)
```

## Fix
Write the type that TorchScript has for it, where there is one.

## Compiler's wording
Unknown type name X.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import present, rename
from ts_lsp.rules.model import Edit, Fix, Rule
from ts_lsp.rules.wording import plain, quoted
from ts_lsp.semantic.facts import Finding

_INSTEAD = {
    "torch.Size": "List[int]",
    "Size": "List[int]",
    "torch.nn.Parameter": "Tensor",
    "nn.Parameter": "Tensor",
    "Parameter": "Tensor",
    "np.ndarray": "Tensor",
    "numpy.ndarray": "Tensor",
    "torch.layout": "int",
    "torch.memory_format": "int",
}
_GENERIC = {
    "dict": "Dict[str, Tensor]",
    "set": "Dict[str, bool]",
    "Sequence": "List[Tensor]",
    "Iterable": "List[Tensor]",
}


def message(finding: Finding) -> str:
    name = plain(finding, "name") or plain(finding, "type") or plain(finding, "text")
    instead = _INSTEAD.get(name) or _GENERIC.get(name)
    hint = f" `{instead}` is what comes nearest." if instead else ""
    return f"{quoted(name, 'This')} is no type in TorchScript.{hint}"


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node = finding.node
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return ()
    instead = _INSTEAD.get(ast.unparse(node))
    if instead is None:
        return present(rename(context, node, getattr(node, "id", None), _type_names(context)))
    spelled = instead.replace("List", context.spell_generic("List")[0])
    edits: tuple[Edit, ...] = (context.replace(node, spelled),)
    if instead == "Tensor":
        spelled, imports = context.spell("torch", "Tensor")
        edits = (context.replace(node, spelled), *imports)
    return (Fix(f"Write `{spelled}`", "unsafe", edits),)


def _type_names(context: FixContext) -> set[str]:
    """What an annotation in this file may name: imported names and classes, and the builtin types."""
    return {*context.imported_names, *context.class_names(), "int", "float", "bool", "str", "complex", "Tensor"}


RULE = Rule(
    code="unknown-type",
    summary="annotation that names no TorchScript type",
    category="annotations",
    message=message,
    fixes=fixes,
)
