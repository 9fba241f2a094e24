"""What the name at a place denotes: the foundation of definition and highlight.

Owns `Symbol` and `symbol_at`. Invariant: a symbol is only given where the place stands on a name, inside a definition
that compiles or on its name; what the facts do not show gives none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ts_lsp.ide.cursor import DEFINITIONS, Cursor, children, cursor_at
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.records import dataclass
from ts_lsp.semantic.classes import ClassDefinition
from ts_lsp.semantic.modules import ModuleDefinition, lineage
from ts_lsp.syntax.names import name_range
from ts_lsp.text import Position, Range
from ts_lsp.types.model import ClassType
from ts_lsp.values.bindings import Assigned, Binding, Defined, ImportedModule, ImportedName
from ts_lsp.values.model import ClassValue, FunctionValue, ModuleValue, ScriptedValue, TorchValue, Unit, Value
from ts_lsp.values.scopes import LexicalScope

FunctionDefinition = (ast.FunctionDef, ast.AsyncFunctionDef)
Comprehension = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


@dataclass(frozen=True, slots=True)
class Site:
    """A node that holds a name, and the unit it stands in."""

    unit: Unit
    node: ast.AST

    @property
    def place(self) -> Range | None:
        """The name in its file."""
        found = name_range(self.node, self.unit.chunk.lines)
        return found.moved(self.unit.first_line) if found is not None else None


@dataclass(frozen=True, eq=False)
class Symbol:
    """What a name denotes.

    `kind` is `local`, `parameter`, `global`, `function`, `class`, `attribute` or `torch`. `sites` are where it is
    bound, in order; `around` is the function or comprehension whose own name it is; `value` is the Python value,
    where that is known.
    """

    name: str
    kind: str
    sites: tuple[Site, ...] = ()
    around: ast.AST | None = None
    value: Value | None = None


def symbol_at(snapshot: Snapshot, position: Position) -> tuple[Cursor, Symbol] | None:
    """The symbol whose name stands at a place; None off names and outside scripted code."""
    cursor = cursor_at(snapshot, position)
    if cursor is None or not is_compiled(cursor):
        return None
    place = name_range(cursor.node, cursor.unit.chunk.lines)
    if place is None or not place.touches(cursor.inside):
        return None
    symbol = _denoted(cursor, cursor.node)
    return (cursor, symbol) if symbol is not None else None


def is_compiled(cursor: Cursor) -> bool:
    """Whether the innermost definition around a place compiles."""
    around = next((each for each in cursor.nodes if isinstance(each, DEFINITIONS)), None)
    return around is not None and bool(cursor.snapshot.facts_at(around))


def _denoted(cursor: Cursor, node: ast.AST) -> Symbol | None:
    if isinstance(node, ast.Name):
        return _named(cursor, node.id)
    if isinstance(node, ast.arg):
        return _named(cursor, node.arg)
    if isinstance(node, ast.Attribute):
        return _attribute(cursor, node)
    if isinstance(node, ast.keyword):
        return _keyword(cursor, node)
    if isinstance(node, DEFINITIONS):
        return Symbol(node.name, _definition_kind(node), (Site(cursor.unit, node),))
    return None


def _definition_kind(node: ast.AST) -> str:
    return "class" if isinstance(node, ast.ClassDef) else "function"


# Names.


def _named(cursor: Cursor, name: str) -> Symbol | None:
    for index, node in enumerate(cursor.nodes):
        if isinstance(node, Comprehension) and node.generators[0].iter not in cursor.nodes[:index]:
            bound = tuple(Site(cursor.unit, each) for each in uses_in(node, name) if isinstance(each.ctx, ast.Store))
            if bound:
                return Symbol(name, "local", bound, node)
        if isinstance(node, FunctionDefinition) and not _is_seen_from_outside(cursor, node):
            sites = tuple(Site(cursor.unit, each) for each in bindings_in(node, name))
            if sites:
                kind = "parameter" if isinstance(sites[0].node, ast.arg) else "local"
                return Symbol(name, kind, sites, node)
    scope = cursor.snapshot.workspace.scope(cursor.snapshot.path)
    return _global(cursor, scope, name) if scope is not None else None


def _is_seen_from_outside(cursor: Cursor, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the place is in a decorator, default or annotation, where the function's own names do not count."""
    index = cursor.nodes.index(function)
    below = cursor.nodes[index - 1] if index else function
    return below is not function and below not in function.body and not isinstance(cursor.node, ast.arg)


def bindings_in(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> list[ast.AST]:
    """The parameter and the assigned names of a function that bind a name, in order."""
    found: list[ast.AST] = [each for each in parameters(function) if each.arg == name]
    found.extend(each for each in uses_in(function, name) if isinstance(each.ctx, ast.Store))
    return found


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.arg]:
    """All parameters of a function, as they stand in the text."""
    return (each for each in children(function) if isinstance(each, ast.arg))


def uses_in(around: ast.AST, name: str) -> Iterator[ast.Name]:
    """The names in a function's body, or in a comprehension, that mean its own name, in the order of the tree."""
    if isinstance(around, Comprehension):
        first = around.generators[0].iter
        parts = [each for each in children(around) if each is not first]
    else:
        parts = list(around.body) if isinstance(around, FunctionDefinition) else []
    for part in parts:
        yield from _uses(part, name)


def _uses(node: ast.AST, name: str) -> Iterator[ast.Name]:
    """The names in a node that a comprehension or function inside does not bind anew."""
    if isinstance(node, ast.Name):
        if node.id == name:
            yield node
        return
    if isinstance(node, Comprehension) and any(isinstance(each.ctx, ast.Store) for each in uses_in(node, name)):
        yield from _uses(node.generators[0].iter, name)
        return
    if isinstance(node, FunctionDefinition) and bindings_in(node, name):
        return
    for child in children(node):
        yield from _uses(child, name)


def _global(cursor: Cursor, scope: LexicalScope, name: str) -> Symbol | None:
    value = scope.lookup(name)
    found = _of_value(name, value)
    if found is not None:
        return found
    bindings = scope.bindings(name)
    imported = cursor.snapshot.workspace.imported_from(scope, bindings[-1]) if bindings else None
    if imported is not None and imported[0].bindings(imported[1]):
        scope, origin = imported
        bindings = scope.bindings(origin)
    sites = tuple(site for site in map(_site_of, bindings) if site is not None)
    if sites or value is not None:
        return Symbol(name, "global", sites, value=value)
    return None


def _of_value(name: str, value: Value | None) -> Symbol | None:
    """The symbol of a value that says itself where it is defined."""
    if isinstance(value, ScriptedValue):
        value = value.of
    if isinstance(value, (FunctionValue, ClassValue)) and isinstance(value.node, DEFINITIONS):
        return Symbol(name, _definition_kind(value.node), (Site(value.unit, value.node),), value=value)
    return Symbol(name, "torch", value=value) if isinstance(value, TorchValue) else None


def _site_of(binding: Binding) -> Site | None:
    """Where a binding of a module names what it binds."""
    if isinstance(binding.source, Defined):
        return Site(binding.unit, binding.source.node)
    named = (Assigned, ImportedModule, ImportedName)
    if not isinstance(binding.source, named):
        return None
    for node in ast.walk(binding.unit.chunk.tree):
        if isinstance(binding.source, Assigned):
            if isinstance(node, ast.Assign) and node.value is binding.source.value:
                targets = [each for target in node.targets for each in ast.walk(target)]
            elif isinstance(node, ast.AnnAssign) and node.value is binding.source.value:
                targets = [node.target]
            else:
                continue
            matching = (each for each in targets if isinstance(each, ast.Name) and each.id == binding.name)
            return next((Site(binding.unit, each) for each in matching), None)
        if isinstance(node, ast.alias) and (node.asname or node.name.partition(".")[0]) == binding.name:
            return Site(binding.unit, node)
    return None


# Attributes.


def _attribute(cursor: Cursor, node: ast.Attribute) -> Symbol | None:
    owner = _class_of(cursor, node.value)
    if owner is not None:
        return member_of(owner, node.attr)
    value = _value_of(cursor, node)
    return _of_value(node.attr, value) if value is not None else None


def _value_of(cursor: Cursor, node: ast.expr) -> Value | None:
    """The Python value of a dotted name that starts at a module."""
    if isinstance(node, ast.Name):
        found = _named(cursor, node.id)
        return found.value if found is not None else None
    if isinstance(node, ast.Attribute):
        module = _value_of(cursor, node.value)
        if isinstance(module, ModuleValue):
            return cursor.snapshot.workspace.member(module.name, node.attr)
        if isinstance(module, ClassValue):
            return module.members.get(node.attr)
    return None


def _class_of(cursor: Cursor, node: ast.expr) -> ClassValue | None:
    """The class of the workspace whose object an expression gives."""
    for type_ in cursor.types(node):
        if isinstance(type_, ClassType):
            return class_behind(type_)
    if isinstance(node, ast.Name) and _is_receiver(cursor, node.id):
        around = next((each for each in cursor.nodes if isinstance(each, ast.ClassDef)), None)
        classes = cursor.snapshot.workspace.definitions(cursor.snapshot.path).classes
        return next((each for each in classes if each.node is around), None)
    if isinstance(node, ast.Attribute):
        owner = _class_of(cursor, node.value)
        facts = cursor.snapshot.facts_at(owner.node) if owner is not None and owner.node is not None else ()
        for each in (each for fact in facts for each in fact.attributes if each.name == node.attr):
            if isinstance(each.type, ClassType):
                return class_behind(each.type)
    return None


def _is_receiver(cursor: Cursor, name: str) -> bool:
    """Whether a name is the first parameter of the method around."""
    function = next((each for each in cursor.nodes if isinstance(each, FunctionDefinition)), None)
    first = next(parameters(function), None) if function is not None else None
    return first is not None and first.arg == name and any(isinstance(each, ast.ClassDef) for each in cursor.nodes)


def class_behind(type_: ClassType) -> ClassValue | None:
    """The class of the workspace that a type was made of."""
    definition = type_.definition
    if isinstance(definition, ClassDefinition):
        return definition.value
    if isinstance(definition, ModuleDefinition) and isinstance(definition.object.of, ClassValue):
        return definition.object.of
    return None


def member_of(owner: ClassValue, name: str) -> Symbol | None:
    """A method or attribute of a class: from the nearest class of its lineage that defines it."""
    for each in lineage(owner):
        if not isinstance(each, ClassValue) or each.node is None:
            continue
        sites = tuple(Site(each.unit, node) for node in _defining(each.node, name))
        if sites:
            is_method = isinstance(sites[0].node, FunctionDefinition)
            return Symbol(name, "function" if is_method else "attribute", sites, value=each.members.get(name))
    return None


def _defining(node: ast.ClassDef, name: str) -> Iterator[ast.AST]:
    """Where a class defines a member: in its body, else where methods set it on their object, `__init__` first."""
    in_body = False
    for statement in node.body:
        if isinstance(statement, DEFINITIONS):
            matching: list[ast.AST] = [statement] if statement.name == name else []
        else:
            stored = (each for each in ast.walk(statement) if isinstance(each, ast.Name))
            matching = [each for each in stored if each.id == name and isinstance(each.ctx, ast.Store)]
        in_body = in_body or bool(matching)
        yield from matching
    if in_body:
        return
    methods = [each for each in node.body if isinstance(each, FunctionDefinition)]
    for method in sorted(methods, key=lambda each: each.name != "__init__"):
        receiver = next(parameters(method), None)
        if receiver is not None:
            yield from _assigned_on(method, receiver.arg, name)


def _assigned_on(method: ast.AST, receiver: str, name: str) -> Iterator[ast.Attribute]:
    for each in ast.walk(method):
        if isinstance(each, ast.Attribute) and each.attr == name and isinstance(each.ctx, ast.Store):
            owner = each.value
            if isinstance(owner, ast.Name) and owner.id == receiver:
                yield each


def _keyword(cursor: Cursor, node: ast.keyword) -> Symbol | None:
    """The parameter that a keyword of a call means."""
    call = next((each for each in cursor.nodes if isinstance(each, ast.Call)), None)
    callee = _denoted(cursor, call.func) if call is not None else None
    if callee is None or not callee.sites:
        return None
    unit, definition = callee.sites[0].unit, callee.sites[0].node
    if isinstance(definition, ast.ClassDef) and isinstance(callee.value, ClassValue):
        made = member_of(callee.value, "__init__")
        if made is None:
            return member_of(callee.value, node.arg or "")
        unit, definition = made.sites[0].unit, made.sites[0].node
    if not isinstance(definition, FunctionDefinition):
        return None
    found = next((each for each in parameters(definition) if each.arg == node.arg), None)
    return Symbol(found.arg, "parameter", (Site(unit, found),), definition) if found is not None else None
