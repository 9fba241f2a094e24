"""The importable Python world: modules, evaluated when asked for.

Owns `Workspace`. Invariants: nothing here reads files (sources come from a `SourceReader` and through `set_source`); a
module's names are evaluated at most once between two changes of what it depends on; torch is data.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from ts_lsp.records import dataclass, field
from ts_lsp.syntax.parser import parse_source, reparse
from ts_lsp.syntax.tree import SourceFile
from ts_lsp.torchdata.objects import (
    BooleanDispatch,
    BuiltinOperator,
    ModuleFacts,
    ScriptFunction,
    SpecialForm,
    TorchClass,
    TorchConstant,
    TorchModule,
)
from ts_lsp.types.model import TENSOR
from ts_lsp.values import calls, evaluation, known, loops, torchnames
from ts_lsp.values.bindings import (
    UNIT_SPAN,
    Assigned,
    AssignedInside,
    Augmented,
    Binding,
    Defined,
    Deleted,
    ImportedModule,
    ImportedName,
    ImportedStar,
    Iterated,
    Opaque,
    Parameter,
    UnitTable,
    module_table,
    unit_table,
)
from ts_lsp.values.definitions import Definitions, defaults
from ts_lsp.values.entries.arguments import CompileCall, calls_of
from ts_lsp.values.entries.collector import EntryNames, entry_names, first_compilation
from ts_lsp.values.entries.file_walk import FileWalk, body_scope
from ts_lsp.values.entries.handing import OpenCalls, handing_names
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    DictValue,
    FileDefinitions,
    FunctionValue,
    InstanceValue,
    ModuleObject,
    ModuleValue,
    SequenceValue,
    TorchValue,
    Unit,
    UnknownValue,
    Value,
)
from ts_lsp.values.module_state import ModuleStates
from ts_lsp.values.renewal import Renewal, renewed
from ts_lsp.values.running import construction
from ts_lsp.values.scopes import HIDDEN, UNBOUND, Budget, LexicalScope, Point, View, join, same
from ts_lsp.values.spreading import Surroundings, outdated, own_names, replaced_units
from ts_lsp.values.surroundings import ModuleSource, NoSources, SourceReader, TorchFacts

_BOUND_COST = 8


@dataclass(eq=False)
class _Module:
    """A module with its parsed file and, once asked for, its scope. `key` is its `ModuleValue` name."""

    path: str
    name: str
    key: str
    is_package: bool
    external: bool
    file: SourceFile
    scope: LexicalScope | None = None
    units: tuple[Unit, ...] = ()
    tables: dict[Unit, UnitTable] = field(default_factory=dict)
    entry_names: EntryNames | None = None
    collection: FileWalk | None = None
    is_collected: bool = False
    definitions: FileDefinitions | None = None
    imports: dict[str, str | None] = field(default_factory=dict)
    telling: frozenset[str] | None = None
    """The words that make a function body one that hands something to the compiler."""

    @property
    def text(self) -> str:
        return self.file.text

    calls: dict[LexicalScope, Sequence[CompileCall]] = field(default_factory=dict)

    def renew(self, units: Sequence[Unit], outdated: Collection[Unit]) -> None:
        """These are the units now; of the outdated ones, and of those that have gone, nothing evaluated is kept."""
        if not outdated and units is self.units:
            return
        scope = self.scope
        assert scope is not None
        self.units = tuple(self._anew(unit) if unit in outdated else unit for unit in units)
        self.tables = {unit: self.tables.get(unit) or unit_table(unit) for unit in self.units}
        scope.renew(module_table(self.units, list(self.tables.values())))
        self.calls = {each: calls for each, calls in self.calls.items() if each is not scope}
        self.definitions, self.telling, self.is_collected = None, None, False

    @staticmethod
    def _anew(unit: Unit) -> Unit:
        unit.is_current = False
        return Unit(unit.path, unit.module, unit.chunk, unit.first_line, unit.base)

    def forget(self) -> None:
        """Drops everything evaluated; the parsed file stays."""
        self.scope = self.entry_names = self.collection = self.definitions = None
        self.imports, self.calls, self.telling, self.is_collected = {}, {}, None, False
        self.tables = {}
        for unit in self.units:
            unit.is_current = False


class Workspace:
    """The modules of a program and its environment. A `ModuleTable`, and the interpreter of their scopes."""

    def __init__(
        self,
        torch: TorchFacts,
        reader: SourceReader | None = None,
        entry_point_names: Sequence[str] = (),
        python: known.PythonTarget | None = None,
    ) -> None:
        self.torch = torch
        self.budget = Budget()
        self._reader: SourceReader = reader or NoSources()
        self._entry_point_names = tuple(entry_point_names)
        self._python = python or known.PythonTarget()
        self._modules: dict[str, _Module] = {}
        self._paths: dict[str, str] = {}
        self._known_torch: dict[str, Value | None] = {}
        self._described: dict[str, bool] = {}
        self._states = ModuleStates(self)
        self._objects: dict[InstanceValue | ModuleObject, tuple[ModuleObject, ...]] = {}
        self._spelling = {torch.canonical_path(path): path for path in sorted(torchnames.UNDERSTOOD)}

    def set_source(self, path: str, text: str) -> Renewal | None:
        """Gives or replaces the text of a file. Where no value changed, what did; None where any value may have."""
        old = self._modules.get(path)
        if old is not None and old.file.text == text:
            return Renewal(old.units, old.file)
        return self.set_file(path, reparse(old.file, text) if old is not None else parse_source(text))

    def set_file(self, path: str, file: SourceFile) -> Renewal | None:
        """Gives or replaces an already parsed file."""
        old = self._modules.get(path)
        if old is None:
            name, is_package = self._reader.module_name(path)
            self._add(_Module(path, name, name, is_package, False, file))
            waiting = self._waiting_for(name)
            tells = bool(waiting) or self._states.concerned(file.text)
            self._forget({path, *waiting}, file.text)
            return None if tells else Renewal((), file)
        renewal = self._renewed(old, file)
        if renewal is None:
            if not self._spread(old, file):
                before, old.file = old.file, file
                self._forget({path}, before.text, file.text)
            return None
        old.file, old.units = renewal.file, renewal.units
        return renewal

    def _renewed(self, module: _Module, file: SourceFile) -> Renewal | None:
        if module.scope is None or module.collection is None or self._states.holds(module.scope):
            return None
        if module.telling is None:
            names = self._names(module)
            handing = handing_names(self._open_calls(module))
            module.telling = names.last_parts | names.script_classes | handing
        return renewed(module.units, module.file, file, module.telling, module.scope.table.bindings)

    def remove_source(self, path: str) -> None:
        """Forgets a file; if it is still on disk, the next import reads it again."""
        module = self._modules.get(path)
        if module is not None:
            self._forget({path}, module.text)
            del self._modules[path]
            self._paths.pop(module.key, None)

    def apart(self) -> Workspace:
        """The same files in a workspace of their own, for texts that are only tried."""
        other = Workspace(self.torch, self._reader, self._entry_point_names, self._python)
        for each in self._modules.values():
            other._add(_Module(each.path, each.name, each.key, each.is_package, each.external, each.file))
        return other

    def look_again(self) -> None:
        """Files came or went on disk: what imports find may be something else."""
        self._forget(set(self._modules))

    def source(self, path: str) -> SourceFile | None:
        module = self._modules.get(path)
        return module.file if module else None

    def is_external(self, path: str) -> bool:
        """Whether a file belongs to the environment and not to the program."""
        module = self._modules.get(path)
        return module is not None and module.external

    def units(self, path: str) -> tuple[Unit, ...]:
        """The chunks of a file as units, in order."""
        module = self._modules.get(path)
        if module is None:
            return ()
        self._scope(module)
        return module.units

    def scope(self, path: str) -> LexicalScope | None:
        """The module scope of a file in its final state."""
        module = self._modules.get(path)
        return self._scope(module) if module else None

    def definitions(self, path: str) -> FileDefinitions:
        """Every function and class of a file and its entry points; nothing for a file that was never given."""
        module = self._modules.get(path)
        if module is None:
            return FileDefinitions()
        if module.definitions is None:
            module.definitions = self._collection(module).finished(self._open_calls(module))
        return module.definitions

    def handing_names(self, path: str) -> frozenset[str]:
        """The names by which other files have something compiled through this one: functions that compile what they
        are given, and classes that compile their objects."""
        module = self._modules.get(path)
        if module is None:
            return frozenset()
        classes = {each.name for each in self.definitions(path).classes if each.kind == "script_module"}
        return frozenset(classes | handing_names(self._collection(module).open_calls))

    def _open_calls(self, module: _Module) -> OpenCalls:
        """The compile calls that are answered by calls of a file: its own, and those of the files it imports from."""
        open_calls: OpenCalls = dict(self._collection(module).open_calls)
        for other in self._imported_files(module):
            open_calls.update(self._collection(other).open_calls)
        return open_calls

    def _imported_files(self, module: _Module) -> Iterator[_Module]:
        """The files of the program that the top level of a module imports from."""
        for binding in self._scope(module).table.all_bindings():
            source = binding.source
            dotted = source.loads if isinstance(source, ImportedModule) else None
            if isinstance(source, ImportedName):
                dotted = self._absolute(source.module, source.level, module)
            found = self._by_key(dotted) if dotted else None
            if found is not None and found is not module and not found.external:
                module.imports.setdefault(found.name, found.path)
                yield found

    def _collection(self, module: _Module) -> FileWalk:
        if module.collection is None:
            module.collection = FileWalk(self._names(module), self.compile_calls)
        if not module.is_collected:
            module.is_collected = True
            module.collection.collect(self._scope(module), module.units)
        return module.collection

    def member(self, module: str, name: str) -> Value | None:
        """The value of attribute `name` of module `module` (submodules included); None where there is none."""
        if known.is_known(module):
            value: Value | None = known.member(module, name, self._python)
            described = isinstance(value, UnknownValue) and self._is_described(module)
            return (self._torch_value(f"{module}.{name}") or value) if described else value
        known_torch = self._torch_value(f"{module}.{name}") if self._is_of_torch(module) else None
        if known_torch is not None and not isinstance(known_torch, UnknownValue):
            return known_torch
        found = self._by_key(module)
        if found is None and self._is_described(module):
            return self._torch_value(f"{module}.{name}")
        if found is None:
            dotted = f"{module}.{name}"
            return BuiltinValue(dotted) if dotted in known.RESULTS else UnknownValue(dotted)
        value = self._scope(found).own(name)
        if value is not None and value is not UNBOUND:
            return value
        if found.is_package:
            submodule = self._imported(f"{found.name}.{name}", found)
            if not isinstance(submodule, UnknownValue):
                return submodule
        return self._missing(found, name)

    def instantiate(self, value: InstanceValue | ModuleObject) -> tuple[ModuleObject, ...]:
        """The modules that constructing `value` may give: several where unknown arguments decide branches."""
        known_objects = self._objects.get(value)
        if known_objects is None:
            known_objects = self._objects[value] = construction.instantiate(value, self)
        return known_objects

    def made_by_calling(self, function: FunctionValue, most_steps: int) -> tuple[ModuleObject | None, int]:
        """The module that a function makes when it is called without arguments, and the steps that took."""
        return construction.made_by_calling(function, self, most_steps)

    # What scopes and expressions ask for.

    def bound_value(self, scope: LexicalScope, binding: Binding) -> Value | None:
        if not self.budget.enter(_BOUND_COST):
            return UnknownValue("too much to evaluate")
        try:
            value = self._bound(scope, binding)
            return self._replaced(scope, binding) or value
        except RecursionError:
            return UnknownValue("too much to evaluate")
        finally:
            self.budget.leave(_BOUND_COST)

    def truth(self, test: ast.expr, at: View) -> bool | None:
        return evaluation.truth(evaluation.evaluate(test, at))

    def builtin(self, name: str) -> Value | None:
        return known.typing_member(name) or known.builtin(name)

    def torch_attribute(self, path: str, name: str) -> Value | None:
        return self._torch_value(f"{path}.{name}")

    def torch_result(self, path: str) -> Value | None:
        described = self.torch.python_object(path)
        if isinstance(described, BuiltinOperator):
            schemas = self.torch.schemas(described.op)
        elif isinstance(described, ScriptFunction):
            schemas = described.schemas
        else:
            return None
        if schemas and all(len(each.returns) == 1 and each.returns[0].type == TENSOR for each in schemas):
            return InstanceValue(TorchValue("torch.Tensor"))
        return UnknownValue(f"result of a call to {path}")

    def torch_kind(self, path: str) -> str:
        """What a class of torch makes its subclasses and instances: `module`, `tensor`, `other`; empty for no class."""
        if path == torchnames.MODULE or path in torchnames.SCRIPT_MODULES:
            return "module"
        described = self.torch.python_object(path)
        return described.kind if isinstance(described, TorchClass) else ""

    def module_facts(self, path: str) -> ModuleFacts | None:
        return self.torch.module_facts(path)

    def tensor_result(self, method: str) -> Value:
        """What calling a method of a tensor gives."""
        every = self.torch.schemas(f"aten::{method}")
        schemas = [each for each in every if each.arguments and each.arguments[0].type == TENSOR]
        if schemas and all(len(each.returns) == 1 and each.returns[0].type == TENSOR for each in schemas):
            return InstanceValue(TorchValue("torch.Tensor"))
        is_cast = method in ("float", "double", "half", "bfloat16", "int", "long", "short", "bool", "byte", "char")
        return InstanceValue(TorchValue("torch.Tensor")) if is_cast else UnknownValue(f"result of {method}")

    def torch_constant(self, path: str) -> Value | None:
        """The number or text that a path in torch denotes."""
        described = self.torch.python_object(path)
        plain = isinstance(described, TorchConstant) and described.kind in ("int", "float", "bool", "str", "None")
        return ConstantValue(described.value) if plain and isinstance(described, TorchConstant) else None

    def lambda_value(self, node: ast.Lambda, at: View) -> Value:
        qualname = f"{at.scope.prefix}<lambda>"
        return FunctionValue("<lambda>", qualname, at.unit.site(node), at, defaults=defaults(node.args, at))

    def comprehension(self, node: ast.expr, at: View) -> Value:
        return loops.comprehension(node, at)

    def call(self, node: ast.Call, at: View) -> Value:
        return calls.call(node, at)

    def module_made(self, node: ast.expr, at: View) -> Value | None:
        """What an expression makes, where that is a module. It is followed once, also where it is compiled as it is."""
        made = construction.module_made(node, at, self)
        if made is None:
            return None
        value, known_object = made
        if known_object is not None:
            self._objects[value] = (known_object,)
        return value

    def torch_members(self, path: str) -> frozenset[str] | None:
        return self.torch.members(path)

    def module_scope(self, key: str) -> LexicalScope | None:
        module = self._by_key(key)
        return self._scope(module) if module is not None else None

    def imported_from(self, scope: LexicalScope, binding: Binding) -> tuple[LexicalScope, str] | None:
        source, importing = binding.source, self._by_key(scope.module.key)
        if not isinstance(source, ImportedName) or importing is None:
            return None
        dotted = self._absolute(source.module, source.level, importing)
        module = self._imported(dotted, importing) if dotted else None
        found = self.module_scope(module.name) if isinstance(module, ModuleValue) else None
        return (found, source.name) if found is not None else None

    def module_state(self, scope: LexicalScope, name: str) -> Value | None:
        return self._states.value(scope, name)

    def given_modules(self) -> list[ModuleSource]:
        """The files of the program, as opposed to libraries."""
        return [each for each in self._modules.values() if not each.external]

    def importable(self, dotted: str, importing_path: str) -> ModuleSource | None:
        source = self._reader.find_module(dotted, importing_path)
        return None if source is None else self._modules.get(source.path) or source

    def loaded_scope(self, module: ModuleSource, importing_path: str) -> LexicalScope | None:
        """The scope of a module that was found, parsed now if need be."""
        if module.path not in self._modules:
            self._load(module.name, self._modules[importing_path])
        found = self._modules.get(module.path)
        return self._scope(found) if found is not None else None

    def first_compilation(self, scope: LexicalScope, binding: Binding) -> Point | None:
        return first_compilation(scope, binding, self.compile_calls(scope))

    def compile_calls(self, scope: LexicalScope) -> Sequence[CompileCall]:
        """The calls of a scope that may be entry points."""
        module = self._by_key(scope.module.key)
        if module is None:
            return ()
        if scope not in module.calls:
            module.calls[scope] = calls_of(scope, self._names(module).callees)
        return module.calls[scope]

    # Modules.

    def _add(self, module: _Module) -> None:
        if module.key in self._paths:
            module.key = f"{module.name}@{module.path}"
        self._modules[module.path] = module
        self._paths[module.key] = module.path

    def _by_key(self, key: str) -> _Module | None:
        return self._modules.get(self._paths.get(key, ""))

    def _scope(self, module: _Module) -> LexicalScope:
        if module.scope is None:
            module.units = tuple(
                Unit(module.path, module.name, placed.chunk, placed.first_line) for placed in module.file.chunks
            )
            for number, unit in enumerate(module.units, 1):
                unit.base = number * UNIT_SPAN
            module.tables = {unit: unit_table(unit) for unit in module.units}
            table = module_table(module.units, list(module.tables.values()))
            module.scope = LexicalScope("module", self, table, None, key=module.key)
        return module.scope

    def _names(self, module: _Module) -> EntryNames:
        if module.entry_names is None:
            self._scope(module)
            module.entry_names = entry_names(module.units, self._entry_point_names)
        return module.entry_names

    def _spread(self, module: _Module, file: SourceFile) -> bool:
        """Drops what was evaluated of those chunks of files that may see a change of one file, by the names they
        mention; False where names are not enough to tell."""
        scope, names = module.scope, module.entry_names
        replaced = replaced_units(module.units, module.file, file) if scope is not None else None
        if replaced is None or scope is None or names is None or scope.table.writes_names:
            return False
        if self._states.concerned(module.text, file.text):
            return False
        if any(names.changed_by(each.chunk.tree) for each in (*replaced.old, *replaced.new)):
            return False
        concerned = {path: self._modules[path] for path in self._importers({module.path})}
        if any(each.scope is None or each.scope.table.stars for each in concerned.values() if each is not module):
            return False
        around = {
            path: Surroundings(
                replaced.units if each is module else each.units,
                own_names(each.scope.table) if each.scope is not None else frozenset(),
            )
            for path, each in concerned.items()
        }
        module.file = file
        for unit, placed in zip(replaced.units, file.chunks, strict=True):
            unit.first_line = placed.first_line
        for unit in replaced.old:
            unit.is_current = False
        found = outdated((*replaced.old, *replaced.new), around)
        for path, units in found.items():
            each = concerned[path]
            each.renew(around[path].units, units - set(replaced.new))
        self._states.forget()
        objects = self._objects.items()
        self._objects = {value: made for value, made in objects if self._is_made_now(value, found.keys())}
        return True

    def _is_made_now(self, value: InstanceValue | ModuleObject, paths: Collection[str]) -> bool:
        """Whether the text that makes an object is the program's, where one of these files makes it."""
        at = value.made_by[1] if isinstance(value, InstanceValue) and value.made_by is not None else None
        if isinstance(at, View):
            return at.unit.is_current
        if isinstance(value.of, ClassValue) and value.of.unit.path in paths:
            return False
        return self._made_in(value) not in paths

    def _importers(self, paths: set[str]) -> set[str]:
        """These files, and those that import one of them, directly or not."""
        grew = True
        while grew:
            users = {m.path for m in self._modules.values() if not paths.isdisjoint(filter(None, m.imports.values()))}
            grew = not users <= paths
            paths = paths | users
        return paths

    def _waiting_for(self, name: str) -> set[str]:
        """The files that import something of which no source was found, and that a module of this name may be."""
        last = name.rpartition(".")[2]
        return {
            module.path
            for module in self._modules.values()
            if any(found is None and last in dotted.split(".") for dotted, found in module.imports.items())
        }

    def _forget(self, stale: set[str], *texts: str) -> None:
        """Drops what was evaluated of these files and of all that import them."""
        if self._states.concerned(*texts):
            stale = stale.union(module.path for module in self._modules.values() if not module.external)
        self._states.forget()
        stale = self._importers(stale)
        for each in stale:
            self._modules[each].forget()
        self._objects = {value: made for value, made in self._objects.items() if self._made_in(value) not in stale}

    def _made_in(self, value: InstanceValue | ModuleObject) -> str:
        """The file whose text makes an object; what that needs is in files it imports."""
        scope = value.made_by[1] if isinstance(value, InstanceValue) and value.made_by is not None else None
        lexical = scope.scope if isinstance(scope, View) else scope
        if isinstance(lexical, LexicalScope):
            return self._paths.get(lexical.module.key, "")
        return value.of.unit.path if isinstance(value.of, ClassValue) else ""

    def _missing(self, module: _Module, name: str) -> Value | None:
        if name in ("__name__", "__file__", "__doc__", "__path__", "__package__", "__spec__", "__dict__"):
            return UnknownValue(f"{module.name}.{name}")
        dynamic = "__getattr__" in module.file.text or "globals()" in module.file.text
        return UnknownValue(f"{module.name}.{name}") if dynamic or module.external else None

    def _absolute(self, module: str, level: int, importing: _Module) -> str | None:
        if level == 0:
            return module
        parts = importing.name.split(".")
        drop = level - 1 if importing.is_package else level
        if drop > len(parts) or (drop == len(parts) and not importing.is_package and not module):
            return None
        return ".".join([*parts[: len(parts) - drop], *([module] if module else [])]) or None

    def _imported(self, dotted: str, importing: _Module) -> Value:
        """The module of an absolute name, loading its source if there is any."""
        root = dotted.partition(".")[0]
        if known.is_known(dotted):
            return ModuleValue(dotted)
        if root in known.TEST_TOOLS:
            return BuiltinValue(dotted)
        if self._is_described(root):
            return self._torch_value(dotted) or UnknownValue(f"module {dotted}")
        if dotted not in importing.imports:
            importing.imports[dotted] = self._load(dotted, importing)
        path = importing.imports[dotted]
        if path is None:
            return ModuleValue(dotted) if dotted in known.LIBRARIES else UnknownValue(f"module {dotted}")
        return ModuleValue(self._modules[path].key)

    def _load(self, dotted: str, importing: _Module) -> str | None:
        source = self._reader.find_module(dotted, importing.path)
        if source is None:
            return self._beside(dotted, importing)
        if source.path not in self._modules:
            file = parse_source(source.text)
            self._add(_Module(source.path, source.name, source.name, source.is_package, source.external, file))
        return source.path

    def _beside(self, dotted: str, importing: _Module) -> str | None:
        """A file that was given to the workspace under that name though the reader does not find it."""
        path = self._paths.get(dotted)
        return path if path != importing.path else None

    # Values of bindings.

    def _bound(self, scope: LexicalScope, binding: Binding) -> Value | None:
        source = binding.source
        at = View(scope, binding.position, binding.path, binding.unit)
        if isinstance(source, Defined):
            own, value = self._maker(scope).value(scope, binding, source.node)
            scope.own_values[binding] = own
            return value
        if isinstance(source, Assigned):
            return self._assigned(source, binding, scope, at)
        if isinstance(source, Iterated):
            return join(*loops.elements_of(source.iterable, source.steps, at)) or UnknownValue("loop variable")
        if isinstance(source, Augmented):
            current = at.lookup(binding.name) or UnknownValue(f"{binding.name} is not defined")
            return evaluation.binary(source.node.op, current, evaluation.evaluate(source.node.value, at))
        if isinstance(source, Parameter):
            return scope.arguments.get(source.name) or UnknownValue(f"parameter {source.name}")
        if isinstance(source, Deleted):
            return UNBOUND
        if isinstance(source, AssignedInside):
            return self._assigned_inside(scope, source, binding.name)
        return UnknownValue(source.reason) if isinstance(source, Opaque) else self._import(scope, binding)

    def _assigned(self, source: Assigned, binding: Binding, scope: LexicalScope, at: View) -> Value:
        value = evaluation.evaluate(source.value, at)
        for step in source.steps:
            fits = isinstance(value, SequenceValue) and step < len(value.elements)
            value = (
                value.elements[step] if fits and isinstance(value, SequenceValue) else UnknownValue("unpacked value")
            )
        if binding.name in scope.table.mutated:
            if isinstance(value, DictValue):
                return InstanceValue(BuiltinValue("dict"))
            if isinstance(value, SequenceValue) and value.kind != "tuple":
                return InstanceValue(BuiltinValue(value.kind))
        return value

    def _assigned_inside(self, scope: LexicalScope, source: AssignedInside, name: str) -> Value:
        """What the one function that assigns a global leaves in it."""
        for node in source.definitions:
            bindings = scope.table.definitions()
            binding = next((each for each in bindings if getattr(each.source, "node", None) is node), None)
            inner = body_scope(scope, binding) if binding is not None else None
            if inner is None:
                return UnknownValue("assigned through global")
            scope = inner
        value = scope.own(name)
        return UnknownValue("assigned through global") if value is None or value is UNBOUND else value

    def _import(self, scope: LexicalScope, binding: Binding) -> Value | None:
        source = binding.source
        importing = self._by_key(scope.module.key)
        if importing is None:
            return UnknownValue("import")
        if isinstance(source, ImportedModule):
            if source.loads != source.dotted:
                self._imported(source.loads, importing)
            return self._imported(source.dotted, importing)
        assert isinstance(source, (ImportedName, ImportedStar))
        dotted = self._absolute(source.module, source.level, importing)
        module = self._imported(dotted, importing) if dotted else UnknownValue("relative import outside a package")
        if isinstance(source, ImportedStar):
            return self._from_star(module, binding.name, scope, importing)
        if isinstance(module, ModuleValue):
            return self._member_of(module, source.name, importing)
        if dotted and self._is_described(dotted):
            return self._torch_value(f"{dotted}.{source.name}") or module
        return evaluation.attribute(module, source.name, self)

    def _member_of(self, module: ModuleValue, name: str, importing: _Module) -> Value:
        found = self._by_key(module.name)
        if found is importing and found.scope is not None and found.is_package:
            submodule = self._imported(f"{found.name}.{name}", importing)
            if not isinstance(submodule, UnknownValue):
                return submodule
        return self.member(module.name, name) or UnknownValue(f"{module.name} has no {name}")

    def _from_star(self, module: Value, name: str, scope: LexicalScope, importing: _Module) -> Value | None:
        if not isinstance(module, ModuleValue):
            # Libraries replace what they define by what a C extension has; users do not.
            replaces = importing.external and name in scope.table.bindings
            return UnknownValue(f"{name} may come from an extension module") if replaces else HIDDEN
        found = self._by_key(module.name)
        if found is None:
            value = None if name.startswith("_") else self.member(module.name, name)
            return None if isinstance(value, UnknownValue) else value
        listed = self._scope(found).own("__all__") if "__all__" in self._scope(found).table.bindings else None
        if isinstance(listed, SequenceValue):
            if not any(same(element, ConstantValue(name)) for element in listed.elements):
                return None
        elif listed is None and name.startswith("_"):
            return None
        value = self._scope(found).own(name)
        return None if value is UNBOUND else value

    def _maker(self, scope: LexicalScope) -> Definitions:
        module = self._by_key(scope.module.key)
        names = self._names(module) if module is not None else EntryNames(frozenset())
        return Definitions(calls.call_function_with, names.is_wrapper, self._base_kind)

    # Torch.

    def _torch_value(self, path: str) -> Value | None:
        """What a dotted path in torch (or `math`, ...) denotes; None if torch data do not know it."""
        if path not in self._known_torch:
            self._known_torch[path] = self._look_up_torch(path)
        return self._known_torch[path]

    def _look_up_torch(self, path: str) -> Value | None:
        path = torchnames.HOMES.get(path, path)
        if path in torchnames.TRACE_DECORATORS or path in torchnames.TRANSPARENT:
            return TorchValue(path)
        described = self.torch.python_object(path)
        if isinstance(described, TorchModule):
            return ModuleValue(described.path)
        if described is not None:
            canonical = self.torch.canonical_path(path)
            package, _, name = canonical.rpartition(".")
            of_typing = known.typing_member(name) if package == "typing" else None
            if of_typing is not None:
                return of_typing
            return TorchValue(self._spelling.get(canonical, canonical))
        owner, _, name = path.rpartition(".")
        members = self.torch.members(owner) if owner else None
        return None if members is not None and name not in members else UnknownValue(path)

    @staticmethod
    def _is_of_torch(module: str) -> bool:
        """Whether the compiler meets the module as torch's own, even where its file is part of the workspace."""
        return module.partition(".")[0] == "torch"

    def _replaced(self, scope: LexicalScope, binding: Binding) -> Value | None:
        """What the compiler puts in the place of a name that a file of torch itself defines."""
        if scope.kind != "module" or not self._is_of_torch(scope.key):
            return None
        if not isinstance(binding.source, (Assigned, Defined)):
            return None
        path = f"{scope.key}.{binding.name}"
        described = self.torch.python_object(path)
        replaces = isinstance(described, (BuiltinOperator, BooleanDispatch, SpecialForm))
        return self._torch_value(path) if replaces else None

    def _is_described(self, module: str) -> bool:
        """Whether the module belongs to torch or to the part of the standard library that torch data describe."""
        root = module.partition(".")[0]
        if root not in self._described:
            self._described[root] = self.torch.members(root) is not None
        return self._described[root]

    def _base_kind(self, path: str) -> str:
        """The kind of class that deriving from a class of torch makes."""
        if path == torchnames.MODULE:
            return "module"
        described = self.torch.python_object(path)
        kind = described.kind if isinstance(described, TorchClass) else ""
        return kind if kind in ("module", "exception", "enum", "namedtuple") else "plain"
