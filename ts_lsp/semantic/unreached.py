"""Why a definition of a file does not compile: nothing needs it, or something keeps the compiler from it.

Owns `unreached`. Invariant: it speaks only of definitions for which there are no facts.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from ts_lsp.records import dataclass
from ts_lsp.values.model import ClassValue, FileDefinitions, FunctionValue

_MODIFIERS = {
    "ignore": "torch.jit.ignore leaves it to Python",
    "unused": "torch.jit.unused keeps it out",
    "drop": "torch.jit.ignore(drop=True) keeps it out",
    "unknown": "a decorator that is not known stands above it",
}
_METHOD = "no compiled method calls it, and it is not exported"
_CLASS = "no entry point reaches it"
_MODULE = "no object of it is handed to the compiler"


@dataclass(frozen=True, slots=True)
class Unreached:
    """A definition that does not compile, and the reason in words."""

    value: FunctionValue | ClassValue
    kind: str  # function | method | class | module
    why: str


def unreached(definitions: FileDefinitions, compiled: Container[ast.AST]) -> Iterator[Unreached]:
    """The functions and classes of a file for which `compiled` holds no node."""
    values: list[FunctionValue | ClassValue] = [*definitions.functions, *definitions.classes]
    for value in sorted(values, key=_place):
        if value.node is None or isinstance(value.node, ast.Lambda) or value.node in compiled:
            continue
        modifier = next((text for name, text in _MODIFIERS.items() if name in value.modifiers), None)
        if isinstance(value, ClassValue):
            is_module = value.kind in ("module", "script_module")
            yield Unreached(value, "module" if is_module else "class", modifier or (_MODULE if is_module else _CLASS))
        elif value.owner is not None:
            yield Unreached(value, "method", modifier or _reason(value, value.owner, compiled))
        else:
            yield Unreached(value, "function", modifier or _CLASS)


def _reason(method: FunctionValue, owner: ClassValue, compiled: Container[ast.AST]) -> str:
    if owner.node is not None and owner.node not in compiled:
        return "its class does not compile"
    return "objects are made by Python" if method.name == "__init__" else _METHOD


def _place(value: FunctionValue | ClassValue) -> tuple[int, int]:
    return (value.unit.first_line, value.node.lineno if value.node is not None else 0)
