"""What a name, an attribute or a keyword argument denotes, and where that is defined.

Owns `Symbol` and `Resolver`. Invariant: two places denote the same thing exactly if the `key`s of their symbols are
equal; what the source does not show has no symbol.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ts_lsp.ide.cursor import DEFINITIONS, Cursor
from ts_lsp.ide.names import AnyFunction, NameScope, Occurrence, chunk_names, parameters
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.records import dataclass
from ts_lsp.semantic.analysis import Analysis
from ts_lsp.semantic.class_definitions import ClassDefinition
from ts_lsp.semantic.facts import DefinitionFacts
from ts_lsp.semantic.modules import ModuleDefinition, class_member, lineage
from ts_lsp.text import Position, Range, range_of
from ts_lsp.types.model import ClassType, EnumType, InterfaceType, NamedTupleType, OptionalType, Type, UnknownType
from ts_lsp.values.bindings import Defined, ImportedModule
from ts_lsp.values.evaluation import evaluate
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    EnumMemberValue,
    FunctionValue,
    InstanceValue,
    ModuleObject,
    ModuleValue,
    ScriptedValue,
    TorchValue,
    Unit,
    UnknownValue,
    Value,
)
from ts_lsp.values.scopes import END, LexicalScope, View

_OTHER = BuiltinValue("object")
"""Something of a known type that no class of the program is."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place where something is defined: its name and the whole definition, in the file at `path`."""

    path: str
    range: Range
    full: Range


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something that has a name.

    `kind`: `local`, `parameter`, `function`, `class`, `variable` (of a module), `module`, `method`, `attribute`,
    `field`, `member` (of an enum), `torch` or `builtin`. `scope` is where a local or parameter belongs, in `unit`;
    `owner` the class of a member: the topmost that has it.
    """

    kind: str
    name: str
    key: object
    spots: tuple[Spot, ...] = ()
    unit: Unit | None = None
    scope: NameScope | None = None
    owner: ClassValue | None = None


class Resolver:
    """Finds what names denote in the program as it is now, for one question."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.workspace = analysis.workspace
        self._globals: dict[tuple[str, str], Symbol | None] = {}
        self._facts: dict[Unit, list[DefinitionFacts]] | None = None
        self._types: dict[Unit, dict[ast.AST, dict[Type, None]]] = {}

    def symbol(self, unit: Unit, occurrence: Occurrence) -> Symbol | None:
        """What an occurrence in a unit denotes."""
        if occurrence.kind == "name":
            return self._named(unit, occurrence)
        if occurrence.kind in ("attribute", "registered"):
            assert isinstance(occurrence.node, ast.Attribute)
            return self._of_value(self.value(unit, occurrence.node.value, occurrence.inside), occurrence.name)
        if occurrence.kind == "keyword" and isinstance(occurrence.around, ast.Call):
            return self.keyword(unit, occurrence.around, occurrence.name, occurrence.inside)
        if occurrence.kind == "imported" and isinstance(occurrence.node, ast.alias):
            bound = self.of_module(unit.path, occurrence.node.asname or occurrence.name)
            return bound if bound is not None and bound.name == occurrence.name else None
        return None

    def _named(self, unit: Unit, occurrence: Occurrence) -> Symbol | None:
        scope = occurrence.scope
        if scope is None:
            return self.of_module(unit.path, occurrence.name)
        if isinstance(scope.node, ast.ClassDef):
            owner = self.class_of(unit, scope.node)
            return self.member(owner, occurrence.name) if owner is not None else None
        return local_symbol(unit, scope, occurrence.name)

    def _of_value(self, value: Value | None, name: str) -> Symbol | None:
        """What an attribute of a value denotes."""
        if isinstance(value, ModuleValue):
            scope = self.workspace.module_scope(value.name)
            found = self.workspace.member(value.name, name)
            if scope is not None:
                return self._in_scope(scope, name)
            return _outside(found, name) if found is not None else None
        owner = class_behind(value)
        if owner is not None:
            return self.member(owner, name)
        return Symbol("torch", name, ("torch", name)) if value is not None else None

    def of_module(self, path: str, name: str) -> Symbol | None:
        """What a name denotes in a module, imports followed to where the name is defined."""
        scope = self.workspace.scope(path)
        return self._in_scope(scope, name) if scope is not None else None

    def _in_scope(self, scope: LexicalScope, name: str) -> Symbol | None:
        key = scope.module.key, name
        if key not in self._globals:
            self._globals[key] = None  # imports that lead in a circle define nothing
            self._globals[key] = self._find_in_scope(scope, name)
        return self._globals[key]

    def _find_in_scope(self, scope: LexicalScope, name: str) -> Symbol | None:
        bindings = scope.bindings(name)
        if not bindings:
            value = _plain(scope.lookup(name))
            if scope.table.stars and isinstance(value, (FunctionValue, ClassValue)):
                return self.of_module(value.unit.path, value.name)
            return _outside(value, name) if value is not None else Symbol("builtin", name, ("builtin", name))
        last = bindings[-1]
        imported = self.workspace.imported_from(scope, last)
        if imported is not None:
            return self._in_scope(*imported)
        value = _plain(scope.value(last))
        if isinstance(last.source, ImportedModule) or isinstance(value, (TorchValue, ModuleValue)):
            return _outside(value, name)
        units = dict.fromkeys(each.unit for each in bindings)
        spots = [spot for unit in units for spot in _written(unit, name, None)]
        kind = "variable"
        if isinstance(last.source, Defined):
            kind = "class" if isinstance(last.source.node, ast.ClassDef) else "function"
        return Symbol(kind, name, (last.unit.path, name), tuple(spots), last.unit)

    # Members of classes.

    def class_of(self, unit: Unit, node: ast.ClassDef) -> ClassValue | None:
        """The class that a definition makes."""
        scope = self.workspace.scope(unit.path)
        for binding in scope.bindings(node.name) if scope is not None else ():
            if scope is not None and isinstance(binding.source, Defined) and binding.source.node is node:
                made = scope.value(binding)
                value = _plain(scope.own_values.get(binding, made))
                return value if isinstance(value, ClassValue) else None
        classes = self.workspace.definitions(unit.path).classes
        return next((each for each in classes if each.node is node), None)

    def member(self, owner: ClassValue, name: str) -> Symbol | None:
        """A member that objects of a class have, known by the topmost class that has it; None if none shows it."""
        found = [(each, spots) for each in program_classes(owner) if (spots := self.member_spots(each, name))]
        if not found:
            has_unknown_base = any(
                isinstance(base, UnknownValue) for each in program_classes(owner) for base in each.bases
            )
            return None if has_unknown_base else Symbol("torch", name, ("torch", name))
        root = found[-1][0]
        value = class_member(owner, name)
        kind = "method" if isinstance(value, FunctionValue) else "attribute"
        if owner.kind == "enum" and kind == "attribute":
            kind = "member"
        elif any(each.name == name for each in owner.fields) and owner.kind in ("namedtuple", "dataclass"):
            kind = "field"
        return Symbol(kind, name, (root.node, name), tuple(found[0][1]), root.unit, None, root)

    def member_spots(self, owner: ClassValue, name: str) -> list[Spot]:
        """Where a class itself defines a member: in its body, or by assignment in its methods."""
        node = owner.node
        if node is None:
            return []
        found = []
        for each in chunk_names(owner.unit.chunk).of(name, "name", "attribute", "registered"):
            if not each.is_write:
                continue
            if each.kind == "name":
                is_own = each.scope is not None and each.scope.node is node
            else:
                assert isinstance(each.node, ast.Attribute)
                is_own = self_class(each.node.value, each.inside) is node
            if is_own:
                found.append(_spot(owner.unit, each))
        return found

    # Values of expressions.

    def value(self, unit: Unit, node: ast.expr, inside: NameScope) -> Value | None:
        """What an expression denotes: a class, function or module, or an object of a class; None if not known."""
        known = self._typed(unit, node)
        if known is not None:
            return known
        if isinstance(node, ast.Name):
            around = self_class(node, inside)
            if around is not None:
                own = self.class_of(unit, around)
                return InstanceValue(own) if own is not None else None
            return self.python_value(unit, node, inside)
        if isinstance(node, ast.Attribute):
            return self._attribute_value(self.value(unit, node.value, inside), node.attr)
        if isinstance(node, ast.Call):
            called = self.value(unit, node.func, inside)
            return InstanceValue(called) if isinstance(called, ClassValue) else None
        return _OTHER if isinstance(node, (ast.Constant, ast.JoinedStr, ast.List, ast.Dict, ast.Set)) else None

    def python_value(self, unit: Unit, node: ast.expr, inside: NameScope) -> Value | None:
        """What a name that the function itself does not bind denotes to Python, or an attribute of such; else None."""
        if isinstance(node, ast.Attribute):
            value = self.python_value(unit, node.value, inside)
            if isinstance(value, TorchValue):
                return _plain(self.workspace.torch_attribute(value.path, node.attr))
            return self._attribute_value(value, node.attr) if value is not None else None
        if not isinstance(node, ast.Name):
            return None
        owner = inside.owner_of(node.id)
        if owner is None:
            scope = self.workspace.scope(unit.path)
            return _plain(scope.lookup(node.id)) if scope is not None else None
        return self._closed_over(unit, node, inside, owner)

    def _closed_over(self, unit: Unit, node: ast.Name, inside: NameScope, owner: NameScope) -> Value | None:
        """What a name of a function around denotes."""
        scope: NameScope | None = inside
        while scope is not None and not isinstance(scope.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            scope = None if scope is owner else scope.parent
        if scope is None or scope is owner:
            return None
        functions = self.workspace.definitions(unit.path).functions
        at = next((each.scope for each in functions if each.node is scope.node), None)
        if isinstance(at, LexicalScope):
            at = View(at, END, (), unit)
        return _plain(evaluate(node, at)) if isinstance(at, View) else None

    def _attribute_value(self, value: Value | None, name: str) -> Value | None:
        if isinstance(value, ModuleValue):
            return _plain(self.workspace.member(value.name, name))
        owner = class_behind(value)
        if owner is None:
            return None
        return _plain(class_member(owner, name)) or self._compiled_attribute(owner, name)

    def _compiled_attribute(self, owner: ClassValue, name: str) -> Value | None:
        """An attribute that objects of a class have in compiled code, where all of them agree on its class."""
        program = self.analysis.program
        found: set[ClassValue | None] = set()
        for module in program.module_definitions.values():
            if module.value is owner and name in module.submodules:
                below = module.submodules[name]
                found.add(below.value if isinstance(below, ModuleDefinition) else None)
            elif module.value is owner and name in module.attributes:
                found.add(self.class_of_type(module.attributes[name]))
        script_class = program.classes.get(owner)
        if script_class is not None and name in script_class.attributes:
            found.add(self.class_of_type(script_class.attributes[name]))
        only = next(iter(found)) if len(found) == 1 else None
        return InstanceValue(only) if only is not None else _OTHER if found == {None} else None

    def _typed(self, unit: Unit, node: ast.AST) -> Value | None:
        """An object of the type that checking found for a node."""
        if unit not in self._types:
            if self._facts is None:
                self._facts = {}
                for facts in self.analysis.program.facts():
                    self._facts.setdefault(facts.unit, []).append(facts)
            types = self._types[unit] = {}
            for each in (each for facts in self._facts.get(unit, ()) for each in facts.typed):
                if each.role in ("self", "module"):
                    types.setdefault(each.node, {})[each.type] = None
        found = [each for each in self._types[unit].get(node, ()) if not isinstance(each, UnknownType)]
        if not found:
            return None
        owners = [self.class_of_type(each) for each in found]
        if None in owners:
            return _OTHER if len(set(owners)) == 1 else None
        shared = _shared_class([each for each in owners if each is not None])
        return InstanceValue(shared) if shared is not None else None

    def class_of_type(self, type_: Type) -> ClassValue | None:
        """The class of the program that a type stands for."""
        if isinstance(type_, OptionalType):
            return self.class_of_type(type_.element)
        if isinstance(type_, ClassType):
            definition = type_.definition
            if isinstance(definition, ClassDefinition):
                return definition.value
            return definition.value if isinstance(definition, ModuleDefinition) else None
        program = self.analysis.program
        if isinstance(type_, EnumType):
            return next((value for value, each in program.enums.items() if each == type_), None)
        if isinstance(type_, NamedTupleType):
            return next((value for value, each in program.named_tuples.items() if each == type_), None)
        if isinstance(type_, InterfaceType):
            return next((value for value, each in program.interfaces.items() if each == type_), None)
        return None

    def callee(self, unit: Unit, call: ast.Call, inside: NameScope) -> Value | None:
        """The function that a call calls, or the class that it makes an object of."""
        found = self.value(unit, call.func, inside)
        owner = class_behind(found)
        if owner is None or found is owner:
            return found
        member = class_member(owner, "forward" if owner.kind in ("module", "script_module") else "__call__")
        return _plain(member)

    def keyword(self, unit: Unit, call: ast.Call, name: str, inside: NameScope) -> Symbol | None:
        """The parameter or field that a keyword argument of a call gives."""
        called = self.callee(unit, call, inside)
        if isinstance(called, ClassValue):
            init = class_member(called, "__init__")
            if not isinstance(init, FunctionValue):
                return self.member(called, name)
            called = init
        if isinstance(called, FunctionValue):
            return self.parameter(called, name)
        return Symbol("torch", name, ("torch", name)) if called is not None else None

    def parameter(self, function: FunctionValue, name: str) -> Symbol | None:
        """A parameter of a function of the program."""
        for each in chunk_names(function.unit.chunk).of(name, "name"):
            if each.scope is not None and each.scope.node is function.node:
                return local_symbol(function.unit, each.scope, name)
        return None


def occurrence_at(snapshot: Snapshot, position: Position) -> tuple[Unit, Occurrence] | None:
    """The name that stands at a place of a file."""
    unit = snapshot.unit_at(position.line)
    if unit is None:
        return None
    found = chunk_names(unit.chunk).at(Position(position.line - unit.first_line, position.column))
    return (unit, found) if found is not None else None


def is_scripted(snapshot: Snapshot, position: Position) -> bool:
    """Whether a place stands in something that compiles; the rest is plain Python, of which nothing is told."""
    unit = snapshot.unit_at(position.line)
    if unit is None:
        return False
    line = position.line - unit.first_line + 1
    program = snapshot.analysis.program
    own = (facts.node for facts in snapshot.facts.definitions if facts.unit is unit)
    used = (each.node for table in (program.enums, program.named_tuples) for each in table if each.unit is unit)
    return any(_holds(node, line) for node in (*own, *used))


def _holds(node: ast.AST | None, line: int) -> bool:
    """Whether a definition, decorators included, stands on a 1-based line among others."""
    if not isinstance(node, (*DEFINITIONS, ast.Lambda)):
        return False
    decorators = node.decorator_list if isinstance(node, DEFINITIONS) else []
    first = min([node.lineno, *(each.lineno for each in decorators)])
    return first <= line <= (node.end_lineno or first)


def symbol_at(snapshot: Snapshot, position: Position, resolver: Resolver | None = None) -> Symbol | None:
    """What a place in scripted code denotes."""
    found = occurrence_at(snapshot, position)
    if found is None or not is_scripted(snapshot, position):
        return None
    return (resolver or Resolver(snapshot.analysis)).symbol(*found)


def python_value_at(cursor: Cursor, node: ast.AST) -> Value | None:
    """What an expression around a cursor denotes to Python: see `Resolver.python_value`."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name) or not isinstance(node, ast.expr):
        return None
    start = range_of(root, cursor.unit.chunk.lines).start
    named = (each for each in chunk_names(cursor.unit.chunk).by_line.get(start.line, ()) if each.node is root)
    occurrence = next(named, None)
    if occurrence is None:
        return None
    return Resolver(cursor.snapshot.analysis).python_value(cursor.unit, node, occurrence.inside)


def local_symbol(unit: Unit, scope: NameScope, name: str) -> Symbol:
    """A name of a function or comprehension, with the places that bind it."""
    node = scope.node
    is_parameter = isinstance(node, _FUNCTIONS) and any(each.arg == name for each in parameters(node))
    kind = "parameter" if is_parameter else "local"
    return Symbol(kind, name, (scope, name), tuple(_written(unit, name, scope)), unit, scope)


def in_file(unit: Unit, occurrence: Occurrence) -> Range:
    """Where an occurrence stands in its file."""
    return occurrence.range.moved(unit.first_line)


def self_class(node: ast.expr, inside: NameScope) -> ast.ClassDef | None:
    """The class whose object an expression is because it is the first parameter of a method."""
    scope = inside.owner_of(node.id) if isinstance(node, ast.Name) else None
    if scope is None or scope.parent is None or not isinstance(scope.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    around, first = scope.parent.node, _first_parameter(scope.node)
    assert isinstance(node, ast.Name)
    return around if isinstance(around, ast.ClassDef) and first == node.id else None


def _first_parameter(node: AnyFunction) -> str | None:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(
        isinstance(each, ast.Name) and each.id == "staticmethod" for each in node.decorator_list
    ):
        return None
    ordinary = [*node.args.posonlyargs, *node.args.args]
    return ordinary[0].arg if ordinary else None


def class_behind(value: Value | None) -> ClassValue | None:
    """The class of the program that a value is, or is an object of."""
    if isinstance(value, EnumMemberValue):
        return value.owner
    if isinstance(value, (InstanceValue, ModuleObject)):
        value = value.of
    return value if isinstance(value, ClassValue) else None


def _plain(value: Value | None) -> Value | None:
    """A value without what compiling wraps around it; None for what the source does not show."""
    while isinstance(value, ScriptedValue):
        value = value.of
    return None if isinstance(value, UnknownValue) else value


def _outside(value: Value | None, name: str) -> Symbol:
    """A symbol that no text of the program defines."""
    if isinstance(value, TorchValue):
        return Symbol("torch", name, ("torch", value.path))
    if isinstance(value, ModuleValue):
        return Symbol("module", name, ("module", value.name))
    return Symbol("builtin", name, ("builtin", name))


def program_classes(owner: ClassValue) -> Iterator[ClassValue]:
    """A class and its bases that the program defines, the nearest first."""
    return (each for each in lineage(owner) if isinstance(each, ClassValue))


def _shared_class(owners: Sequence[ClassValue]) -> ClassValue | None:
    """The nearest class of the program that all of these are or derive from."""
    families = [set(program_classes(each)) for each in owners[1:]]
    return next((each for each in program_classes(owners[0]) if all(each in family for family in families)), None)


def _written(unit: Unit, name: str, scope: NameScope | None) -> Iterator[Spot]:
    """Where a scope binds a name."""
    for each in chunk_names(unit.chunk).of(name, "name"):
        if each.is_write and each.scope is scope:
            yield _spot(unit, each)


def _spot(unit: Unit, occurrence: Occurrence) -> Spot:
    name = in_file(unit, occurrence)
    return Spot(unit.path, name, full_range(unit, occurrence))


def full_range(unit: Unit, occurrence: Occurrence) -> Range:
    """Where the node around a name stands in its file, or the name itself where that is beside it."""
    name = in_file(unit, occurrence)
    if not hasattr(occurrence.node, "lineno"):
        return name
    full = range_of(occurrence.node, unit.chunk.lines).moved(unit.first_line)
    return full if full.start <= name.start and name.end <= full.end else name
