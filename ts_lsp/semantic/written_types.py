"""Annotations inside a definition: from the names the definition sees to types.

Owns the bridge between Python values and the annotation reader, the fields of NamedTuples and the signatures of
functions the compiler only calls back into.
Invariant: a refused annotation is reported once and gives None; one that rests on something unknown gives UNKNOWN.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ts_lsp.records import dataclass, replace
from ts_lsp.semantic import classes, lookup, opaque_objects
from ts_lsp.semantic.class_definitions import ClassDefinition
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.naming import qualified_name
from ts_lsp.semantic.sugared import OpaqueCallable
from ts_lsp.syntax.typecomments import SignatureComment, signature_comment
from ts_lsp.syntax.walking import walk
from ts_lsp.text import Range, range_of
from ts_lsp.torchdata import objects
from ts_lsp.types.annotations import (
    AnnotationProblem,
    AppliedDenotation,
    Denotation,
    GenericDenotation,
    NotAType,
    ParameterType,
    TypeDenotation,
    UnknownDenotation,
    object_type,
    read_annotation,
    read_parameter_annotation,
)
from ts_lsp.types.model import (
    ANY,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    GENERATOR,
    INFERRED_TENSOR,
    INT,
    NONE,
    STR,
    STREAM,
    TENSOR,
    UNKNOWN,
    ClassType,
    TupleType,
    Type,
)
from ts_lsp.types.relations import contains_unknown
from ts_lsp.types.schema import Argument, Schema
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    FieldValue,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    PartialValue,
    ScriptedValue,
    SequenceValue,
    TorchValue,
    TypingValue,
    UnknownValue,
    Value,
)

# An empty class of Python's, which compiles as any other; no number is an instance of what that gives.
PYTHON_NUMBER = ClassType("__torch__.numbers.Number")
BUILTIN_TYPES: dict[str, Type] = {"int": INT, "float": FLOAT, "bool": BOOL, "str": STR, "complex": COMPLEX}
BUILTIN_GENERICS = frozenset({"list", "dict", "tuple"})
TYPING_GENERICS = frozenset({"List", "Dict", "Tuple", "Optional", "Union", "Future", "RRef", "Await"})

TORCH_TYPES: dict[str, Type] = {
    "torch.Tensor": TENSOR,
    "torch.nn.Parameter": TENSOR,
    "torch.nn.parameter.Parameter": TENSOR,
    "torch.device": DEVICE,
    "torch.Generator": GENERATOR,
    "torch.Stream": STREAM,
    "torch.dtype": INT,
    "torch.qscheme": INT,
    "torch.SymInt": INT,
}

TORCH_GENERICS = {
    "torch.jit.Future": "Future",
    "torch.futures.Future": "Future",
    "torch._C.Future": "Future",
    "torch.jit._Await": "Await",
    "torch._awaits._Await": "Await",
    "torch.distributed.rpc.RRef": "RRef",
}


@dataclass(slots=True)
class DefinitionNames:
    """The names an annotation of one definition sees."""

    ctx: FunctionContext
    node: ast.expr
    field: ast.expr | None = None
    """The annotation of a NamedTuple's field that is read, where `node` names the NamedTuple."""

    def denotation(self, dotted: str) -> Denotation | None:
        """What `dotted` means here; None where it is undefined or None."""
        first, *rest = dotted.split(".")
        value = lookup.python_name(self.ctx, first, in_annotation=True)
        for name in rest:
            if value is None:
                return None
            value = member_of(self.ctx, value, name)
        if value is None or (isinstance(value, ConstantValue) and value.value is None):
            return None
        if isinstance(value, ClassValue) and self._is_being_declared(value):
            return None
        quoted = _quoted_field(value) if isinstance(value, ClassValue) and self._is_evaluated() else None
        if quoted is not None:
            self.ctx.report("invalid-namedtuple", self.node, name=dotted, field=quoted)
            return UnknownDenotation()
        return denotation_of(self.ctx, value, self.node)

    def evaluates(self, written: ast.expr | str) -> bool:
        """A class that compiles because it is mentioned knows its module's names, and no other texts than these: the
        annotations of its methods' parameters and results, as they are written."""
        owner = self.ctx.owner
        if not isinstance(owner, ClassDefinition) or self.ctx.program.is_scripted(owner.value):
            return True
        if isinstance(written, ast.Name):
            return True
        text = written if isinstance(written, str) else self._text(written)
        return text.isidentifier() or text in owner.signature_texts

    def _text(self, node: ast.expr) -> str:
        lines = self.ctx.unit.chunk.lines
        return lines.slice(range_of(node, lines)) if hasattr(node, "lineno") else ast.unparse(node)

    def _is_being_declared(self, value: ClassValue) -> bool:
        """Whether this is the interface to which the annotation belongs: its name does not exist yet."""
        owner = self.ctx.function.owner
        return value.kind == "interface" and owner is not None and owner.node is value.node

    def _is_evaluated(self) -> bool:
        """Whether the name stands inside an annotation that is read off a Python object, and not as it is written."""
        written = self.node if self.field is None else self.field
        constants = [each.value for each in ast.walk(written) if isinstance(each, ast.Constant)]
        return isinstance(written, ast.Subscript) and not any(
            each is None or isinstance(each, str) for each in constants
        )


def _quoted_field(value: ClassValue) -> str | None:
    """The first field of a NamedTuple whose type is text: inside a container nothing resolves it."""
    if value.kind != "namedtuple":
        return None
    for field in value.fields:
        if isinstance(field.annotation_value, ConstantValue) and isinstance(field.annotation_value.value, str):
            return field.name
    return None


def member_of(ctx: FunctionContext, value: Value, name: str) -> Value | None:
    """Attribute `name` of a Python value, as far as annotations need it."""
    if isinstance(value, ModuleValue):
        return ctx.program.modules.member(value.name, name)
    if isinstance(value, ClassValue):
        return value.members.get(name, UnknownValue() if value.kind == "unknown" else None)
    if isinstance(value, TorchValue):
        return TorchValue(f"{value.path}.{name}")
    return UnknownValue()


def denotation_of(ctx: FunctionContext, value: Value, node: ast.expr) -> Denotation:
    """A Python value as the annotation reader sees it."""
    if isinstance(value, (UnknownValue, ScriptedValue)):
        ctx.unknown(value.reason if isinstance(value, UnknownValue) else "scripted value in an annotation")
        return UnknownDenotation()
    if isinstance(value, TypingValue):
        return _typing_denotation(ctx, value, node)
    if isinstance(value, BuiltinValue):
        return _builtin_denotation(value)
    if isinstance(value, TorchValue):
        return _torch_denotation(ctx, value)
    if isinstance(value, ClassValue):
        return _class_denotation(ctx, value, node)
    return NotAType(type(value).__name__)


def _typing_denotation(ctx: FunctionContext, value: TypingValue, node: ast.expr) -> Denotation:
    if value.arguments is None:
        if value.name in TYPING_GENERICS or value.name in BUILTIN_GENERICS:
            return GenericDenotation(value.name)
        return TypeDenotation(ANY) if value.name == "Any" else NotAType(value.name)
    arguments: list[Denotation] = []
    for each in value.arguments:
        if isinstance(each, ConstantValue) and each.value is None:
            arguments.append(TypeDenotation(NONE))
        elif isinstance(each, SequenceValue) and not each.elements:
            continue
        else:
            arguments.append(denotation_of(ctx, each, node))
    if value.name not in TYPING_GENERICS and value.name not in BUILTIN_GENERICS:
        return NotAType(value.name)
    return AppliedDenotation(value.name, tuple(arguments))


def _builtin_denotation(value: BuiltinValue) -> Denotation:
    name = value.name.rsplit(".", 1)[-1]
    if name in BUILTIN_TYPES:
        return TypeDenotation(BUILTIN_TYPES[name])
    if name in BUILTIN_GENERICS:
        return GenericDenotation(name)
    if name == "NoneType":
        return TypeDenotation(NONE)
    if value.name == "numbers.Number":
        return TypeDenotation(PYTHON_NUMBER)
    return NotAType(name)


def _torch_denotation(ctx: FunctionContext, value: TorchValue) -> Denotation:
    known = TORCH_TYPES.get(value.path)
    if known is not None:
        return TypeDenotation(known)
    generic = TORCH_GENERICS.get(value.path)
    if generic is not None:
        return GenericDenotation(generic)
    found = ctx.program.torch.python_object(value.path)
    if found is None:
        ctx.unknown(f"annotation {value.path}")
        return UnknownDenotation()
    if isinstance(found, objects.TorchClass) and found.kind == "module":
        types = ctx.program.module_types_so_far(f"__torch__.{ctx.program.torch.canonical_path(value.path)}")
        return TypeDenotation(types[0][1]) if types else NotAType(value.path)
    annotation = getattr(found, "annotation", None)
    if annotation is not None:
        return TypeDenotation(annotation)
    if isinstance(found, objects.CustomClass):
        custom = ctx.program.custom_class(value.path)
        return TypeDenotation(custom.type) if custom is not None else UnknownDenotation()
    if isinstance(found, objects.TorchClass) and found.kind in ("tensor", "legacy_tensor"):
        return TypeDenotation(TENSOR)
    if isinstance(found, objects.TorchClass) and found.kind in ("context", "script_class"):
        return TypeDenotation(ctx.program.context_class(value.path).type)
    return NotAType(value.path)


def _class_denotation(ctx: FunctionContext, value: ClassValue, node: ast.expr) -> Denotation:
    if value.kind == "module":
        types = ctx.program.module_types_so_far(qualified_name(value))
        if types:
            return TypeDenotation(types[0][1])
    if value.kind in ("module", "script_module", "exception") or classes.has_builtin_base(value):
        return NotAType(value.name)
    if is_tensor_class(ctx, value):
        return TypeDenotation(TENSOR)
    if value.kind in ("plain", "dataclass") and classes.is_left_out(ctx, value):
        return NotAType(value.name)
    if value.kind in ("unknown", "typed_dict"):
        ctx.unknown(f"class {value.name} with a base that is not known")
        return UnknownDenotation()
    found = classes.class_type(ctx, value, node)
    if found is None:
        return UnknownDenotation()
    return TypeDenotation(found)


def is_tensor_class(ctx: FunctionContext, value: ClassValue) -> bool:
    """Whether a Python class derives from `torch.Tensor`, which makes it one to the compiler."""
    for base in value.bases:
        if isinstance(base, ClassValue) and is_tensor_class(ctx, base):
            return True
        if isinstance(base, TorchValue) and _torch_denotation(ctx, base) == TypeDenotation(TENSOR):
            return True
    return False


def read(ctx: FunctionContext, node: ast.expr) -> Type | None:
    """The type an annotation denotes; None after reporting that it denotes none."""
    if _has_refused_part(node):
        return UNKNOWN
    found = read_annotation(node, DefinitionNames(ctx, node))
    if isinstance(found, AnnotationProblem):
        _report(ctx, found, node)
        return None
    if contains_unknown(found):
        ctx.unknown(f"annotation {ast.unparse(node)}")
    return found


def read_parameter(ctx: FunctionContext, node: ast.expr, place: Range | None = None) -> ParameterType | None:
    """As `read`, for a parameter: it may be a list that a single number stands for.

    `place` is where a type comment stands, whose trees have no place in the file.
    """
    if _has_refused_part(node):
        return ParameterType(UNKNOWN)
    found = read_parameter_annotation(node, DefinitionNames(ctx, node))
    if isinstance(found, AnnotationProblem):
        _report(ctx, found, node, place)
        return None
    if contains_unknown(found.type):
        ctx.unknown(f"annotation {ast.unparse(node)}")
    return found


def _has_refused_part(node: ast.expr) -> bool:
    """Whether the subset check has reported a part of an annotation already."""
    return any(isinstance(each, (ast.Lambda, ast.Yield, ast.NamedExpr, ast.Set)) for each in walk(node))


def _report(ctx: FunctionContext, problem: AnnotationProblem, node: ast.expr, place: Range | None = None) -> None:
    where = problem.node if hasattr(problem.node, "lineno") else node
    data = {key: value for key, value in problem.data.items() if key not in ("code", "node", "place", "related")}
    ctx.report(problem.code, where, place=place, annotation=ast.unparse(node), details=data)


def attribute_annotation(ctx: FunctionContext, each: FieldValue) -> Type | AnnotationProblem | None:
    """The type of a module's class annotation, read from the Python object; None where it has none."""
    value = each.annotation_value
    if value is None or isinstance(value, UnknownValue):
        ctx.unknown(f"annotation of {each.name}")
        return UNKNOWN
    if isinstance(value, ConstantValue) and value.value is None:
        return NONE
    node = each.annotation if each.annotation is not None else ast.Name(each.name, ast.Load())
    return object_type(denotation_of(ctx, value, node), node)


def field_type(ctx: FunctionContext, owner: ClassValue, each: FieldValue, node: ast.expr) -> Type | None:
    """The type of a NamedTuple's field; None after reporting at `node`, where the NamedTuple is named."""
    if each.annotation is None and each.annotation_value is None:
        return INFERRED_TENSOR
    value = each.annotation_value
    if isinstance(value, ConstantValue) and isinstance(value.value, str):
        try:
            expression = ast.parse(value.value.strip(), mode="eval").body
        except SyntaxError:
            ctx.report("invalid-namedtuple", node, name=owner.name, field=each.name)
            return None
        names = DefinitionNames(ctx, node, expression)
        found: Type | AnnotationProblem | None = read_annotation(expression, names)
    elif value is None or isinstance(value, UnknownValue):
        ctx.unknown(f"type of field {each.name}")
        return UNKNOWN
    else:
        found = object_type(_field_denotation(ctx, value, node), node)
    if isinstance(found, AnnotationProblem) or found is None or found == ANY:
        ctx.report("invalid-namedtuple", node, name=owner.name, field=each.name, reason="type")
        return None
    return found


def _field_denotation(ctx: FunctionContext, value: Value, node: ast.expr) -> Denotation:
    if isinstance(value, ConstantValue) and value.value is None:
        return TypeDenotation(NONE)
    return denotation_of(ctx, value, node)


def opaque_schema(
    ctx: FunctionContext, callee: OpaqueCallable, given: int, target_count: int, node: ast.Call
) -> Schema | None:
    """The schema the compiler gives a Python callable it only calls back into: no defaults, Tensor where silent."""
    value = callee.value
    if isinstance(value, PartialValue) and value.kind == "partial":
        return opaque_objects.partial_schema(ctx, callee, value, given, target_count, node)
    if isinstance(value, PartialValue):
        return _cached_schema(ctx, callee, value, given, target_count, node)
    if isinstance(value, InstanceValue):
        method = opaque_objects.call_method_of(value)
        if method is not None:
            return opaque_objects.instance_schema(ctx, callee, method, target_count, node)
        return all_tensors(callee.name, ["self"], target_count)
    if value == classes.AUTOGRAD_APPLY:
        return all_tensors(callee.name, ["cls"], target_count, True)  # the first argument given is taken for `cls`
    if isinstance(value, TorchValue):
        found = ctx.program.torch.python_object(value.path)
        if isinstance(found, objects.OpaqueObject) and found.schema is not None:
            return found.schema
    if not isinstance(value, FunctionValue):
        if isinstance(value, ClassValue):
            ctx.unknown(f"call of {callee.name}")
            return None
        return all_tensors(callee.name, [str(index) for index in range(given)], target_count)
    function = value.node
    if isinstance(function, ast.Lambda):
        ctx.unknown()
        return None
    parameters = [*function.args.posonlyargs, *function.args.args]
    if value.owner is not None and "staticmethod" not in value.modifiers:
        parameters = parameters[1:]
    comment = signature_comment(function, value.unit.chunk)
    annotated = any(each.annotation is not None for each in parameters) or function.returns is not None
    if comment is None and not annotated:
        names = [each.arg for each in parameters]
        return all_tensors(callee.name, names, target_count, function.args.vararg is not None)
    if function.args.vararg is not None or function.args.kwonlyargs:
        ctx.unknown("ignored function with a variable signature")
        return None
    if comment is not None and not annotated:
        return _from_comment(ctx, value, parameters, comment, node)
    return _annotated(ctx, value, parameters, function.returns, node)


def _cached_schema(
    ctx: FunctionContext, callee: OpaqueCallable, value: PartialValue, given: int, target_count: int, node: ast.Call
) -> Schema | None:
    """A cached function: its types come from the function inside, its parameters have no names."""
    inner = value.of
    if not isinstance(inner, FunctionValue):
        ctx.unknown(f"call of {callee.name}")
        return None
    schema = opaque_schema(ctx, OpaqueCallable(inner, callee.name, callee.type_name), given, target_count, node)
    if schema is None:
        return None
    formals = tuple(replace(each, name=str(index)) for index, each in enumerate(schema.arguments))
    return replace(schema, arguments=formals)


def _from_comment(
    ctx: FunctionContext,
    value: FunctionValue,
    parameters: Sequence[ast.arg],
    comment: SignatureComment,
    node: ast.Call,
) -> Schema | None:
    inner = ctx.program.context_of(value)
    types = [read_elsewhere(inner, each.tree) or NONE for each in comment.parameters]
    returned = comment.returns
    result = NONE if returned is None else read_elsewhere(inner, returned.tree) or NONE
    ctx.saw_unknown = ctx.saw_unknown or inner.saw_unknown
    formals = tuple(Argument(each.arg, type_) for each, type_ in zip(parameters, types, strict=False))
    return Schema(value.name, "", formals, (Argument("", result),))


def all_tensors(name: str, parameters: Sequence[str], target_count: int, is_vararg: bool = False) -> Schema:
    """The schema of a callable without annotations: the result is what the assignment around the call takes."""
    result: Type = TENSOR
    if target_count == 0:
        result = NONE
    elif target_count > 1:
        result = TupleType((TENSOR,) * target_count)
    return Schema(name, "", tuple(Argument(each, TENSOR) for each in parameters), (Argument("", result),), is_vararg)


def _annotated(
    ctx: FunctionContext,
    value: FunctionValue,
    parameters: Sequence[ast.arg],
    returns: ast.expr | None,
    node: ast.Call,
) -> Schema | None:
    inner = ctx.program.context_of(value)
    formals: list[Argument] = []
    for each in parameters:
        type_ = TENSOR if each.annotation is None else read_elsewhere(inner, each.annotation)
        if type_ is None:
            ctx.report("unsupported-annotation", node.func, callee=value.name, part=ast.unparse(each))
            return None
        formals.append(Argument(each.arg, type_))
    result: Type | None = TENSOR if returns is None else read_elsewhere(inner, returns)
    if result is None:
        ctx.report("unsupported-annotation", node.func, callee=value.name, part=ast.unparse(returns or node))
        return None
    return Schema(value.name, "", tuple(formals), (Argument("", result),))


def read_elsewhere(ctx: FunctionContext, node: ast.expr) -> Type | None:
    """Read an annotation of another definition, without reporting there."""
    found = read_annotation(node, DefinitionNames(ctx, node))
    return None if isinstance(found, AnnotationProblem) else found
