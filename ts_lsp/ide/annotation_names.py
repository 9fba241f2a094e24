"""The names that an annotation in compiled code may use.

Owns `type_names`. Invariant: a name that is offered means the same to Python where it is written.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ts_lsp.ide.names_in_scope import outer_names
from ts_lsp.ide.python_names import value_in
from ts_lsp.ide.torch_names import names_in
from ts_lsp.semantic.program import Program
from ts_lsp.torchdata import objects
from ts_lsp.values.model import ClassValue, ModuleValue, Scope, TorchValue, TypingValue, Value

_BUILTINS = ("int", "float", "bool", "str", "complex", "list", "dict", "tuple")
_CLASSES = frozenset({"plain", "dataclass", "enum", "namedtuple", "interface"})


def type_names(program: Program, scope: Scope, owner: ast.expr | None) -> Iterator[tuple[str, str, str]]:
    """Names of types with the kind and detail of their completions: behind `owner.`, or all in scope."""
    if owner is not None:
        value = value_in(scope, program.modules, owner)
        if isinstance(value, ModuleValue):
            names = names_in(program.torch, value.name)
            yield from ((each.name, each.kind, "") for each in names if each.kind == "class" and not each.why_not)
        return
    told: set[str] = set()
    for name in outer_names(scope):
        value = scope.lookup(name) if name not in told else None
        told.add(name)
        if value is not None and _is_type(program, value):
            yield name, "module" if isinstance(value, ModuleValue) else "class", ""
    yield from ((name, "class", "") for name in _BUILTINS if name not in told)


def _is_type(program: Program, value: Value) -> bool:
    if isinstance(value, ClassValue):
        return value.kind in _CLASSES
    if isinstance(value, TorchValue):
        found = program.torch.python_object(value.path)
        return isinstance(found, (objects.TorchClass, objects.TorchModule)) and getattr(found, "kind", "") != "module"
    return isinstance(value, (TypingValue, ModuleValue))
