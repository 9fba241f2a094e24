"""The one door to the facts: text goes in, facts of files come out.

Owns which definitions of a file are checked under each scope, and the verdict of every entry point.
Invariant: facts only depend on the texts given so far, the torch version and the scope.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Optional, TypeGuard, Union

from ts_lsp.records import dataclass, field, replace
from ts_lsp.semantic import interfaces, module_compilation, worlds
from ts_lsp.semantic.class_definitions import ClassDefinition
from ts_lsp.semantic.entry_targets import (
    class_of_instance,
    compiled_function,
    failing_elsewhere,
    refused_entry,
    verdict_without_text,
)
from ts_lsp.semantic.facts import AttributeFact, DefinitionFacts, Finding
from ts_lsp.semantic.functions import Compiled
from ts_lsp.semantic.lookup import is_module_instance
from ts_lsp.semantic.made_objects import MadeObjects
from ts_lsp.semantic.modules import ModuleDefinition, class_member
from ts_lsp.semantic.program import NO_SCOPE, Program, has_foreign_base
from ts_lsp.semantic.unreached import Unreached, unreached
from ts_lsp.torchdata.loader import TorchData
from ts_lsp.values.model import (
    ClassValue,
    EntryPoint,
    FileDefinitions,
    FunctionNode,
    FunctionValue,
    InstanceValue,
    ModuleObject,
    ScriptedValue,
    Site,
    TorchValue,
    Unit,
    UnknownValue,
    Value,
)
from ts_lsp.values.workspace import Workspace

_Text = Union[Site[FunctionNode], Site[Optional[ast.ClassDef]], ast.AST]
"""Where the text of what compiles stands; a tree node stands for itself."""
SCRIPT_CLASS_KINDS = frozenset({"plain", "dataclass"})
INHERITING_KINDS = frozenset({"exception", "namedtuple"})
"""Kinds of classes that are something to compiled code, but that the compiler refuses when it is handed them."""


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """An entry point and what the compiler would say to it."""

    entry: EntryPoint
    verdict: str  # ok | error | unknown
    facts: DefinitionFacts | None


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What is known of one file."""

    path: str
    definitions: tuple[DefinitionFacts, ...]
    entries: tuple[EntryFacts, ...]
    reached: Mapping[ast.AST, tuple[EntryPoint, ...]] = field(default_factory=dict)
    """The entry points, of any file, because of which a definition compiles."""
    unreached: tuple[Unreached, ...] = ()


def _nothing(*arguments: object) -> None:
    """What is done where nobody wants to know."""


@dataclass(frozen=True, slots=True)
class _Reached:
    """What an entry point reaches, and where the texts of that stand."""

    things: tuple[object, ...]
    sites: tuple[_Text, ...]

    @classmethod
    def of(cls, things: tuple[object, ...]) -> _Reached:
        return cls(things, tuple(dict.fromkeys(site for site in map(_site_of, things) if site is not None)))


class Analysis:
    """Checks definitions of a workspace for one torch version."""

    def __init__(self, torch: TorchData, workspace: Workspace) -> None:
        self.torch = torch
        self.workspace = workspace
        self.program = Program(torch, workspace)
        self.modules: list[DefinitionFacts] = []
        self._reached_sites: dict[ast.AST, _Reached] = {}
        self.parts: dict[ast.AST, DefinitionFacts] = {}
        """Classes that compile, of which there are only submodules."""
        self.beside = ast.Module([], [])
        """Stands for the wish to know more than what entry points reach."""
        self.undecided: dict[ClassValue, InstanceValue] = {}
        """Objects of classes that nothing makes."""

    def apply_change(self, path: str, text: str) -> None:
        """A file's text is now `text`."""
        self.workspace.set_source(path, text)
        self.start_again()

    def start_again(self) -> None:
        """Forget everything compiled."""
        self.program = Program(self.torch, self.workspace)
        self.undecided = {}

    def file_facts(self, path: str, scope: str = "scripted") -> FileFacts:
        """The facts of one file on its own."""
        return self.check([path], scope)[0]

    def check(
        self,
        paths: Iterable[str],
        scope: str = "scripted",
        done: Callable[[str], None] = _nothing,
        pause: Callable[[], None] = _nothing,
    ) -> list[FileFacts]:
        """The facts of several files: what any of their entry points reaches, and by scope more.

        `done` is told of each file whose entry points are checked, `pause` is called between entry points; what it
        raises ends the check, and nothing is lost.
        """
        paths = list(paths)
        self._show(paths)
        self.modules, self.parts = [], {}
        self.program.refused_entries.clear()
        entries: dict[str, list[EntryFacts]] = {}
        classes: dict[ClassValue, DefinitionFacts] = {}
        made = MadeObjects(self.workspace)
        points = list(self._entry_points(paths, pause))
        self._note_explicit(points)
        roots = [*dict.fromkeys(each.node for each in points), self.beside]
        with self.program.reach.again(roots):
            for path in paths:
                definitions = self.workspace.definitions(path)
                entries[path] = []
                for each in definitions.entry_points:
                    pause()
                    entries[path].append(self._entry(each, classes))
                with self.program.reach.within(self.beside):
                    if scope == "all":
                        self._everything(definitions, classes)
                    if scope in ("modules", "all"):
                        self._uninstantiated(definitions, made)
                done(path)
        needed = set().union(*map(self.program.reach.below, roots))
        if self.program.drop_orphans(needed):
            return self.check(paths, scope, done, pause)
        self.program.keep(needed)
        self._tell_elsewhere([each for found in entries.values() for each in found])
        reached = self._reached([each for found in entries.values() for each in found])
        return [self._with_reach(self._file(path, entries[path], classes), reached) for path in paths]

    def _entry_points(self, paths: Iterable[str], pause: Callable[[], None]) -> Iterator[EntryPoint]:
        for path in paths:
            pause()
            yield from self.workspace.definitions(path).entry_points

    def _note_explicit(self, entries: Iterable[EntryPoint]) -> None:
        """The classes that the program hands to the compiler itself."""
        targets = (each.target.of if isinstance(each.target, ScriptedValue) else each.target for each in entries)
        explicit = {target for target in targets if isinstance(target, ClassValue)}
        changed = explicit ^ self.program.explicit_classes
        self.program.explicit_classes = explicit
        known = [self.program.classes[each] for each in changed if each in self.program.classes]
        self.program.drop(self.program.reach.concerned(known) if known else ())

    def _everything(self, definitions: FileDefinitions, classes: dict[ClassValue, DefinitionFacts]) -> None:
        """Every function and class of a file."""
        for function in definitions.functions:
            if _stands_alone(function):
                self.program.compile_function(function)
            for declaration in function.overloads:
                self.program.compile_overload(function, declaration)
        for value in definitions.classes:
            self._class(value, classes)

    def _reached(self, entries: Sequence[EntryFacts]) -> dict[ast.AST, tuple[EntryPoint, ...]]:
        found: dict[_Text, list[EntryPoint]] = {}
        sites: dict[ast.AST, _Reached] = {}
        for each in entries:
            root = each.entry.node
            if root not in sites:
                things, known = self.program.reach.below(root), self._reached_sites.get(root)
                sites[root] = known if known is not None and known.things is things else _Reached.of(things)
            for site in sites[root].sites:
                found.setdefault(site, []).append(each.entry)
        self._reached_sites = sites
        nodes = ((_node(site), tuple(points)) for site, points in found.items())
        return {node: points for node, points in nodes if node is not None}

    def _with_reach(self, facts: FileFacts, reached: Mapping[ast.AST, tuple[EntryPoint, ...]]) -> FileFacts:
        nodes = {each.node for each in facts.definitions}
        definitions = self.workspace.definitions(facts.path)
        own = {node: reached[node] for node in nodes if node in reached}
        return replace(facts, reached=own, unreached=tuple(unreached(definitions, nodes | reached.keys())))

    def _tell_elsewhere(self, entries: Sequence[EntryFacts]) -> None:
        """What fails in a file that nobody asked about is told at the call into it; else at the entry point."""
        failures = [(each.entry, *self._failure(each)) for each in entries if each.verdict == "error"]
        silent = [each for each in failures if each[2] is not None and each[2].path not in self.program.shown]
        told = {
            (related.place.unit.path, related.place.unit.first_line, related.place.range)
            for facts in (self.program.facts() if silent else ())
            for finding in (facts.findings if facts.unit.path in self.program.shown else ())
            for related in (finding.related if finding.code == "failing-callee" else ())
        }
        for entry, failure, unit in silent:
            if failure is None or unit is None or (unit.path, unit.first_line, failure.place) in told:
                continue
            facts = failing_elsewhere(entry, failure, unit)
            if facts is not None:
                self.program.refused_entries[facts.node] = facts

    def _failure(self, entry: EntryFacts) -> tuple[Finding | None, Unit | None]:
        """The first error of an entry point, and where it stands."""
        if entry.facts is not None:
            return entry.facts.first_error, entry.facts.first_error_unit or entry.facts.unit
        target = entry.entry.target
        modules = self._compiled(target) if isinstance(target, (InstanceValue, ModuleObject)) else []
        return next(((each.failure, each.failure_unit) for each in modules), (None, None))

    def _show(self, paths: Iterable[str]) -> None:
        """All findings of these files are wanted: what was only looked into for its callers' sake is done again."""
        shown = self.program.shown.union(paths)
        if not self.program.cut_short.isdisjoint(shown):
            self.start_again()
        self.program.shown = shown

    def _entry(self, entry: EntryPoint, classes: dict[ClassValue, DefinitionFacts]) -> EntryFacts:
        refused = refused_entry(entry)
        if refused is not None:
            self.program.refused_entries[refused.node] = refused
            return EntryFacts(entry, refused.verdict, refused)
        target = compiled_function(entry) or entry.target
        with self.program.reach.within(entry.node):
            facts = self._target(target, classes) or self._refused_parts(entry, target)
            verdict = facts.verdict if facts is not None else self._verdict(target)
            self.program.reach.note(facts.node if facts is not None else None)
        return EntryFacts(entry, verdict, facts)

    def _refused_parts(self, entry: EntryPoint, target: Value) -> DefinitionFacts | None:
        """What is wrong inside a container of torch that is itself handed over, told where that is done."""
        node, unit = entry.node, entry.unit
        if not _is_of_torch(target):
            return None
        name = ast.unparse(node)
        context = self.program.class_context(ClassValue(name, name, unit.site(None), NO_SCOPE, "module"))
        for definition in self._compiled(target):
            module_compilation.check_sequences(self.program, definition, context, node)
        first, findings = context.failure, tuple(context.findings)
        if first is None:
            return None
        facts = DefinitionFacts(name, "module", unit, node, "error", first, None, findings, first_error_unit=unit)
        self.program.refused_entries[node] = facts
        return facts

    def _verdict(self, target: Value) -> str:
        """The verdict for a target without facts of its own: an object of torch, or plain data."""
        if not _is_of_torch(target):
            return verdict_without_text(target, self.torch)
        verdicts = {module_compilation.verdict(each) for each in self._compiled(target)}
        return verdicts.pop() if len(verdicts) == 1 else "unknown"

    def _compiled(self, target: InstanceValue | ModuleObject) -> list[ModuleDefinition]:
        """The modules that a target may be, compiled."""
        return [self.program.compile_module(world) for world in self.workspace.instantiate(target)]

    def _target(self, target: Value, classes: dict[ClassValue, DefinitionFacts]) -> DefinitionFacts | None:
        if isinstance(target, ScriptedValue):
            return self._target(target.of, classes)
        if isinstance(target, FunctionValue):
            if "unknown" in target.modifiers:
                return None
            return self.program.compile_function(target).facts
        if isinstance(target, ClassValue):
            return self._class(target, classes)
        owner = class_of_instance(target)
        if owner is not None:
            return self._class(owner, classes)
        if isinstance(target, (InstanceValue, ModuleObject)):
            return self._module(target)
        return None

    def _module(self, target: InstanceValue | ModuleObject) -> DefinitionFacts | None:
        """The facts of a module handed to the compiler; None where it is not known, or no module."""
        if isinstance(target, InstanceValue) and not is_module_instance(target):
            return None
        definitions = self._compiled(target)
        worlds.weigh(self.program, definitions)
        found = [facts for facts in map(module_compilation.facts, definitions) if facts is not None]
        self.modules.extend(found)
        self._show_below(definitions)
        if not found or len({facts.verdict for facts in found}) > 1:
            return None
        return found[0]

    def _show_below(self, roots: Sequence[ModuleDefinition]) -> None:
        """Submodules: each class once, by the object at which something is said if there is one."""
        shown = {facts.node for facts in self.modules}
        for definition in (each for root in roots for each in module_compilation.whole_tree(root)):
            facts = module_compilation.facts(definition)
            if facts is None or facts.node in shown:
                continue
            if definition.findings:
                shown.add(facts.node)
                self.modules.append(facts)
            elif facts.verdict == "ok":
                self.parts.setdefault(facts.node, facts)

    def _uninstantiated(self, definitions: FileDefinitions, made: MadeObjects) -> None:
        """Module classes that nothing hands to the compiler.

        An object that the file itself makes of a class shows that it compiles. The others are compiled with arguments
        that are not known. Of a class that others derive from, only they are compiled: it may be theirs to complete it.
        """
        values = [value for value in definitions.classes if value.kind == "module" and value.node is not None]
        bases = {base.node for value in values for base in value.bases if isinstance(base, ClassValue)}
        reached = {facts.node for facts in self.modules}
        wanted = {value.node for value in values if value.node is not None} - reached
        for each in made.of_classes(definitions.functions, wanted) if wanted else ():
            apart = self.program.apart()
            if module_compilation.verdict(apart.compile_module(each)) == "ok":
                facts = module_compilation.facts(self.program.compile_module(each))
                self.modules.extend([facts] if facts is not None else [])
        reached = {facts.node for facts in self.modules}
        for value in values:
            if value.node not in bases and value.node not in reached:
                self._module(self.undecided.setdefault(value, _unknown_instance(value)))

    def _class(self, value: ClassValue, classes: dict[ClassValue, DefinitionFacts]) -> DefinitionFacts | None:
        """Facts of a class as an entry point; None for what is no script class."""
        if value in classes:
            self.program.reach.note(self.program.classes.get(value))
            return classes[value]
        if value.kind == "enum" and value.node is not None:
            classes[value] = _left_alone(value, value.node)
            return classes[value]
        if value.kind == "interface" and value.node is not None:
            classes[value] = self._interface(value)
            return classes[value]
        inherits = value.kind in INHERITING_KINDS and "script" in value.modifiers
        is_class = value.kind in SCRIPT_CLASS_KINDS or inherits
        if value.node is None or not is_class or "unknown" in value.modifiers:
            return None
        if has_foreign_base(value) and "script" not in value.modifiers:
            return None
        definition = self.program.define_class(value)
        classes[value] = class_facts(definition)
        return classes[value]

    def _interface(self, value: ClassValue) -> DefinitionFacts:
        findings = tuple(interfaces.declaration_findings(self.program, value))
        first = findings[0] if findings else None
        assert value.node is not None
        verdict = "error" if findings else "ok"
        return DefinitionFacts(
            value.qualname,
            "interface",
            value.unit,
            value.node,
            verdict,
            first,
            None,
            findings,
            first_error_unit=value.unit,
        )

    def _file(self, path: str, entries: Sequence[EntryFacts], classes: dict[ClassValue, DefinitionFacts]) -> FileFacts:
        for value, definition in self.program.classes.items():
            if value not in classes and definition.state == "done" and value.node is not None:
                classes[value] = class_facts(definition)
        for value, fault in self.program.refused_enums.items():
            if value.node is not None:
                classes[value] = _refused_class(value, value.node, fault)
        every = (*self.program.refused_entries.values(), *self.program.facts())
        found = [facts for facts in every if facts.unit.path == path]
        found.extend(facts for facts in classes.values() if facts.unit.path == path)
        found.extend(facts for facts in self.modules if facts.unit.path == path)
        roots = {facts.node for facts in self.modules}
        found.extend(facts for facts in self.parts.values() if facts.unit.path == path and facts.node not in roots)
        found.sort(key=lambda facts: (facts.unit.first_line, getattr(facts.node, "lineno", 0)))
        return FileFacts(path, tuple(found), tuple(entries))


def _is_of_torch(target: Value) -> TypeGuard[InstanceValue | ModuleObject]:
    """Whether this is an object of one of torch's own module classes."""
    if not isinstance(target, (InstanceValue, ModuleObject)) or not isinstance(target.of, TorchValue):
        return False
    return isinstance(target, ModuleObject) or is_module_instance(target)


def _left_alone(value: ClassValue, node: ast.ClassDef) -> DefinitionFacts:
    """The facts of an enum handed to the compiler, which gives it back as it is."""
    return DefinitionFacts(value.qualname, "class", value.unit, node, "ok", None, None)


def _refused_class(value: ClassValue, node: ast.ClassDef, fault: Finding) -> DefinitionFacts:
    """The facts of a class that cannot be a type, such as an enum of mixed values."""
    return DefinitionFacts(
        value.qualname, "class", value.unit, node, "error", fault, None, (fault,), first_error_unit=value.unit
    )


def _unknown_instance(value: ClassValue) -> InstanceValue:
    """An object of a class, made with unknown values for what the constructor needs, or takes None or options for.

    None, and an object of options that were left alone, say what may be left out; whether the class compiles without
    it is no mistake of the class.
    """
    init = class_member(value, "__init__")
    if not isinstance(init, FunctionValue) or isinstance(init.node, ast.Lambda):
        return InstanceValue(value)
    signature = init.node.args
    positional = [*signature.posonlyargs, *signature.args][1:]
    needed = positional[: len(positional) - len(signature.defaults)]
    defaulted = zip(positional[len(needed) :], signature.defaults, strict=False)
    optional = [each for each, default in defaulted if _is_open(default, init.defaults.get(each.arg))]
    return InstanceValue(
        value,
        tuple(UnknownValue(f"argument {each.arg}") for each in needed),
        tuple((each.arg, UnknownValue(f"argument {each.arg}")) for each in optional),
    )


def _is_open(written: ast.expr, default: Value | None) -> bool:
    """Whether a default only stands for what callers give."""
    is_none = isinstance(written, ast.Constant) and written.value is None
    return is_none or (isinstance(default, InstanceValue) and isinstance(default.of, ClassValue))


def _stands_alone(function: FunctionValue) -> bool:
    """Whether a function can be compiled by itself: not a method, not one the compiler only calls back into."""
    if function.overloads or isinstance(function.node, ast.Lambda):
        return False
    return function.owner is None and not function.modifiers & {"unknown", "overload"}


def node_of(thing: object) -> ast.AST | None:
    """The tree node of what compiles, or that stands for itself."""
    text = _site_of(thing)
    return _node(text) if text is not None else None


def _node(text: _Text) -> ast.AST | None:
    return text.node if isinstance(text, Site) else text


def _site_of(thing: object) -> _Text | None:
    if isinstance(thing, ast.AST):
        return thing
    value = thing.value if isinstance(thing, (Compiled, ClassDefinition, ModuleDefinition)) else None
    return value.site if value is not None and value.node is not None else None


def class_facts(definition: ClassDefinition) -> DefinitionFacts:
    """The facts of a class that has compiled."""
    node = definition.value.node
    assert node is not None
    if definition.facts is None or definition.facts.node is not node:
        definition.facts = _class_facts(definition, node)
    return definition.facts


def _class_facts(definition: ClassDefinition, node: ast.ClassDef) -> DefinitionFacts:
    value = definition.value
    failure: Finding | None = definition.failure
    verdict = "error" if failure is not None else "unknown" if definition.saw_unknown else "ok"
    return DefinitionFacts(
        qualname=value.qualname,
        kind="class",
        unit=value.unit,
        node=node,
        verdict=verdict,
        first_error=failure,
        schema=None,
        findings=tuple(definition.findings),
        first_error_unit=definition.failure_unit,
        attributes=tuple(AttributeFact(name, "attribute", type_) for name, type_ in definition.attributes.items()),
    )
