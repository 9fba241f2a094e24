"""Compiling a module: which of its methods compile, and in which order.

Owns the phases of recursive scripting: types of the whole tree, then for each module its front end, its submodules, and
the bodies of its properties, `forward` and exports.
Invariant: the failure recorded first is the error torch would show; every method's findings are in its own facts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ts_lsp.records import dataclass
from ts_lsp.semantic import calls, module_hooks, module_inference, modules, sequences, traced
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.facts import AttributeFact, DefinitionFacts, Finding
from ts_lsp.semantic.functions import Compiled
from ts_lsp.semantic.modules import ModuleDefinition, class_member
from ts_lsp.semantic.overloads import Arguments
from ts_lsp.semantic.sugared import NamedArgument, Simple
from ts_lsp.syntax.subset import init_refusal
from ts_lsp.syntax.typecomments import signature_comment
from ts_lsp.torchdata.objects import ModuleFacts
from ts_lsp.types.model import NONE, TENSOR, ClassType, InterfaceType
from ts_lsp.types.relations import is_subtype
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    FunctionValue,
    InstanceValue,
    ModuleObject,
    PartialValue,
    TorchValue,
    UnknownValue,
)

if TYPE_CHECKING:
    from ts_lsp.semantic.program import Program

UNCOMPILED = frozenset({"ignore", "unused", "drop"})


def define(program: Program, value: ModuleObject, recorded: ModuleFacts | None = None) -> ModuleDefinition:
    """The type of a module instance, without compiling anything."""
    known = program.module_definitions.get(value)
    if known is not None:
        program.reach.answered("module", known)
        return known
    definition = ModuleDefinition(value, program, recorded=recorded)
    program.module_definitions[value] = definition
    with program.reach.once("module", definition):
        return _define(program, definition, value)


def _define(program: Program, definition: ModuleDefinition, value: ModuleObject) -> ModuleDefinition:
    definition.type = ClassType(modules.plain_name(definition), definition, is_module=True)
    if value.traced_with is not None:
        _define_traced(program, definition)
        return definition
    context, values = class_context(program, definition), class_context(program, definition)
    module_inference.infer(program, definition, context, values)
    definition.findings.extend((*context.findings, *values.findings))
    if context.failure is not None:
        definition.fail(context.failure, context.failure_unit)
    if values.failure is not None:
        definition.misfit = values.failure, values.failure_unit
    for each in (context, values):
        if each.saw_unknown:
            definition.unsure(each.unknown_reason)
    definition.keep_inferred()
    return definition


def _define_traced(program: Program, definition: ModuleDefinition) -> None:
    """A traced module has the tensors and submodules of the one it recorded, and `forward`. Nothing of it compiles."""
    context = class_context(program, definition)
    module_inference.infer(program, definition, context, context)
    own = {*definition.object.parameters, *definition.object.buffers, "training"}
    is_described = isinstance(definition.object.of, TorchValue)
    definition.attributes = {
        name: type_
        for name, type_ in definition.attributes.items()
        if name in own or (is_described and type_ in (TENSOR, NONE))
    }
    for table in (definition.constants, definition.constant_types, definition.values, definition.schemas):
        table.clear()
    definition.functions = {}
    definition.is_traced = True
    definition.state = "done"
    definition.findings.clear()
    definition.failure = None
    definition.type = type_of(program, definition)
    schema = traced.module_schema(program, definition)
    if schema is None:
        definition.unsure("signature of a traced module")
    else:
        definition.schemas = {"forward": (schema,)}


def class_context(program: Program, definition: ModuleDefinition) -> FunctionContext:
    """A context for what is reported at the class itself."""
    value = definition.value
    if value is None:
        return program.blank_context(definition.type.qualname)
    return program.class_context(value)


def type_of(program: Program, definition: ModuleDefinition) -> ClassType:
    """The type a definition shares with equal instances; further ones of a class get a mangled name."""
    plain = modules.plain_name(definition)
    key = modules.type_key(definition)
    known = program.module_types.setdefault(plain, [])
    for other, type_ in known:
        if other == key:
            return type_
    name = plain
    if known:
        package, _, last = plain.rpartition(".")
        name = f"{package}.___torch_mangle_{len(known) - 1}.{last}"
    type_ = ClassType(name, definition, is_module=True)
    known.append((key, type_))
    return type_


def compile_root(program: Program, definition: ModuleDefinition) -> ModuleDefinition:
    """Compile a module that is itself handed to the compiler, which reads the text of its `__init__`."""
    if definition.state == "new":
        _adopt_types(definition)
        _check_init(definition)
    return compile_module(program, definition)


def _check_init(definition: ModuleDefinition) -> None:
    init = class_member(definition.value, "__init__") if definition.value is not None else None
    if not isinstance(init, FunctionValue) or not isinstance(init.node, ast.FunctionDef):
        return
    refusal = init_refusal(init.node, init.unit.chunk)
    if refusal is None:
        return
    finding = Finding(refusal.code, refusal.place, init.qualname, refusal.data, (), refusal.node)
    definition.fail(finding, init.unit)
    if definition.value is not None and init.unit is definition.value.unit:
        definition.findings.append(finding)


def compile_module(
    program: Program, definition: ModuleDefinition, asked: tuple[str, ...] | None = None
) -> ModuleDefinition:
    """Compile a module and everything below it, once; behind an interface with the methods `asked` for."""
    if definition.state != "new":
        program.reach.note(definition)
        return definition
    definition.state = "running"
    with program.reach.within(definition):
        program.reach.answered("module", definition)
        _adopt_types(definition)
        entries = _entries(definition)
        if asked is not None:
            found = {name: definition.member(name) for name in asked}
            methods = {name: function for name, function in found.items() if isinstance(function, FunctionValue)}
            entries = Entries(entries.properties, methods)
        _compile(program, definition, entries, asked)
    definition.state = "done"
    return definition


def _compile(program: Program, definition: ModuleDefinition, entries: Entries, asked: tuple[str, ...] | None) -> None:
    """The phases of one module behind the types: front end, values, submodules, bodies, hooks."""
    value = definition.value
    if value is not None:
        _check_class(program, definition, value, entries)
    if definition.misfit is not None:
        definition.fail(*definition.misfit)
    for name, child in definition.submodules.items():
        if isinstance(child, ModuleDefinition):
            _adopt(definition, compile_module(program, child, asked))
            if child.value is None:
                _check_hooks(program, definition, child)
                _adopt_refusal(program, definition, child, name)
        elif isinstance(child, InterfaceType) and name in definition.implementations:
            _compile_implementation(program, definition, name, child)
    _check_sequences(program, definition)
    definition.unfinished = frozenset((*entries.methods.values(), *(_overloaded(value) if value is not None else ())))
    for each in entries.properties:
        _compile_method(program, definition, each)
    if value is not None:
        _compile_overloads(program, definition, value)
    for name, function in entries.methods.items():
        _compile_method(program, definition, function)
        definition.remember(name, program.compile_function(function, definition))
    definition.unfinished = frozenset()
    for hook in module_hooks.compile_hooks(program, definition):
        _adopt_method(definition, hook)


def _check_hooks(program: Program, parent: ModuleDefinition, definition: ModuleDefinition) -> None:
    """Hooks that are objects and no functions, told at the class of `parent`: the module itself, or the one around."""
    for hook in (*definition.object.hooks, *definition.object.pre_hooks):
        if isinstance(hook, UnknownValue):
            definition.unsure(hook.reason)
        elif not isinstance(hook, FunctionValue) and parent.value is not None and parent.value.node is not None:
            context = class_context(program, parent)
            context.report("invalid-hook", parent.value.node, reason="object")
            parent.findings.extend(context.findings)
            if context.failure is not None:
                parent.fail(context.failure, context.failure_unit)


def _compile_implementation(
    program: Program, definition: ModuleDefinition, name: str, interface: InterfaceType
) -> None:
    """A submodule behind an interface: only what that declares compiles, in all that is below it too; it has to fit."""
    child = definition.implementations[name]
    wanted = tuple(interface.definition.method_schemas()) if interface.definition is not None else ()
    lacking = any(_lacks(each, wanted) for each in tree_of(child))
    if not lacking:
        _adopt(definition, compile_module(program, child, wanted))
        lacking = child.failure is None and not child.saw_unknown and not is_subtype(child.type, interface)
    if lacking:
        module_inference.refuse_implementation(definition, class_context(program, definition), name, interface)


def _lacks(definition: ModuleDefinition, names: Iterable[str]) -> bool:
    """Whether a module has no method of one of these names; the `forward` of `nn.Module` itself is none."""
    if definition.saw_unknown or definition.is_traced:
        return False
    is_sequence = definition.container == "torch.nn.Sequential"
    found = ((name, definition.member(name)) for name in names)
    return any(
        member is None and name not in definition.schemas and not (is_sequence and name == "forward")
        for name, member in found
    )


def _adopt_types(definition: ModuleDefinition) -> None:
    """What the types of the whole tree fail at comes before anything that compiles."""
    for each in tree_of(definition):
        if each.failure is not None:
            definition.fail(each.failure, each.failure_unit)


def _compile_overloads(program: Program, definition: ModuleDefinition, value: ClassValue) -> None:
    """The variants of overloaded methods, called or not. Those of base classes do not count."""
    for function in _overloaded(value):
        for declaration in function.overloads:
            if not _has_signature(declaration):
                definition.unsure(f"overload of {function.name} without annotations")
            _adopt_method(definition, program.compile_overload(function, declaration, definition))


def _has_signature(declaration: FunctionValue) -> bool:
    """Whether a declaration says any type; torch wants one, and names no line."""
    node = declaration.node
    if not isinstance(node, ast.FunctionDef):
        return False
    annotated = node.returns is not None or any(each.annotation is not None for each in node.args.args)
    return annotated or signature_comment(node, declaration.unit.chunk) is not None


def tree_of(definition: ModuleDefinition) -> Iterator[ModuleDefinition]:
    """A module and all below it, each once."""
    seen: set[ModuleDefinition] = set()
    pending = [definition]
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        yield current
        if current.is_traced:
            continue
        children = [each for each in current.submodules.values() if isinstance(each, ModuleDefinition)]
        pending.extend(reversed(children))


def whole_tree(definition: ModuleDefinition) -> tuple[ModuleDefinition, ...]:
    """As `tree_of`, of a module that has compiled."""
    if definition.tree is None:
        definition.tree = tuple(tree_of(definition))
    return definition.tree


def _adopt(definition: ModuleDefinition, child: ModuleDefinition) -> None:
    """A submodule's failure is the parent's too. Of torch's own modules it is known whether they compile."""
    if child.failure is not None:
        definition.fail(child.failure, child.failure_unit)
    is_recorded = definition.value is None and not definition.container
    if child.saw_unknown and not is_recorded:
        definition.is_unsure_below = True


def _adopt_refusal(program: Program, definition: ModuleDefinition, child: ModuleDefinition, name: str) -> None:
    """A class of torch that does not compile is told where the first class with text makes a module of it."""
    if child.refusal is None:
        return
    value = definition.value
    if value is None or value.node is None:
        definition.refusal = definition.refusal or child.refusal
        return
    context = class_context(program, definition)
    path, refusal = child.refusal
    if "uninitialized" in refusal:
        return  # told before anything compiles
    place = module_inference.assignment(value.node, name) or value.node
    context.report("uncompilable-torch-function", place, path=path, refusal=refusal, is_module=True)
    definition.findings.extend(context.findings)
    if context.failure is not None:
        definition.fail(context.failure, context.failure_unit)


def _check_sequences(program: Program, definition: ModuleDefinition) -> None:
    """What is wrong inside plain containers is told where their holder's text makes them."""
    value = definition.value
    if value is None or value.node is None:
        return
    context = class_context(program, definition)
    for name, child in definition.submodules.items():
        if isinstance(child, ModuleDefinition) and child.container and child.value is None:
            check_sequences(program, child, context, module_inference.assignment(value.node, name) or value.node)
    if not isinstance(class_member(value, "forward"), FunctionValue):
        _check_sequence(program, definition, context, value.node)
    definition.findings.extend(context.findings)
    if context.failure is not None:
        definition.fail(context.failure, context.failure_unit)


def check_sequences(program: Program, definition: ModuleDefinition, context: FunctionContext, place: ast.AST) -> None:
    """The `forward` of a plain `nn.Sequential` compiles, called or not. It has no text here, so `place` is told."""
    for sequence in _plain_containers(definition):
        _check_sequence(program, sequence, context, place)


def _check_sequence(program: Program, sequence: ModuleDefinition, context: FunctionContext, place: ast.AST) -> None:
    fault = sequences.result(program, sequence) if sequence.container == "torch.nn.Sequential" else None
    if isinstance(fault, sequences.Fault):
        call = calls.call_without_text(place)
        written = ast.copy_location(ast.Name(fault.element, ast.Load()), place)
        given = Arguments([NamedArgument(Simple(fault.argument), written)])
        calls.report_mismatch(context, place, fault.element, given, fault.mismatches, call=call)


def _plain_containers(definition: ModuleDefinition) -> Iterator[ModuleDefinition]:
    """Containers without a text of their own, from the inside out."""
    if definition.value is None and definition.container and not definition.is_traced:
        for child in definition.submodules.values():
            if isinstance(child, ModuleDefinition):
                yield from _plain_containers(child)
        yield definition


def _check_class(program: Program, definition: ModuleDefinition, value: ClassValue, entries: Entries) -> None:
    """What stops a module before any body is compiled: no initialisation, or the front end of its entry methods."""
    if not definition.object.is_initialised and value.node is not None:
        context = class_context(program, definition)
        context.report("module-not-initialised", value.node, name=value.name)
        definition.findings.extend(context.findings)
        if context.failure is not None:
            definition.fail(context.failure, context.failure_unit)
    _check_members(program, definition, value)
    _check_hooks(program, definition, definition)
    hooks = (*definition.object.hooks, *definition.object.pre_hooks)
    read = [*_overloaded(value), *entries.methods.values(), *entries.properties, *hooks]
    for function in (each for each in read if isinstance(each, FunctionValue)):
        for refusal in program.refusals(function, is_method=True):
            failure = Finding(refusal.code, refusal.place, function.qualname, refusal.data, (), refusal.node)
            definition.fail(failure, function.unit)
            return


def _check_members(program: Program, definition: ModuleDefinition, value: ClassValue) -> None:
    """What would have to be a function and is none: a property without a getter, a `forward` that is another object."""
    forward = definition.member("forward")
    is_object = isinstance(forward, ConstantValue) or (isinstance(forward, PartialValue) and forward.kind != "method")
    names = ["forward"] if is_object and not modules.is_script_module(value) else []
    for name, member in sorted(value.members.items()):
        if isinstance(member, InstanceValue) and member.of == BuiltinValue("property"):
            names.append(name)
    for name in names:
        context = class_context(program, definition)
        context.report("source-unavailable", _assignment(value, name), name=name)
        definition.findings.extend(context.findings)
        if context.failure is not None:
            definition.fail(context.failure, context.failure_unit)


def _assignment(value: ClassValue, name: str) -> ast.AST:
    """Where the class body assigns a name; the class itself where that is elsewhere."""
    assert value.node is not None
    for each in value.node.body:
        targets = each.targets if isinstance(each, ast.Assign) else ()
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return each
    return value.node


@dataclass(frozen=True, slots=True)
class Entries:
    """What of a module compiles by itself: its properties (getters and setters), and methods by name, in order."""

    properties: Sequence[FunctionValue]
    methods: Mapping[str, FunctionValue]


def _entries(definition: ModuleDefinition) -> Entries:
    """Properties, `forward` and exports, each kind in the order their bodies compile."""
    value = definition.value
    if value is None:
        return Entries((), {})
    members = _members(value)
    if modules.is_script_module(value):
        members.update(definition.object.defined)
        return Entries((), {name: each for name, each in sorted(members.items()) if "script_method" in each.modifiers})
    properties: list[FunctionValue] = []
    for name, each in sorted(members.items()):
        if modules.is_compiled_property(value, name, each):
            properties.extend(function for function in (each, each.setter) if function is not None)
    methods: dict[str, FunctionValue] = {}
    forward = definition.member("forward")
    if isinstance(forward, (UnknownValue, TorchValue)):
        definition.unsure(forward.reason if isinstance(forward, UnknownValue) else forward.path)
    if isinstance(forward, FunctionValue) and not forward.modifiers & UNCOMPILED:
        methods["forward"] = forward
    for name, each in sorted(members.items()):
        if "export" in each.modifiers and "property" not in each.modifiers:
            methods.setdefault(name, each)
    refused = {"unknown", "overload"}
    known = {name: each for name, each in methods.items() if not each.modifiers & refused and not each.overloads}
    return Entries([each for each in properties if "unknown" not in each.modifiers], known)


def _overloaded(value: ClassValue) -> list[FunctionValue]:
    """The methods of the class itself that have variants."""
    members = (member for _, member in sorted(value.members.items()))
    return [each for each in members if isinstance(each, FunctionValue) and each.overloads]


def _members(value: ClassValue) -> dict[str, FunctionValue]:
    """The functions of a class and its bases, nearest first."""
    members = modules.members_of(value)
    return {name: member for name, member in members.items() if isinstance(member, FunctionValue)}


def _compile_method(program: Program, definition: ModuleDefinition, function: FunctionValue) -> None:
    _adopt_method(definition, program.compile_function(function, definition))


def _adopt_method(definition: ModuleDefinition, compiled: Compiled) -> None:
    """A method's failure is the module's too."""
    if compiled.failure is not None:
        definition.fail(compiled.failure, compiled.failure_unit or compiled.value.unit)
    if compiled.saw_unknown:
        definition.is_unsure_below = True
        definition.unknown_reason = definition.unknown_reason or compiled.unknown_reason


def forward_schemas(program: Program, definition: ModuleDefinition) -> tuple[Schema, ...]:
    """The schemas `forward` of a module may have; none where it does not compile or is not known."""
    if sequences.is_sequence(definition):
        return (sequences.forward_schema(program, definition),)
    forward = definition.member("forward")
    if isinstance(forward, FunctionValue):
        compiled = program.compile_function(forward, definition)
        return (compiled.schema,) if compiled.schema is not None and compiled.failure is None else ()
    return definition.schemas.get("forward", ())


def method_schemas(program: Program, definition: ModuleDefinition) -> dict[str, Schema]:
    """The schemas of the methods that are compiled, by name."""
    found = {name: schemas[0] for name, schemas in definition.schemas.items() if schemas}
    if sequences.is_sequence(definition):
        found["forward"] = sequences.forward_schema(program, definition)
    for name, compiled in definition.canonical.methods.items():
        program.reach.note_glance(compiled)
        if compiled.schema is not None and not compiled.running:
            found[name] = compiled.schema
    return found


def verdict(definition: ModuleDefinition) -> str:
    """What the compiler says of a compiled module."""
    if definition.failure is not None:
        return "error"
    return "unknown" if definition.saw_unknown or definition.is_unsure_below else "ok"


def facts(definition: ModuleDefinition) -> DefinitionFacts | None:
    """The facts of a compiled module at its class; None for classes of torch."""
    value = definition.value
    if value is None or value.node is None:
        return None
    if definition.facts is None or definition.facts.node is not value.node:
        definition.facts = _facts(definition, value, value.node)
    return definition.facts


def _facts(definition: ModuleDefinition, value: ClassValue, node: ast.ClassDef) -> DefinitionFacts:
    return DefinitionFacts(
        qualname=value.qualname,
        kind="module",
        unit=value.unit,
        node=node,
        verdict=verdict(definition),
        first_error=definition.failure,
        schema=None,
        findings=tuple(definition.findings),
        first_error_unit=definition.failure_unit,
        unknown_reason=definition.unknown_reason,
        attributes=tuple(_attributes(definition)),
    )


def _attributes(definition: ModuleDefinition) -> Iterator[AttributeFact]:
    """What an instance has in compiled code, and what of it the compiler leaves out."""
    tables = {"parameter": definition.object.parameters, "buffer": definition.object.buffers}
    for name, type_ in definition.attributes.items():
        yield AttributeFact(name, next((kind for kind, table in tables.items() if name in table), "attribute"), type_)
    for name, type_ in definition.constant_types.items():
        yield AttributeFact(name, "constant", type_)
    for name, child in definition.submodules.items():
        yield AttributeFact(name, "module", child.type if isinstance(child, ModuleDefinition) else child)
    for name in definition.values:
        yield AttributeFact(name, "function", None)
    for name, python_type in definition.dropped.items():
        yield AttributeFact(name, "dropped", None, f"a Python object of type {python_type} has no TorchScript type")
