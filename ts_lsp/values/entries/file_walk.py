"""Every definition of a file, nested ones included, and the file's entry points.

Owns `FileWalk`. Invariant: a function body is walked in one execution, with parameters that are not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ts_lsp.values import calls
from ts_lsp.values.bindings import Binding
from ts_lsp.values.definitions import ClassMembers
from ts_lsp.values.entries.arguments import CompileCall
from ts_lsp.values.entries.collector import EntryCollector, EntryNames, replaced_functions
from ts_lsp.values.entries.handing import OpenCalls
from ts_lsp.values.model import ClassValue, FileDefinitions, FunctionValue, InstanceValue, Unit, Value
from ts_lsp.values.scopes import LexicalScope, View

CallsOf = Callable[[LexicalScope], Sequence[CompileCall]]


class _UnitWalk:
    """What stands in one unit of a module, and in the scopes below it."""

    def __init__(self, entries: EntryCollector) -> None:
        self.entries = entries
        self.functions: list[FunctionValue] = []
        self.classes: list[ClassValue] = []

    def collect(
        self,
        module: LexicalScope,
        calls: Sequence[CompileCall],
        definitions: Sequence[Binding],
        calls_of: CallsOf,
    ) -> None:
        """Walk the unit, whose own compile calls and definitions are given, and all scopes below."""
        self.entries.visit(module, calls)
        pending = list(reversed(list(self._definitions(module, definitions))))
        while pending:
            scope, function = pending.pop()
            self.entries.visited.append(scope)
            self.entries.visit(scope, calls_of(scope), function)
            pending.extend(reversed(list(self._definitions(scope, scope.table.definitions()))))

    def _definitions(
        self, scope: LexicalScope, bindings: Iterable[Binding]
    ) -> Iterator[tuple[LexicalScope, FunctionValue | None]]:
        for binding in bindings:
            inner = body_scope(scope, binding)
            own = scope.own_values.get(binding)
            if own is None:
                continue
            self.entries.decorated(own, scope, binding)
            if isinstance(own, ClassValue):
                self.classes.append(own)
            elif isinstance(own, FunctionValue):
                self.functions.append(own)
            if inner is not None:
                yield inner, own if isinstance(own, FunctionValue) else None


class FileWalk:
    """A walk through the scopes of one file, unit by unit: what was found in one that is still there is kept."""

    def __init__(self, names: EntryNames, calls_of: CallsOf) -> None:
        self._names = names
        self._calls_of = calls_of
        self._walks: dict[Unit, _UnitWalk] = {}
        self._module: LexicalScope | None = None

    def collect(self, module: LexicalScope, units: Sequence[Unit]) -> None:
        """Walk all scopes of the module in units that are new."""
        self._module = module
        known, self._walks = self._walks, {}
        replaced = replaced_functions(module)
        calls: dict[Unit, list[CompileCall]] = {}
        for call in self._calls_of(module):
            calls.setdefault(call.placed.unit, []).append(call)
        definitions: dict[Unit, list[Binding]] = {}
        for binding in module.table.definitions():
            definitions.setdefault(binding.unit, []).append(binding)
        for unit in units:
            if unit in known:
                self._walks[unit] = known[unit]
            elif unit.chunk.tree.body:
                walk = self._walks[unit] = _UnitWalk(EntryCollector(self._names, replaced))
                walk.collect(module, calls.get(unit, ()), definitions.get(unit, ()), self._calls_of)

    @property
    def open_calls(self) -> OpenCalls:
        """The compile calls whose functions have to be given what they compile."""
        found: OpenCalls = {}
        for each in self._walks.values():
            found.update(each.entries.open_calls)
        return found

    def finished(self, open_calls: OpenCalls) -> FileDefinitions:
        """What was found, with what reaches the compiler through these open calls."""
        walks = self._walks.values()
        return FileDefinitions(
            sorted((value for each in walks for value in each.functions), key=_place),
            sorted((value for each in walks for value in each.classes), key=_place),
            tuple(self._together().finished(open_calls)),
        )

    def _together(self) -> EntryCollector:
        """The entries of all units as one."""
        whole = EntryCollector(self._names, {})
        whole.visited.extend([self._module] if self._module is not None else [])
        for each in self._walks.values():
            whole.found.extend(each.entries.found)
            whole.script_modules.extend(each.entries.script_modules)
            whole.visited.extend(each.entries.visited)
            whole.open_calls.update(each.entries.open_calls)
        return whole


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
