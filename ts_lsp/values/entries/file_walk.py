"""Every definition of a file, nested ones included, and the file's entry points.

Owns `FileWalk`. Invariant: a function body is walked in one execution, with parameters that are not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ts_lsp.values import calls
from ts_lsp.values.bindings import Binding
from ts_lsp.values.definitions import ClassMembers
from ts_lsp.values.entries.arguments import CompileCall
from ts_lsp.values.entries.collector import EntryCollector, EntryNames
from ts_lsp.values.entries.handing import OpenCalls
from ts_lsp.values.model import ClassValue, FileDefinitions, FunctionValue, InstanceValue, Value
from ts_lsp.values.scopes import LexicalScope, View

CallsOf = Callable[[LexicalScope], Sequence[CompileCall]]


class FileWalk:
    """A walk through the scopes of one file."""

    def __init__(self, names: EntryNames, calls_of: CallsOf) -> None:
        self._entries = EntryCollector(names, calls_of)
        self._functions: list[FunctionValue] = []
        self._classes: list[ClassValue] = []

    def collect(self, module: LexicalScope) -> None:
        """Walk all scopes of the module."""
        pending: list[tuple[LexicalScope, FunctionValue | None]] = [(module, None)]
        while pending:
            scope, function = pending.pop()
            self._entries.visit(scope, function)
            pending.extend(reversed(list(self._definitions(scope))))

    @property
    def open_calls(self) -> OpenCalls:
        """The compile calls whose functions have to be given what they compile."""
        return self._entries.open_calls

    def finished(self, open_calls: OpenCalls) -> FileDefinitions:
        """What was found, with what reaches the compiler through these open calls."""
        return FileDefinitions(
            sorted(self._functions, key=_place),
            sorted(self._classes, key=_place),
            tuple(self._entries.finished(open_calls)),
        )

    def _definitions(self, scope: LexicalScope) -> Iterator[tuple[LexicalScope, FunctionValue | None]]:
        for binding in scope.table.definitions():
            inner = body_scope(scope, binding)
            own = scope.own_values.get(binding)
            if own is None:
                continue
            self._entries.decorated(own, scope, binding)
            if isinstance(own, ClassValue):
                self._classes.append(own)
            elif isinstance(own, FunctionValue):
                self._functions.append(own)
            if inner is not None:
                yield inner, own if isinstance(own, FunctionValue) else None


def body_scope(scope: LexicalScope, binding: Binding) -> LexicalScope | None:
    """The body of the class or function that a binding defines: for a function, one execution of it."""
    scope.value(binding)
    own = scope.own_values.get(binding)
    if isinstance(own, ClassValue):
        return own.members.body if isinstance(own.members, ClassMembers) else None
    if isinstance(own, FunctionValue):
        at = View(scope, binding.position, binding.path, binding.unit)
        return calls.execution(own, _receiver(own), at)
    return None


def _receiver(function: FunctionValue) -> dict[str, Value]:
    """The first parameter of a method: an object of its class, or the class."""
    signature = function.node.args
    first = next(iter([*signature.posonlyargs, *signature.args]), None)
    if function.owner is None or first is None or "staticmethod" in function.modifiers:
        return {}
    is_class = "classmethod" in function.modifiers
    return {first.arg: function.owner if is_class else InstanceValue(function.owner)}


def _place(value: FunctionValue | ClassValue) -> tuple[int, int]:
    node = value.node
    return (value.unit.first_line + node.lineno, node.col_offset) if node is not None else (0, 0)
