"""Everything compiled so far.

Owns the tables from Python functions and classes to what compiling them came to, and the order in which a class
compiles.
Invariant: each definition is checked once; one that is still being checked is recursion.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, Union

from ts_lsp.records import dataclass, field
from ts_lsp.semantic import dataclass_methods, enums, functions, module_compilation, modules
from ts_lsp.semantic.class_definitions import ClassDefinition, ContextDefinition
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.custom_classes import CustomDefinition
from ts_lsp.semantic.facts import DefinitionFacts, Finding, Place, Related
from ts_lsp.semantic.functions import Compiled
from ts_lsp.semantic.modules import ModuleDefinition, members_of
from ts_lsp.semantic.overloads import Matched
from ts_lsp.semantic.reach import Reach
from ts_lsp.syntax.parser import beyond_parsing
from ts_lsp.syntax.subset import Refusal, class_refusals, refusals
from ts_lsp.syntax.tree import Chunk, SyntaxProblem
from ts_lsp.syntax.walking import walk_statements
from ts_lsp.torchdata import objects
from ts_lsp.torchdata.loader import TorchData
from ts_lsp.types.model import NONE, ClassType, EnumType, InterfaceType, NamedTupleType
from ts_lsp.types.schema import Schema
from ts_lsp.values.inheritance import is_object
from ts_lsp.values.model import (
    ClassValue,
    FunctionValue,
    ModuleObject,
    ModuleTable,
    Site,
    Unit,
    Value,
)
from ts_lsp.weakcache import cached_weakly

if TYPE_CHECKING:
    from ts_lsp.semantic.probing import Probe

MAXIMUM_CHAIN = 60
"""Longer chains of functions compiling one another are left unknown."""


AnyThing = TypeVar("AnyThing")
Owner = Union[ClassDefinition, ModuleDefinition]
"""What a method belongs to while it compiles."""


class _NoScope:
    """A scope without names."""

    def lookup(self, name: str) -> Value | None:
        return None

    def lookup_global(self, name: str) -> Value | None:
        return None


NO_SCOPE = _NoScope()
NO_UNIT = Unit("", "", Chunk("", ast.Module([], [])), 0)


@dataclass(frozen=True)
class Fault:
    """A fault of our own while a definition was checked."""

    qualname: str
    path: str
    error: Exception


@dataclass(eq=False)
class Program:
    """One torch version, one Python world, and what was compiled in it."""

    torch: TorchData
    modules: ModuleTable
    functions: dict[tuple[FunctionValue, Owner | None, FunctionValue | None], Compiled] = field(default_factory=dict)
    module_definitions: dict[ModuleObject, ModuleDefinition] = field(default_factory=dict)
    module_types: dict[str, list[tuple[object, ClassType]]] = field(default_factory=dict)
    classes: dict[ClassValue, ClassDefinition] = field(default_factory=dict)
    enums: dict[ClassValue, EnumType] = field(default_factory=dict)
    refused_enums: dict[ClassValue, Finding] = field(default_factory=dict)
    named_tuples: dict[ClassValue, NamedTupleType] = field(default_factory=dict)
    class_names: dict[tuple[str, str, str], ClassDefinition] = field(default_factory=dict)
    """The class that a call by name makes: the file, the qualified name, and the function that holds the class."""
    named_tuple_names: dict[tuple[str, str, str], NamedTupleType] = field(default_factory=dict)
    """What the compiler keeps by name: the file, the qualified name, and the function that holds the class."""
    interfaces: dict[ClassValue, InterfaceType] = field(default_factory=dict)
    contexts: dict[str, ContextDefinition] = field(default_factory=dict)
    custom: dict[str, CustomDefinition | None] = field(default_factory=dict)
    uncompilable: dict[ClassValue, bool] = field(default_factory=dict)
    explicit_classes: set[ClassValue] = field(default_factory=set)
    """Classes that the program hands to the compiler itself: only so does a dataclass compile."""
    refused: dict[tuple[ast.AST, bool], tuple[Refusal, ...]] = field(default_factory=dict)
    matched: Matched = field(default_factory=dict)
    refused_entries: dict[ast.AST, DefinitionFacts] = field(default_factory=dict)
    """Entry points refused before any text is read."""
    questions_of_order: int = 0
    """How often something was asked for whose answer depends on what compiled before."""
    has_namesakes: bool = False
    """Whether several classes share a name, so that it counts which of them compiled first."""
    depth: int = 0
    is_apart: bool = False
    shown: set[str] = field(default_factory=set)
    """The files whose findings somebody asks for."""
    cut_short: set[str] = field(default_factory=set)
    """Other files of the environment, of whose definitions only the first mistake was looked for."""
    faults: list[Fault] = field(default_factory=list)
    reach: Reach = field(default_factory=Reach)
    probe: Probe | None = None
    """Who wants to see expressions evaluated; then what compiles is only tried, and leaves nothing behind."""

    def escaping(self, unit: Unit) -> frozenset[str]:
        """The names that a chunk hands to calls made for their effect."""
        return _escaping_names(unit.chunk)

    def python_refusals(self, value: FunctionValue) -> list[SyntaxProblem]:
        """What Python itself refuses in a definition though it parses: its file cannot be imported."""
        last = value.node.end_lineno or value.node.lineno
        found = beyond_parsing(value.unit.chunk)
        return [problem for problem in found if value.node.lineno - 1 <= problem.range.line < last]

    def refusals(self, value: FunctionValue, is_method: bool) -> tuple[Refusal, ...]:
        """What the conversion of a definition refuses, the compiler's first refusal first."""
        key = (value.node, is_method)
        if key not in self.refused:
            unused = "unused" in value.modifiers
            found = refusals(value.node, value.unit.chunk, is_method=is_method, is_unused=unused)
            self.refused[key] = found
        return self.refused[key]

    def forget_text(self, node: ast.AST) -> None:
        """A definition has another tree now."""
        for is_method in (False, True):
            self.refused.pop((node, is_method), None)

    def apart(self) -> Program:
        """A program that knows nothing yet: what compiles there leaves no trace here, and none in one made by it."""
        if self.is_apart:
            return self
        return Program(
            self.torch,
            self.modules,
            explicit_classes=self.explicit_classes,
            depth=self.depth + 1,
            is_apart=True,
            reach=self.reach.apart(),
            matched=self.matched,
        )

    def context_of(self, value: FunctionValue, owner: Owner | None = None) -> FunctionContext:
        """A fresh context for a function."""
        wrapped = "wrapped" in value.modifiers and not isinstance(owner, ClassDefinition)
        scope = value.wrapper_scope if wrapped and value.wrapper_scope is not None else value.scope
        context = FunctionContext(self, value, value.unit, scope, value.qualname, owner=owner)
        context.in_init = owner is not None and value.name == "__init__"
        return context

    def compiled(self, value: FunctionValue, owner: Owner | None = None) -> Compiled | None:
        """What is known of a function without compiling it."""
        return self.functions.get((value, owner, None))

    def define_module(self, value: ModuleObject, recorded: objects.ModuleFacts | None = None) -> ModuleDefinition:
        """The type of a module instance; `recorded` is what is known of a part of one of torch's own modules."""
        return module_compilation.define(self, value, recorded)

    def compile_module(self, value: ModuleObject) -> ModuleDefinition:
        """Compile a module instance with everything below it."""
        return module_compilation.compile_root(self, self.define_module(value))

    def first_of_namesakes(self, first: AnyThing) -> AnyThing:
        """What the compiler keeps under the name of several classes, which is the one it met first."""
        self.questions_of_order += 1
        self.has_namesakes = True
        return first

    def module_types_so_far(self, qualname: str) -> list[tuple[object, ClassType]] | None:
        """The types that modules of one class have by now."""
        self.questions_of_order += 1
        return self.module_types.get(qualname)

    def module_type(self, definition: ModuleDefinition) -> ClassType:
        """The type a module shares with equal instances."""
        return module_compilation.type_of(self, definition)

    def module_schemas(self, definition: ModuleDefinition) -> dict[str, Schema]:
        """The schemas of a module's compiled methods."""
        return module_compilation.method_schemas(self, definition)

    def forward_schemas(self, definition: ModuleDefinition) -> tuple[Schema, ...]:
        """What calling a module may match."""
        return module_compilation.forward_schemas(self, definition)

    def class_context(self, value: ClassValue) -> FunctionContext:
        """A context for what is reported at a class itself."""
        return FunctionContext(self, _class_function(value), value.unit, value.scope, value.qualname)

    def blank_context(self, name: str) -> FunctionContext:
        """A context for what has no text, such as the classes of torch."""
        return self.class_context(ClassValue(name, name, NO_UNIT.site(None), NO_SCOPE, "module"))

    def compile_function(self, value: FunctionValue, owner: Owner | None = None) -> Compiled:
        """Compile a function, or a method of `owner`, once."""
        return self._compile(value, owner, None)

    def compile_overload(
        self, value: FunctionValue, declaration: FunctionValue, owner: Owner | None = None
    ) -> Compiled:
        """Compile a function or method under the signature of one of its overload declarations."""
        return self._compile(value, owner, declaration)

    def _compile(self, value: FunctionValue, owner: Owner | None, declaration: FunctionValue | None) -> Compiled:
        key = (value, owner, declaration)
        known = self.functions.get(key)
        if known is not None:
            self.reach.note(known)
            return known
        compiled = Compiled(value, owner, declaration, self.is_apart)
        self.functions[key] = compiled
        self.reach.read(value.site, compiled)
        if declaration is not None:
            self.reach.read(declaration.site, compiled)
        if isinstance(owner, ModuleDefinition):
            compiled.unfinished = owner.unfinished
        if isinstance(owner, ModuleDefinition) and declaration is None and _is_method(value) and self.probe is None:
            owner.remember(value.name, compiled)
        if self.depth >= MAXIMUM_CHAIN:
            compiled.running, compiled.saw_unknown = False, True
            return compiled
        self._check(compiled)
        return compiled

    def _check(self, compiled: Compiled) -> None:
        value, owner, declaration = compiled.value, compiled.owner, compiled.declaration
        self.depth += 1
        try:
            with self.reach.within(compiled):
                if isinstance(owner, ModuleDefinition):
                    self.reach.note_glance(("module", owner))
                functions.check_function(self, value, compiled, owner, declaration)
                if isinstance(owner, ClassDefinition) and value.unit.path == dataclass_methods.GENERATED:
                    self._tell_at_class(owner, compiled)
        except Exception as fault:  # a fault costs this definition its facts and nothing else
            compiled.running, compiled.saw_unknown = False, True
            compiled.unknown_reason = f"internal fault: {fault!r}"
            if not isinstance(fault, RecursionError):
                self.faults.append(Fault(value.qualname, value.unit.path, fault))
        finally:
            self.depth -= 1

    def _tell_at_class(self, owner: ClassDefinition, compiled: Compiled) -> None:
        """A mistake in a method that nobody wrote is one of its class."""
        if compiled.failure is None or compiled.failure_unit is not compiled.value.unit:
            return
        context = self.class_context(owner.value)
        dataclass_methods.failure_at_class(context, owner.value, compiled.value, compiled.failure)
        told = [(each.code, each.place) for each in owner.findings]
        owner.findings.extend(each for each in context.findings if (each.code, each.place) not in told)
        compiled.failure, compiled.failure_unit = context.failure, context.failure_unit

    def recheck(self, compiled: Compiled) -> bool:
        """Compile one definition again, after an edit in its body; whether that can stand without all the rest.

        It cannot where the definition needs what needs it, names other classes than before, or asks what compiled
        before it.
        """
        before = self.reach.needs.get(compiled, {}).keys()
        questions = self.questions_of_order
        self.reach.forget([compiled])
        compiled.begin_again(has_same_header=True)
        owner = compiled.owner
        if isinstance(owner, ModuleDefinition):
            state, unfinished = owner.state, owner.unfinished
            owner.state, owner.unfinished = "running", compiled.unfinished
            self._check(compiled)
            owner.state, owner.unfinished = state, unfinished
        elif isinstance(owner, ClassDefinition):
            class_state, failure = owner.state, owner.failure
            owner.state, owner.failure = "running", None
            self._check(compiled)
            owner.state, owner.failure = class_state, failure
        else:
            self._check(compiled)
        after = self.reach.needs.get(compiled, {}).keys()
        if self.questions_of_order > questions or any(not isinstance(each, Compiled) for each in before ^ after):
            return False
        return (before | after).isdisjoint(self.reach.concerned([compiled]) - {compiled})

    def drop(self, things: Iterable[object]) -> None:
        """What is to compile again, or to be worked out again, when it is next asked for."""
        things = self._with_sharers(set(things))
        self.reach.forget(things)
        for each in things:
            if isinstance(each, Compiled):
                self._drop_compiled(each)
            elif isinstance(each, ModuleDefinition):
                each.begin_again()
            elif isinstance(each, ClassDefinition):
                self._drop_class(each, things)
            elif isinstance(each, tuple) and each[0] == "module":
                self._drop_module(each[1])
            elif isinstance(each, tuple):
                for question, table in self._answers:
                    if question == each[0]:
                        table.pop(each[1], None)

    def _with_sharers(self, things: set[object]) -> set[object]:
        """With the modules that have their type from one of these."""
        if not any(isinstance(each, tuple) and each[0] == "module" for each in things):
            return things
        every = self.module_definitions.values()
        sharing = [("module", each) for each in every if ("module", each.type.definition) in things]
        return things | self.reach.concerned(each for each in sharing if each not in things)

    def _drop_class(self, definition: ClassDefinition, things: set[object]) -> None:
        init = definition.methods.get("__init__")
        definition.begin_again(init is None or self.functions.get((init, definition, None)) in things)
        if _is_outdated(definition.value):
            self._forget_class(definition)

    def _forget_class(self, definition: ClassDefinition) -> None:
        self.classes.pop(definition.value, None)
        self.class_names = {key: each for key, each in self.class_names.items() if each is not definition}

    def _drop_module(self, definition: ModuleDefinition) -> None:
        self.module_definitions.pop(definition.object, None)
        name = modules.plain_name(definition)
        known = self.module_types.get(name)
        if known is not None:
            known[:] = [each for each in known if each[1].definition is not definition]
            if not known:
                del self.module_types[name]

    def drop_outdated(self) -> None:
        """Forget what compiled of texts that are not those of the program any more, and all that rests on it."""
        outdated: list[object] = [each for each in self.functions.values() if _is_outdated(each.value)]
        outdated += [each for each in self.classes.values() if _is_outdated(each.value)]
        for question, table in self._answers:
            outdated += [(question, value) for value in table if _is_outdated(value)]
        outdated += [("module", each) for each in self.module_definitions.values() if _is_outdated(each.object.of)]
        paths = {each.unit.path for each in self.named_tuples if _is_outdated(each)}
        names = self.named_tuple_names
        self.named_tuple_names = {key: type_ for key, type_ in names.items() if key[0] not in paths}
        self.refused.clear()
        self.drop(self.reach.concerned(outdated))

    @property
    def _answers(self) -> Sequence[tuple[str, dict[ClassValue, Any]]]:
        """The tables of what is worked out once for a class, by the word that stands for it in `reach`."""
        return (
            ("enum", self.enums),
            ("enum", self.refused_enums),
            ("named tuple", self.named_tuples),
            ("interface", self.interfaces),
            ("uncompilable", self.uncompilable),
        )

    def keep(self, live: Container[object]) -> None:
        """Forget what compiled once and is not needed any more."""
        self.drop(each for each in list(self.functions.values()) if each not in live)
        for definition in [each for each in self.classes.values() if each not in live]:
            self.reach.forget([definition])
            self._forget_class(definition)
        for question, table in self._answers:
            for value in [value for value in table if (question, value) not in live]:
                self.reach.forget([(question, value)])
                del table[value]
        needed = {each for each in self.module_definitions.values() if ("module", each) in live}
        needed |= {each.type.definition for each in needed if isinstance(each.type.definition, ModuleDefinition)}
        for each in [each for each in self.module_definitions.values() if each not in needed]:
            self.reach.forget([each, ("module", each)])
            self._drop_module(each)

    def drop_orphans(self, live: Container[object]) -> bool:
        """Forget the modules that share their type with one that is not needed any more; whether there are any.

        Calls through the type would compile methods of that one.
        """
        every = self.module_definitions.values()
        needed = [("module", each) for each in every if each.value is not None and ("module", each) in live]
        orphans = [each for each in needed if ("module", each[1].type.definition) not in live]
        if orphans:
            self.drop(self.reach.concerned([*orphans, *(("module", each[1].type.definition) for each in orphans)]))
        return bool(orphans)

    def _drop_compiled(self, compiled: Compiled) -> None:
        self.functions.pop((compiled.value, compiled.owner, compiled.declaration), None)
        self.reach.users.pop(compiled, None)
        for value in (compiled.value, compiled.declaration):
            if value is not None:
                self.reach.unread(value.site, compiled)
        if isinstance(compiled.owner, ModuleDefinition):
            methods = compiled.owner.canonical.methods
            for name in [name for name, each in methods.items() if each is compiled]:
                del methods[name]

    def definition_place(self, compiled: Compiled) -> Related:
        """Where a called function is defined, for the findings of its callers."""
        facts = compiled.facts
        assert facts is not None
        context = self.context_of(compiled.value)
        return Related("definition", Place(facts.unit, context.place(facts.node)), {"name": compiled.value.name})

    def stops_early(self, unit: Unit) -> bool:
        """Whether a definition is checked for its callers' sake only: one of a library, whose findings nobody sees."""
        if unit.path in self.shown or not self.modules.is_external(unit.path):
            return False
        self.cut_short.add(unit.path)
        return True

    def is_uncompilable(self, value: ClassValue) -> bool:
        """Whether a class would not compile; it is tried where it leaves no trace."""
        self.reach.answered("uncompilable", value)
        if value not in self.uncompilable:
            with self.reach.once("uncompilable", value):
                tried = self.define_class(value) if value in self.classes else self.apart().define_class(value)
                self.uncompilable[value] = tried.failure is not None
        return self.uncompilable[value]

    def define_class(self, value: ClassValue) -> ClassDefinition:
        """Compile a class as a script class, once; while it compiles its own definition is already there."""
        known = self.classes.get(value)
        if known is not None and known.state != "stale":
            self.reach.note(known)
            return known
        definition = known or ClassDefinition(value, self)
        self.classes[value] = definition
        definition.state = "running"
        _collect_members(definition)
        with self.reach.within(definition):
            self._check_class(definition)
        definition.state = "done"
        return definition

    def is_scripted(self, value: ClassValue) -> bool:
        """Whether the program hands a class to the compiler itself."""
        return "script" in value.modifiers or value in self.explicit_classes

    def _check_class(self, definition: ClassDefinition) -> None:
        value = definition.value
        context = FunctionContext(self, _class_function(value), value.unit, value.scope, value.qualname)
        is_enum = value.kind == "enum"
        if "script" in value.modifiers and value.node is not None and has_foreign_base(value) and not is_enum:
            context.report("class-inheritance", value.node, name=value.name)
        if value.kind == "dataclass":
            dataclass_methods.define(definition, context, self.is_scripted(value))
        self._check_routines(definition, context)
        if value.node is not None:
            compiled = (*definition.methods, *definition.properties) if is_enum else None
            for refusal in class_refusals(value.node, value.unit.chunk, compiled):
                context.report(refusal.code, refusal.node, place=refusal.place, details=refusal.data)
        self._fail(definition, context.failure, context)
        definition.findings.extend(each for each in context.findings if not _in_method(value, each))
        order = [*(["__init__"] if "__init__" in definition.methods else [])]
        order.extend(sorted(definition.properties))
        order.extend(sorted(name for name in definition.methods if name != "__init__"))
        stops_early = self.stops_early(value.unit)
        for name in order:
            if stops_early and definition.failure is not None:
                break
            self._compile_member(definition, name)

    def _check_routines(self, definition: ClassDefinition, context: FunctionContext) -> None:
        """Of a class that compiles because it is mentioned, torch reads the text of every function in its body."""
        if definition.value.kind == "enum" or self.is_scripted(definition.value):
            return
        for member in definition.value.members.values():
            if isinstance(member, FunctionValue) and not isinstance(member.node, ast.FunctionDef):
                context.report("not-a-function", member.node, kind=type(member.node).__name__)

    def _compile_member(self, definition: ClassDefinition, name: str) -> None:
        members: tuple[FunctionValue | None, ...]
        if name in definition.properties:
            members = definition.properties[name]
        else:
            members = (definition.methods[name],)
        for member in members:
            if member is None:
                continue
            compiled = self.compile_function(member, definition)
            definition.saw_unknown = definition.saw_unknown or compiled.saw_unknown
            if compiled.failure is not None and definition.failure is None:
                definition.failure = compiled.failure
                definition.failure_unit = compiled.failure_unit

    def _fail(self, definition: ClassDefinition, failure: Finding | None, context: FunctionContext) -> None:
        if failure is not None and definition.failure is None:
            definition.failure = failure
            definition.failure_unit = context.failure_unit

    def method_schema(self, definition: ClassDefinition, name: str) -> Schema | None:
        """The schema of a method, self included; None where it is not known (yet)."""
        value = definition.methods.get(name)
        if value is None:
            return None
        compiled = self.compile_function(value, definition)
        return compiled.schema

    def context_class(self, path: str) -> ContextDefinition:
        """A class of torch that compiles."""
        known = self.contexts.get(path)
        if known is not None:
            return known
        found = self.torch.python_object(path)
        init = found.init if isinstance(found, objects.TorchClass) else None
        enter = found.enter if isinstance(found, objects.TorchClass) else None
        definition = ContextDefinition(path, init, enter if enter is not None else NONE)
        self.contexts[path] = definition
        return definition

    def custom_class(self, path: str) -> CustomDefinition | None:
        """A class written in C++; None where this torch does not register it."""
        if path not in self.custom:
            found = self.torch.python_object(path)
            self.custom[path] = CustomDefinition(found) if isinstance(found, objects.CustomClass) else None
        return self.custom[path]

    def facts(self) -> list[DefinitionFacts]:
        """The facts of every function checked so far, and of overload declarations in which something is wrong."""
        every = (facts for each in self.functions.values() for facts in (each.facts, each.declaration_facts))
        return [facts for facts in every if facts is not None]


@cached_weakly
def _escaping_names(chunk: Chunk) -> frozenset[str]:
    found: set[str] = set()
    for statement in walk_statements(chunk.tree):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            found.update(each.id for each in statement.value.args if isinstance(each, ast.Name))
    return frozenset(found)


def _in_method(value: ClassValue, finding: Finding) -> bool:
    """Whether a finding is of a method, which reports it itself."""
    if finding.node is value.node:
        return False
    methods = [each for each in value.node.body if isinstance(each, ast.FunctionDef)] if value.node is not None else []
    line = finding.place.line + 1
    return any(each.lineno <= line <= (each.end_lineno or each.lineno) for each in methods)


def has_foreign_base(value: ClassValue) -> bool:
    """Whether a class derives from anything but `object`."""
    return any(not is_object(base) for base in value.bases)


def _is_method(value: FunctionValue) -> bool:
    """Whether a function compiled for a module becomes its method under the function's own name."""
    return value.owner is not None and not value.modifiers & {"property", "setter", "staticmethod"}


def _collect_members(definition: ClassDefinition) -> None:
    """Sort a class body's names into methods, properties and class attributes."""
    others: set[str] = set()
    value = definition.value
    for name, member in value.members.items():
        if value.kind == "enum" and not enums.is_compiled_member(definition.program, value, name):
            continue
        if name.startswith("__") and not name.endswith("__"):
            continue  # Python keeps it under another name than the compiler asks for
        if not isinstance(member, FunctionValue) or member.name not in value.members:
            others.add(name)
        elif "property" in member.modifiers:
            if not member.modifiers & {"unused"}:
                definition.properties[name] = (member, member.setter)
        elif not member.modifiers & {"staticmethod", "drop"}:
            definition.methods[name] = member
    for name, member in inherited_members(definition.value).items():
        if isinstance(member, FunctionValue) and "property" in member.modifiers and "unused" not in member.modifiers:
            definition.properties.setdefault(name, (member, member.setter))
    definition.class_attributes = frozenset(others)


def _is_outdated(value: object) -> bool:
    """Whether a function or class is one of a text that is not the program's any more."""
    return isinstance(value, (FunctionValue, ClassValue)) and not value.unit.is_current


def inherited_members(value: ClassValue) -> dict[str, Value]:
    """What a class has from its bases alone: of that only the properties compile with it."""
    return {name: member for name, member in members_of(value).items() if name not in value.members}


def _class_function(value: ClassValue) -> FunctionValue:
    """A stand-in function for what is checked at class level."""
    name = value.name
    node = ast.FunctionDef(
        name=name,
        args=ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[]),
        body=[],
        decorator_list=[],
    )
    if value.node is not None:
        ast.copy_location(node, value.node)
    return FunctionValue(name, value.qualname, Site(node, value.unit), value.scope)
