"""What an instance of an nn.Module has, and of which type.

Owns the inference of a `ModuleDefinition` from what `__init__` left: parameters, buffers, submodules, constants, and
the other attributes by their values or class annotations.
Invariant: nothing is compiled here; what the source does not show makes the definition unsure.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ts_lsp.records import dataclass
from ts_lsp.semantic import casts, inference, written_types
from ts_lsp.semantic.containers import is_dict_key
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.inference import Dropped
from ts_lsp.semantic.modules import (
    NOT_ATTRIBUTES,
    ModuleDefinition,
    class_annotations,
    class_member,
    container_kind,
    is_script_module,
    lineage,
    listed_names,
    members_of,
    strings_in,
    torch_base,
)
from ts_lsp.semantic.recorded_modules import infer_recorded
from ts_lsp.types.annotations import AnnotationProblem
from ts_lsp.types.model import (
    BOOL,
    NONE,
    TENSOR,
    UNKNOWN,
    DictType,
    InterfaceType,
    OptionalType,
    Type,
)
from ts_lsp.types.relations import contains_unknown, make_optional
from ts_lsp.values import known
from ts_lsp.values.inheritance import is_final
from ts_lsp.values.model import (
    ClassValue,
    ConstantValue,
    CyclicValue,
    FieldValue,
    FunctionValue,
    InstanceValue,
    ModuleObject,
    TorchValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.running.objects import UNINITIALISED_BUFFER, UNINITIALISED_PARAMETER, is_of

if TYPE_CHECKING:
    from ts_lsp.semantic.program import Program

ATTRIBUTE = TorchValue("torch.jit.Attribute")


@dataclass(frozen=True, slots=True)
class Inference:
    """One module whose types are being inferred, and where what is refused is reported.

    `ctx` takes what stops the inference itself, `values` the values that do not fit their types: torch finds those when
    it copies values, after it has read the text of the methods.
    """

    program: Program
    definition: ModuleDefinition
    ctx: FunctionContext
    values: FunctionContext
    annotations: Mapping[str, FieldValue]

    @property
    def module(self) -> ModuleObject:
        return self.definition.object


def infer(program: Program, definition: ModuleDefinition, ctx: FunctionContext, values: FunctionContext) -> None:
    """Fill the tables of a definition from its object; refused annotations and constants are reported in `ctx`."""
    module = definition.object
    definition.container = container_kind(module.of)
    value = definition.value
    base = torch_base(module.of)
    if base is not None:
        infer_recorded(program, definition, base)
    annotations = class_annotations(value) if value is not None else {}
    of = Inference(program, definition, ctx, values, annotations)
    constants = _constant_names(definition, annotations)
    ignored = _listed(definition, "__jit_ignored_attributes__")
    for name, tensor in (*module.parameters.items(), *module.buffers.items()):
        if name not in ignored:
            definition.attributes[name] = _tensor_type(of, annotations.get(name), tensor)
    for name, child in module.modules.items():
        if name not in ignored:
            _infer_submodule(of, name, child, annotations.get(name))
    if value is not None:
        definition.attributes["training"] = BOOL
        is_annotated = bool(annotations) or is_script_module(value) or bool(definition.container)
        # Annotated in `nn.Module`, which counts only for classes that have no annotations themselves.
        inherited = definition.attributes.get("_is_full_backward_hook", make_optional(BOOL))
        definition.attributes["_is_full_backward_hook"] = NONE if is_annotated else inherited
    _infer_constants(of, constants)
    if value is not None:
        _check_properties(of, value, ignored)
    _refuse_bare_declarations(program, definition)
    for name, attribute in module.attributes.items():
        if name.startswith("__") or name in NOT_ATTRIBUTES or name in constants or name in ignored:
            continue
        _infer_attribute(of, name, attribute, annotations.get(name))
    if not module.is_complete:
        definition.unsure("attributes set by code that is not known")
    definition.type = program.module_type(definition)


def _tensor_type(of: Inference, annotation: FieldValue | None, value: Value) -> Type:
    """A parameter's or buffer's type: Tensor, or for None what the annotation makes of it."""
    is_none = isinstance(value, ConstantValue) and value.value is None
    if annotation is not None:
        _check_tensor_annotation(of, annotation, is_none)
    if is_none:
        return _declared_tensor(of.ctx, annotation) or NONE
    if isinstance(value, UnknownValue):
        of.definition.unsure(value.reason)
        return UNKNOWN
    node = of.definition.value.node if of.definition.value is not None else None
    if node is not None and any(is_of(value, each) for each in (UNINITIALISED_PARAMETER, UNINITIALISED_BUFFER)):
        of.ctx.report("uninitialised-parameter", node, name=node.name)
    return _declared_tensor(of.ctx, annotation) or TENSOR


def _check_tensor_annotation(of: Inference, annotation: FieldValue, is_none: bool) -> None:
    """Parameters and buffers may only be annotated as what they can be, and as what they are."""
    declared = written_types.attribute_annotation(of.ctx, annotation)
    allowed = (NONE, OptionalType(TENSOR)) if is_none else (NONE, TENSOR, OptionalType(TENSOR))
    if not isinstance(declared, Type):
        _refuse_annotation(of.definition, of.ctx, annotation.name, annotation, declared)
    elif declared not in allowed and not contains_unknown(declared):
        _refuse_value(of.definition, of.ctx, annotation.name, declared, annotation)


def _declared_tensor(ctx: FunctionContext, annotation: FieldValue | None) -> Type | None:
    """`Tensor` or `Optional[Tensor]`, where the class annotation of a parameter or buffer says so."""
    declared = None if annotation is None else written_types.attribute_annotation(ctx, annotation)
    return declared if isinstance(declared, OptionalType) or declared == TENSOR else None


def _infer_submodule(of: Inference, name: str, child: Value, annotation: FieldValue | None) -> None:
    definition, ctx = of.definition, of.ctx
    declared: Type | None = None
    if annotation is not None:
        found = written_types.attribute_annotation(ctx, annotation)
        declared = found if isinstance(found, Type) else None
        if declared is None:
            _refuse_annotation(definition, ctx, name, annotation, None)
    if isinstance(child, ConstantValue) and child.value is None:
        definition.attributes[name] = NONE if declared is None else declared
        if declared is not None and casts.accepts(ctx, child, declared) is False:
            _refuse_value(definition, of.values, name, declared, annotation)
        return
    _refuse_submodule(definition, of.values, name, child)
    if isinstance(declared, InterfaceType):
        definition.submodules[name] = declared
        if isinstance(child, ModuleObject):
            definition.implementations[name] = of.program.define_module(child)
        return
    if declared is not None and not contains_unknown(declared):
        _refuse_value(definition, ctx, name, declared, annotation)
    if isinstance(child, ModuleObject):
        definition.submodules[name] = of.program.define_module(child)
        return
    definition.submodules[name] = None
    if isinstance(child, CyclicValue):
        _refuse_cycle(definition, ctx, name)
    else:
        definition.unsure(f"submodule {name}")


def _refuse_cycle(definition: ModuleDefinition, ctx: FunctionContext, name: str) -> None:
    """A module that can be reached from itself."""
    node = definition.value.node if definition.value is not None else None
    if node is not None:
        ctx.report("self-containing-class", node, name=name, type=definition.type)


def _refuse_submodule(definition: ModuleDefinition, ctx: FunctionContext, name: str, child: Value) -> None:
    """A submodule that cannot be reached by its name, or is not complete before it ran."""
    value = definition.value
    if value is None or value.node is None:
        return
    if class_member(value, name) is not None:
        ctx.report("shadowed-submodule", assignment(value.node, name) or value.node, name=name)
    of = child.of if isinstance(child, ModuleObject) else None
    if isinstance(of, TorchValue) and of.path.rpartition(".")[2].startswith("Lazy"):
        place = assignment(value.node, name) or value.node
        ctx.report("uninitialised-parameter", place, name=of.path.rpartition(".")[2])


def assignment(node: ast.ClassDef, name: str) -> ast.Attribute | None:
    """Where the class assigns `self.name`."""
    for each in ast.walk(node):
        if not (isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) and each.attr == name):
            continue
        if isinstance(each.value, ast.Name) and each.value.id == "self":
            return each
    return None


def _listed(definition: ModuleDefinition, name: str) -> frozenset[str]:
    """The names in a list of the object, or else of the nearest class that has one of that name."""
    own = definition.object.attributes.get(name)
    return listed_names(definition.value, name) if own is None else strings_in(own)


def _constant_names(definition: ModuleDefinition, annotations: Mapping[str, FieldValue]) -> frozenset[str]:
    """Names in `__constants__` of the object or the nearest class, and those annotated `Final`."""
    if definition.value is None:
        return frozenset()
    names = set(_listed(definition, "__constants__"))
    for name, each in annotations.items():
        if is_final(each):
            names.add(name)
    return frozenset(names)


def _infer_constants(of: Inference, names: frozenset[str]) -> None:
    definition, ctx, module = of.definition, of.ctx, of.module
    for name in sorted(names):
        if name in definition.attributes or name in definition.submodules:
            if name in module.modules and name in definition.attributes:
                _refuse_constant(definition, ctx, name, "module that is None")
            continue
        value = module.attributes.get(name)
        if value is None and definition.value is not None:
            value = class_member(definition.value, name)
        if isinstance(value, FunctionValue) and "property" in value.modifiers:
            value = module.read_properties.get(name, UnknownValue(f"property {name}"))
        if value is None:
            continue
        type_ = inference.constant_type(ctx, value)
        if isinstance(type_, Dropped):
            _refuse_constant(definition, ctx, name, type_.python_type)
            continue
        definition.constants[name] = value
        definition.constant_types[name] = type_


def _refuse_bare_declarations(program: Program, definition: ModuleDefinition) -> None:
    """Methods of the class itself that only declare overloads stop it, called or not."""
    for member in definition.value.members.values() if definition.value is not None else ():
        if isinstance(member, FunctionValue) and "overload" in member.modifiers:
            compiled = program.compile_function(member, definition)
            if compiled.failure is not None:
                definition.fail(compiled.failure, compiled.failure_unit)


def _check_properties(of: Inference, value: ClassValue, ignored: frozenset[str]) -> None:
    """Python reads every property of the class before anything compiles."""
    for name, member in sorted(members_of(value).items()):
        if isinstance(member, FunctionValue) and "property" in member.modifiers and name not in ignored:
            raised = _raised_at_once(member)
            if raised is None:
                continue
            if member.unit.chunk is not of.ctx.unit.chunk:
                of.ctx.unknown(f"property {name}")
            else:
                of.ctx.report("failing-property", member.node, name=name, exception=raised)


def _raised_at_once(getter: FunctionValue) -> str | None:
    """The builtin exception that a getter raises whatever happens, but for the one that means a missing name."""
    body = getter.node.body if isinstance(getter.node, ast.FunctionDef) else []
    statements = [each for each in body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
    exception = statements[0].exc if statements and isinstance(statements[0], ast.Raise) else None
    name = exception.func if isinstance(exception, ast.Call) else exception
    raised = name.id if isinstance(name, ast.Name) else ""
    return raised if known.is_exception(raised) and raised != "AttributeError" else None


def _refuse_constant(definition: ModuleDefinition, ctx: FunctionContext, name: str, python_type: str) -> None:
    node = definition.value.node if definition.value is not None else None
    if node is not None:
        ctx.report("invalid-constant", node, name=name, python_type=python_type)


def _infer_attribute(of: Inference, name: str, value: Value, annotation: FieldValue | None) -> None:
    definition, ctx = of.definition, of.ctx
    given: Type | AnnotationProblem | None = None
    if isinstance(value, InstanceValue) and value.of == ATTRIBUTE:
        value, given = _unwrapped(of, name, value)
    if inference.is_callable(ctx, value):
        definition.values[name] = value
        return
    if isinstance(value, FunctionValue):  # one that does not compile: its annotation is never read
        definition.dropped[name] = "function"
        return
    if annotation is not None and not is_final(annotation):
        declared = written_types.attribute_annotation(ctx, annotation)
        if isinstance(declared, Type):
            definition.attributes[name] = declared
            if casts.accepts(ctx, value, declared) is False:
                _refuse_value(definition, of.values, name, declared, annotation)
        else:
            _refuse_annotation(definition, ctx, name, annotation, declared)
            definition.attributes[name] = UNKNOWN
        return
    found = inference.value_type(ctx, value) if given is None else given
    if isinstance(found, AnnotationProblem):
        _refuse_annotation(definition, ctx, name, None, found)
        definition.attributes[name] = UNKNOWN
    elif isinstance(found, Dropped):
        definition.dropped[name] = found.python_type
    elif found is None:
        definition.attributes[name] = UNKNOWN
        reason = value.reason if isinstance(value, UnknownValue) else type(value).__name__
        definition.unsure(f"value of {name}: {reason}")
    else:
        definition.attributes[name] = found
        _check_inferred(of, name, value, found)


def _unwrapped(of: Inference, name: str, value: InstanceValue) -> tuple[Value, Type | AnnotationProblem | None]:
    """The value inside a `torch.jit.Attribute`, and the type that stands beside it."""
    given = (*value.arguments, *(each for _, each in value.keywords))
    if len(given) != 2:
        return UnknownValue(f"attribute {name}"), None
    field = FieldValue(name, None, given[1], None)
    return given[0], written_types.attribute_annotation(of.ctx, field)


def _check_inferred(of: Inference, name: str, value: Value, found: Type) -> None:
    """Values that have a type, but cannot be an attribute of it."""
    node = of.definition.value.node if of.definition.value is not None else None
    if node is None:
        return
    if isinstance(found, DictType) and not contains_unknown(found) and not is_dict_key(found.key):
        of.ctx.report("invalid-dict-key", node, key=found.key)
    if casts.accepts(of.ctx, value, found) is False:
        of.values.report("attribute-value-mismatch", node, name=name, expected=found)


def _refuse_value(
    definition: ModuleDefinition, ctx: FunctionContext, name: str, declared: Type, annotation: FieldValue | None
) -> None:
    """A value that does not fit its class annotation, told where that is written."""
    if annotation is None or annotation.annotation is None or not _is_own(definition, ctx):
        ctx.unknown(f"value of {name}")
        return
    ctx.report("attribute-value-mismatch", annotation.annotation, name=name, expected=declared)


def refuse_implementation(
    definition: ModuleDefinition, ctx: FunctionContext, name: str, interface: InterfaceType
) -> None:
    """A submodule without what its interface declares."""
    annotations = class_annotations(definition.value) if definition.value is not None else {}
    _refuse_value(definition, ctx, name, interface, annotations.get(name))
    definition.findings.extend(ctx.findings)
    if ctx.failure is not None:
        definition.fail(ctx.failure, ctx.failure_unit)
    if ctx.saw_unknown:
        definition.unsure(ctx.unknown_reason)


def _is_own(definition: ModuleDefinition, ctx: FunctionContext) -> bool:
    """Whether the annotations that count stand in the text of the context."""
    owner = _annotating_class(definition)
    return owner is not None and owner.unit.chunk is ctx.unit.chunk


def _annotating_class(definition: ModuleDefinition) -> ClassValue | None:
    if definition.value is None:
        return None
    return next((each for each in lineage(definition.value) if isinstance(each, ClassValue) and each.fields), None)


def _refuse_annotation(
    definition: ModuleDefinition,
    ctx: FunctionContext,
    name: str,
    annotation: FieldValue | None,
    problem: AnnotationProblem | None,
) -> None:
    """A class annotation that is no type, told where it is written."""
    if annotation is None or annotation.annotation is None or not _is_own(definition, ctx):
        ctx.unknown(f"annotation of {name}")
        return
    written = annotation.annotation
    code = problem.code if problem is not None else "unsupported-annotation"
    ctx.report(code, written, part=ast.unparse(written), name=name, reason="attribute")
