"""Classes as the compiler sees them: script classes, enums, NamedTuples, interfaces.

Owns `ClassDefinition` (a compiled class) and the way from a Python class to a type.
Invariant: a class compiles whole the first time it is mentioned, and is known by its qualified name from then on.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import BuiltinFunctionType
from typing import TYPE_CHECKING

from ts_lsp.records import dataclass, field
from ts_lsp.semantic import enums, interfaces, named_tuples
from ts_lsp.semantic.facts import DefinitionFacts, Finding
from ts_lsp.semantic.naming import qualified_name
from ts_lsp.semantic.sugared import (
    UNKNOWN_VALUE,
    ClassConstructor,
    EnumClass,
    ExceptionClass,
    InterfaceClass,
    ModuleClass,
    NamedTupleConstructor,
    PythonValue,
    Sugared,
    UninstantiableClass,
)
from ts_lsp.types.model import (
    ClassType,
    Type,
)
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    FunctionValue,
    PartialValue,
    TorchValue,
    TypingValue,
    Unit,
    UnknownValue,
    Value,
)

if TYPE_CHECKING:
    from ts_lsp.semantic.context import FunctionContext
    from ts_lsp.semantic.program import Program


@dataclass(eq=False)
class ClassDefinition:
    """A script class: it fills up while it compiles, and does not change afterwards."""

    value: ClassValue
    program: Program
    type: ClassType = field(init=False)
    attributes: dict[str, Type] = field(default_factory=dict)
    methods: dict[str, FunctionValue] = field(default_factory=dict)
    properties: dict[str, tuple[FunctionValue, FunctionValue | None]] = field(default_factory=dict)
    class_attributes: frozenset[str] = frozenset()
    state: str = "new"
    """`new`, `running`, `done`; `stale` when something it needs has changed."""
    failure: Finding | None = None
    failure_unit: Unit | None = None
    findings: list[Finding] = field(default_factory=list)
    saw_unknown: bool = False
    facts: DefinitionFacts | None = None

    def begin_again(self, with_attributes: bool) -> None:
        """Forget what compiling came to, and what `__init__` defined if that compiles anew."""
        self.failure = self.failure_unit = self.facts = None
        self.findings, self.saw_unknown, self.state = [], False, "stale"
        if with_attributes:
            self.attributes.clear()

    def __post_init__(self) -> None:
        self.type = ClassType(qualified_name(self.value), self)

    @cached_property
    def signature_texts(self) -> frozenset[str]:
        """The annotations of the methods' parameters and results, as torch writes them down again."""
        methods = [each for each in self.value.members.values() if isinstance(each, FunctionValue)]
        return frozenset(text for each in methods for text in _signature_texts(each))

    def method_schemas(self) -> Mapping[str, Schema]:
        """The schemas of the methods, for interfaces."""
        schemas = {}
        for name in self.methods:
            schema = self.program.method_schema(self, name)
            if schema is not None:
                schemas[name] = schema
        return schemas


@dataclass(eq=False)
class ContextDefinition:
    """A class of torch that compiles, such as `torch.no_grad`: its constructor and what `with` gives."""

    path: str
    init: Schema | None
    enter: Type
    type: ClassType = field(init=False)

    def __post_init__(self) -> None:
        self.type = ClassType(f"__torch__.{self.path}", self)

    def method_schemas(self) -> Mapping[str, Schema]:
        return {}


def _signature_texts(method: FunctionValue) -> Iterator[str]:
    """The annotations torch keeps of a method's signature: those that are no texts for Python too."""
    lazy = method.scope.lookup_global("annotations") == BuiltinValue("__future__.annotations")
    if isinstance(method.node, ast.Lambda) or "property" in method.modifiers or lazy:
        return
    for each in (*(argument.annotation for argument in method.node.args.args), method.node.returns):
        text = None if each is None or isinstance(each, ast.Constant) else _annotation_text(each)
        if text is not None:
            yield text


def _annotation_text(node: ast.expr) -> str | None:
    """An annotation as torch writes it down: without spaces, and without the quotes of a text inside."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.Attribute):
        base = _annotation_text(node.value)
        return None if base is None else f"{base}.{node.attr}"
    if isinstance(node, ast.Subscript):
        return f"{_annotation_text(node.value)}[{_annotation_text(node.slice)}]"
    if isinstance(node, ast.Tuple):
        return ",".join(str(_annotation_text(each)) for each in node.elts)
    return None


def class_sugared(ctx: FunctionContext, value: ClassValue, node: ast.expr) -> Sugared:
    """A Python class named as a value."""
    kind = value.kind
    if kind == "exception":
        return ExceptionClass(value.name)
    if kind == "enum":
        enum = enums.enum_type(ctx, value, node)
        return UNKNOWN_VALUE if enum is None else EnumClass(enum, value)
    if kind == "namedtuple":
        named = named_tuples.named_tuple_type(ctx, value, node)
        return UNKNOWN_VALUE if named is None else NamedTupleConstructor(named)
    if kind == "interface":
        return InterfaceClass(interfaces.interface_type(ctx.program, value))
    if kind in ("module", "script_module"):
        known = ctx.program.module_types_so_far(qualified_name(value))
        return ModuleClass(value, known[0][1]) if known else PythonValue(value, "type")
    if has_builtin_base(value):
        return PythonValue(value, "type")
    if kind in ("unknown", "typed_dict"):
        return ctx.unknown(f"class {value.name}")
    return script_class_sugared(ctx, value, node)


def script_class_sugared(ctx: FunctionContext, value: ClassValue, node: ast.expr) -> Sugared:
    """A class that compiles as a script class, or its failure."""
    if is_left_out(ctx, value):
        return UninstantiableClass(value.name)
    if "unknown" in value.modifiers:
        return ctx.unknown()
    definition = ctx.program.define_class(value)
    if definition.state == "running" and ctx.owner is not definition:
        return ctx.report("recursive-function", node, name=value.name, mutual=True)
    if definition.failure is not None and definition.state == "done":
        return ctx.inherit(definition.failure, definition.failure_unit or value.unit, node)
    if definition.saw_unknown:
        ctx.unknown(f"class {value.name}")
    return ClassConstructor(definition if ctx.owner is definition else _registered(ctx, definition))


def _registered(ctx: FunctionContext, definition: ClassDefinition) -> ClassDefinition:
    """What the compiler finds under the qualified name of a class: the first class of that name.

    Whether one function of the program runs after another is not known, so what each of them compiles stays apart.
    """
    value, table = definition.value, ctx.program.class_names
    top = table.get((value.unit.path, definition.type.qualname, ""))
    around = value.qualname.rpartition(".<locals>.")[0]
    first = table.setdefault((value.unit.path, definition.type.qualname, around), top or definition)
    return definition if first is definition else ctx.program.first_of_namesakes(first)


def is_left_out(ctx: FunctionContext, value: ClassValue) -> bool:
    """Whether a class is none that compiles when it is mentioned: one to ignore, or with a routine without a text."""
    if value.modifiers & {"ignore", "unused"}:
        return True
    return not ctx.program.is_scripted(value) and any(_has_no_code(member) for member in value.members.values())


def _has_no_code(member: Value) -> bool:
    """Whether a name of a class body is a routine of C, or one that a cache hides."""
    if isinstance(member, PartialValue):
        return member.kind in ("lru_cache", "cached_property")
    return isinstance(member, BuiltinValue) and member.name.rpartition(".")[2] in _ROUTINES


_ROUTINES = frozenset(name for name, each in vars(builtins).items() if isinstance(each, BuiltinFunctionType))


def has_builtin_base(value: ClassValue) -> bool:
    """Whether a class derives from `tuple` or `list`, which no script class may."""
    return any(
        (isinstance(base, BuiltinValue) and base.name.rsplit(".", 1)[-1] in ("tuple", "list"))
        or (isinstance(base, ClassValue) and has_builtin_base(base))
        for base in value.bases
    )


def class_type(ctx: FunctionContext, value: ClassValue, node: ast.expr) -> Type | None:
    """The type a class names in an annotation; None where it is none, after reporting a failure of its own."""
    if value.kind == "enum":
        return enums.enum_type(ctx, value, node)
    if value.kind == "namedtuple":
        return named_tuples.named_tuple_type(ctx, value, node)
    if value.kind == "interface":
        return interfaces.interface_type(ctx.program, value)
    found = script_class_sugared(ctx, value, node)
    return ctx.program.define_class(value).type if isinstance(found, ClassConstructor) else None


AUTOGRAD_FUNCTION = ("torch.autograd.Function", "torch.autograd.function.Function")
AUTOGRAD_APPLY = TorchValue("torch.autograd.Function.apply")


def class_member(value: ClassValue, name: str) -> Value | None:
    """What `Class.name` is, by the class and those it derives from; None where there is no such attribute."""
    found = value.members.get(name)
    if found is not None:
        return found
    for base in value.bases:
        if isinstance(base, ClassValue):
            found = class_member(base, name)
        elif isinstance(base, TorchValue) and base.path in AUTOGRAD_FUNCTION and name == "apply":
            found = AUTOGRAD_APPLY
        elif not (isinstance(base, (BuiltinValue, TypingValue)) and base.name.rsplit(".", 1)[-1] == "object"):
            found = UnknownValue(f"{value.name}.{name}")
        if found is not None:
            return found
    return None
