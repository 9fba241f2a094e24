"""What the globals that functions change are once everything is imported: registries, settings.

Owns `ModuleStates`: of the statements at the top level of a package only those that may change such a name are
executed, in the order of the imports. Invariant: total and bounded. After a statement that cannot be followed, a
container holds at least what is shown of it, and everything else is unknown.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from ts_lsp.records import dataclass, field
from ts_lsp.syntax.tree import Chunk
from ts_lsp.syntax.walking import walk_statements
from ts_lsp.values.bindings import (
    MUTATORS,
    THROUGH_GLOBAL,
    Assigned,
    AssignedInside,
    BindingTable,
    Opaque,
    Placed,
    Source,
    own_expressions,
)
from ts_lsp.values.calls import Arguments
from ts_lsp.values.evaluation import evaluate
from ts_lsp.values.import_order import import_order
from ts_lsp.values.model import ClassValue, FunctionValue, UnknownValue, Value
from ts_lsp.values.running.construction import LANGUAGE
from ts_lsp.values.running.objects import DictObject, ListObject, PlainObject, Raised
from ts_lsp.values.running.run import Exhausted, Frame, Run, World
from ts_lsp.values.scopes import LexicalScope, View
from ts_lsp.values.surroundings import ModuleSource
from ts_lsp.weakcache import cached_weakly

MOST_STEPS = 1_500_000
_DEFINITIONS = (ast.FunctionDef, ast.ClassDef)
_CHANGEABLE = (Assigned, AssignedInside, Opaque)
_CHANGE = re.compile(rf"\b(\w+)(?:\s*\[|\.(?:{'|'.join(sorted(MUTATORS))})\()")


def changed_names(table: BindingTable) -> frozenset[str]:
    """The names of a module whose values change after they are bound."""
    assigned = {name for name, group in table.bindings.items() if isinstance(group[0].source, _CHANGEABLE)}
    through_global = {name for name in assigned if _is_global_of_function(table.bindings[name][-1].source)}
    texts = [texts_of_changes(placed.unit.chunk) for placed in table.statements]
    shown = {name for name in assigned if any(name in text for text in texts)}
    nodes = _definitions(table).values() if shown else ()
    inside = {name for node in nodes for name in _changed(node)}
    looped = {name for placed in table.statements for name in _changed_by_loop(placed.statement, table)}
    return frozenset(through_global | (shown & inside) | (assigned & (table.mutated | looped)))


def _changed_by_loop(statement: ast.stmt, table: BindingTable) -> Iterator[str]:
    """The names whose objects a loop over several of them changes, such as `for each in (a, b): each.append(1)`."""
    if not (isinstance(statement, ast.For) and isinstance(statement.target, ast.Name)):
        return
    if statement.target.id in _changed(statement):
        looped = [statement.iter]
        if isinstance(statement.iter, ast.Name) and statement.iter.id in table.bindings:
            last = table.bindings[statement.iter.id][-1].source
            looped += [last.value] if isinstance(last, Assigned) else []
        yield from (part.id for each in looped for part in ast.walk(each) if isinstance(part, ast.Name))


def _is_global_of_function(source: Source) -> bool:
    return isinstance(source, AssignedInside) or source == Opaque(THROUGH_GLOBAL)


@cached_weakly
def texts_of_changes(chunk: Chunk) -> frozenset[str]:
    """The words in a text that look like names whose objects are changed: what is not among them need not be parsed."""
    return frozenset(match.group(1) for match in _CHANGE.finditer(chunk.text))


def changing_functions(table: BindingTable, names: frozenset[str]) -> dict[str, frozenset[str]]:
    """The functions and classes of a module that may change some of these names, also through each other, and which."""
    bodies = _definitions(table)
    found = {name: names.intersection(_changed(node)) for name, node in bodies.items()}
    called = {name: _called_names(node) & bodies.keys() for name, node in bodies.items()}
    grew = True
    while grew:
        grew = False
        for name, others in called.items():
            reached = found[name].union(*(found[other] for other in others))
            grew = grew or reached != found[name]
            found[name] = reached
    return {name: changed for name, changed in found.items() if changed}


def _definitions(table: BindingTable) -> dict[str, ast.FunctionDef | ast.ClassDef]:
    nodes = (each.statement for each in table.statements)
    return {node.name: node for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def _changed(node: ast.AST) -> Iterator[str]:
    """The names whose objects a statement changes, and those it declares global."""
    for part in ast.walk(node):
        if isinstance(part, ast.Global):
            yield from part.names
            continue
        owner: ast.expr | None = None
        if isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load):
            owner = part.value
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in MUTATORS:
            owner = part.func.value
        if isinstance(owner, ast.Name):
            yield owner.id


def _called_names(node: ast.AST) -> set[str]:
    return {name for part in ast.walk(node) if isinstance(part, ast.Call) and (name := _last_name(part.func))}


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


class Program(World, Protocol):
    """What must be known of the files of a program and the libraries they import."""

    def given_modules(self) -> Sequence[ModuleSource]: ...

    def importable(self, dotted: str, importing_path: str) -> ModuleSource | None: ...

    def loaded_scope(self, module: ModuleSource, importing_path: str) -> LexicalScope | None: ...


@dataclass(frozen=True, slots=True)
class _Known:
    """The state of a module after the modules at `paths` were imported.

    `words` are the names of what may change it, as a pattern; None where nothing but the module itself can.
    """

    values: Mapping[str, Value]
    paths: tuple[str, ...]
    words: re.Pattern[str] | None


@dataclass(eq=False, slots=True)
class ModuleStates:
    """The states of modules, each worked out when first asked for.

    Those of libraries outlast a change of the program, unless it imports other modules or changes them itself.
    """

    program: Program
    known: dict[str, _Known] = field(default_factory=dict)
    orders: dict[str, list[ModuleSource]] = field(default_factory=dict)
    paths: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def forget(self) -> None:
        """The program has changed."""
        self.orders, self.paths = {}, {}
        given = self.program.given_modules()
        names = {each.name for each in given}
        self.known = {
            key: each
            for key, each in self.known.items()
            if key not in names and not (each.words is not None and any(each.words.search(it.text) for it in given))
        }

    def concerned(self, *texts: str) -> bool:
        """Whether texts of the program may have a say in what is known."""
        names = {each.name for each in self.program.given_modules()}
        for key, each in self.known.items():
            if (key in names and each.values) or (each.words is not None and any(map(each.words.search, texts))):
                return True
        return False

    def holds(self, scope: LexicalScope) -> bool:
        """Whether anything is known of names of the module that functions change."""
        known = self.known.get(scope.key)
        return known is not None and bool(known.values)

    def value(self, scope: LexicalScope, name: str) -> Value | None:
        """What a global that functions change is after all imports; None for other names."""
        known = self.known.get(scope.key)
        if known is None or (known.words is not None and known.paths != self._paths(scope)):
            self.known[scope.key] = _Known({}, (), None)
            known = self.known[scope.key] = self._worked_out(scope)
        return known.values.get(name)

    def _worked_out(self, scope: LexicalScope) -> _Known:
        names = changed_names(scope.table)
        functions = changing_functions(scope.table, names) if names else {}
        if not functions:
            values = state_after_imports(scope, names, functions, [scope], self.program) if names else {}
            return _Known(values, (), None)
        words = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(functions)))})\b")
        importers = self._importers(scope, words)
        return _Known(state_after_imports(scope, names, functions, importers, self.program), self._paths(scope), words)

    def _importers(self, scope: LexicalScope, words: re.Pattern[str]) -> list[LexicalScope]:
        """The modules that mention one of the words, in the order in which the program imports them."""
        given = self.program.given_modules()
        mentioning = (each for each in self._order(scope) if words.search(each.text))
        scopes = (self.program.loaded_scope(each, given[0].path) for each in mentioning)
        found = [each for each in scopes if each is not None]
        return found if scope in found else [scope, *found]

    def _order(self, scope: LexicalScope) -> list[ModuleSource]:
        """What the program imports of itself and of the package of a module, in order."""
        package = scope.key.partition(".")[0]
        if package not in self.orders:
            given = self.program.given_modules()
            packages = frozenset({package, *(each.name.partition(".")[0] for each in given)})
            self.orders[package] = import_order(given, packages, self.program.importable)
        return self.orders[package]

    def _paths(self, scope: LexicalScope) -> tuple[str, ...]:
        package = scope.key.partition(".")[0]
        if package not in self.paths:
            self.paths[package] = tuple(each.path for each in self._order(scope) if each.external)
        return self.paths[package]


def state_after_imports(
    scope: LexicalScope,
    names: frozenset[str],
    functions: Mapping[str, frozenset[str]],
    order: Iterable[LexicalScope],
    world: World,
) -> Mapping[str, Value]:
    """The values of `names` of the module `scope`, after the modules in `order` (itself one of them) ran."""
    run = Run(world, LANGUAGE, otherwise=False, most_decisions=0, most_idle_steps=MOST_STEPS)
    state = _State(scope, names, functions, run)
    for each in order:
        state.import_module(each)
    return {name: run.globals[scope.key, name] for name in names if (scope.key, name) in run.globals}


@dataclass(eq=False, slots=True)
class _State:
    scope: LexicalScope
    names: frozenset[str]
    functions: Mapping[str, frozenset[str]]
    run: Run
    spent: int = 0
    nodes: frozenset[ast.AST] = field(init=False)

    def __post_init__(self) -> None:
        nodes = _definitions(self.scope.table)
        self.nodes = frozenset(node for name, node in nodes.items() if name in self.functions)

    def import_module(self, module: LexicalScope) -> None:
        """Runs what may change the state at the top level of one module."""
        is_own = module is self.scope
        names: dict[str, Value] = {}
        for placed in module.table.statements:
            if placed.path:
                continue
            at = View(module, placed.position, (), placed.unit)
            frame = Frame(self.run, at, placed.unit, names)
            statement = placed.statement
            if isinstance(statement, _DEFINITIONS):
                calls = [each for each in statement.decorator_list if self._changes(each, at)]
                if calls:
                    self._follow(functools.partial(self._decorate, calls, placed, frame), self._changed_by(calls))
                continue
            calls = [each for each in _calls(statement) if self._changes(each, at)]
            changed = self._changed_by(calls) | (self._bound(statement) if is_own else frozenset())
            if changed:
                self._follow(functools.partial(self.run.language.execute, [statement], frame), changed)
                for name in self.names & names.keys() if is_own else ():
                    self.run.globals[self.scope.key, name] = names.pop(name)

    def _bound(self, statement: ast.stmt) -> frozenset[str]:
        names = (part for part in ast.walk(statement) if isinstance(part, ast.Name))
        bound = {part.id for part in names if isinstance(part.ctx, ast.Store)}
        looped = _changed_by_loop(statement, self.scope.table)
        return self.names & {*bound, *_changed(statement), *looped}

    def _changed_by(self, callees: Sequence[ast.expr]) -> frozenset[str]:
        names = (_last_name(each.func if isinstance(each, ast.Call) else each) for each in callees)
        return frozenset().union(*(self.functions[name] for name in names))

    def _changes(self, callee: ast.expr, at: View) -> bool:
        """Whether a decorator or the callee of a call is one of the functions that change the state."""
        if isinstance(callee, ast.Call):
            return self._changes(callee.func, at)
        if _last_name(callee) not in self.functions:
            return False
        value = evaluate(callee, at)
        return isinstance(value, (FunctionValue, ClassValue)) and value.node in self.nodes

    def _decorate(self, decorators: Sequence[ast.expr], placed: Placed, frame: Frame) -> None:
        lexical = frame.parent
        assert isinstance(lexical, View)
        binding = next(each for each in lexical.scope.table.definitions() if each.position == placed.position)
        lexical.scope.value(binding)
        made = lexical.scope.own_values.get(binding) or UnknownValue(binding.name)
        for decorator in reversed(decorators):
            language = self.run.language
            made = language.call(language.evaluate(decorator, frame), Arguments((made,)), frame)

    def _follow(self, run_it: Callable[[], object], names: frozenset[str]) -> None:
        """Runs one statement; what it may have changed is not known where it cannot be followed."""
        self.run.steps = 0
        try:
            if self.spent > MOST_STEPS:
                raise Exhausted
            run_it()
        except (Raised, Exhausted, RecursionError):
            self.run.depth = 0
            self.run.most_decisions = MOST_STEPS  # from now on nothing is certain, but much may still be shown
        self.spent += self.run.steps
        if self.run.most_decisions:
            self._doubt(names)

    def _doubt(self, names: frozenset[str]) -> None:
        for name in names:
            value = self.run.globals.get((self.scope.key, name))
            if isinstance(value, (DictObject, ListObject, PlainObject)):
                value.is_known = False
            elif value is not None:
                self.run.globals[self.scope.key, name] = UnknownValue("changed by code that is not followed")


def _calls(statement: ast.stmt) -> Iterator[ast.expr]:
    """The callees in a statement, bodies of functions left out."""
    for part in walk_statements(statement):
        for expression in own_expressions(part):
            for inner in ast.walk(expression):
                if isinstance(inner, ast.Call):
                    yield inner.func
