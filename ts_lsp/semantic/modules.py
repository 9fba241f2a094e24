"""Modules as the compiler types them: which attributes, constants and submodules an instance has, and their types.

Owns `ModuleDefinition`, the compiled type of one nn.Module instance, and how it is inferred from what `__init__` left.
Invariant: instances of one class whose tables agree share a type; the first type of a class has its plain name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ts_lsp.records import dataclass, field
from ts_lsp.semantic.facts import DefinitionFacts, Finding
from ts_lsp.semantic.naming import qualified_name
from ts_lsp.torchdata.objects import ModuleFacts
from ts_lsp.types.model import (
    ClassType,
    InterfaceType,
    Type,
)
from ts_lsp.types.schema import Schema
from ts_lsp.values.inheritance import resolution_order
from ts_lsp.values.model import (
    ClassValue,
    ConstantValue,
    DictValue,
    FieldValue,
    FunctionValue,
    InstanceValue,
    ModuleObject,
    PartialValue,
    SequenceValue,
    TorchValue,
    Unit,
    Value,
)
from ts_lsp.values.naming import name_set

if TYPE_CHECKING:
    from ts_lsp.semantic.functions import Compiled
    from ts_lsp.semantic.program import Program

SEQUENCES = ("torch.nn.ModuleList", "torch.nn.Sequential", "torch.nn.ParameterList")
MAPPINGS = ("torch.nn.ModuleDict", "torch.nn.ParameterDict")
NOT_ATTRIBUTES = name_set(
    """
    training _is_full_backward_hook _version _parameters _buffers _non_persistent_buffers_set _backward_hooks
    _backward_pre_hooks _forward_hooks _forward_hooks_with_kwargs _forward_pre_hooks _forward_pre_hooks_with_kwargs
    _forward_hooks_always_called _state_dict_hooks _state_dict_pre_hooks _load_state_dict_pre_hooks
    _load_state_dict_post_hooks _modules _initializing dump_patches
    """
)
"""Names that are no attributes of their own: torch's bookkeeping, and those whose type does not come from a value."""
# fmt: off
CONTAINER_METHODS: Mapping[str, frozenset[str]] = {
    "torch.nn.ModuleList": name_set("append extend insert pop __add__ __delitem__ __getitem__ __setitem__ __iter__"),
    "torch.nn.Sequential": name_set("append extend insert pop __add__ __delitem__ __getitem__ __setitem__ __iter__"),
    "torch.nn.ModuleDict": name_set("clear pop update __delitem__ __getitem__ __setitem__ __iter__"),
    "torch.nn.ParameterList": name_set("append extend __getitem__ __setitem__ __iter__ __len__"),
    "torch.nn.ParameterDict": name_set(
        "clear copy fromkeys get items keys pop popitem setdefault update values __getitem__ __setitem__ __len__"
    ),
}
"""Methods of torch's containers that do not compile."""
UNCOMPILABLE_METHODS = frozenset({
    "add_module", "apply", "bfloat16", "buffers", "compile", "cpu", "cuda", "double", "eval", "float", "get_buffer",
    "get_parameter", "get_submodule", "half", "ipu", "load_state_dict", "mtia", "named_parameters", "parameters",
    "register_backward_hook", "register_buffer", "register_forward_hook", "register_forward_pre_hook",
    "register_full_backward_hook", "register_full_backward_pre_hook", "register_load_state_dict_post_hook",
    "register_load_state_dict_pre_hook", "register_module", "register_parameter", "register_state_dict_post_hook",
    "register_state_dict_pre_hook", "requires_grad_", "set_submodule", "share_memory", "state_dict", "to",
    "to_empty", "train", "type", "xpu", "zero_grad",
})
# fmt: on
"""Methods of nn.Module whose own text the compiler refuses, whatever the module is."""


@dataclass(frozen=True, eq=False, slots=True)
class Inferred:
    """What was wrong with a module, or not known of it, before anything compiled."""

    failure: Finding | None
    unit: Unit | None
    findings: tuple[Finding, ...]
    saw_unknown: bool
    unknown_reason: str
    refusal: tuple[str, str] | None


@dataclass(eq=False)
class ModuleDefinition:
    """The type of one module instance: it fills up while it compiles, and does not change afterwards.

    `container` is the torch class whose elements the submodules are (`torch.nn.ModuleList`), or empty.
    `schemas` are the methods of torch's own classes, which have no text here.
    """

    object: ModuleObject
    program: Program
    type: ClassType = field(init=False)
    attributes: dict[str, Type] = field(default_factory=dict)
    constants: dict[str, Value] = field(default_factory=dict)
    constant_types: dict[str, Type] = field(default_factory=dict)
    submodules: dict[str, ModuleDefinition | InterfaceType | None] = field(default_factory=dict)
    implementations: dict[str, ModuleDefinition] = field(default_factory=dict)
    """The submodules of which only what a module interface declares can be seen."""
    values: dict[str, Value] = field(default_factory=dict)
    """Attributes that are functions or builtins: they can be called, but are no values."""
    dropped: dict[str, str] = field(default_factory=dict)
    schemas: dict[str, tuple[Schema, ...]] = field(default_factory=dict)
    functions: Mapping[str, Schema | None] = field(default_factory=dict)
    """What else the class of torch has that compiles when it is named; None for what does not compile."""
    members: Mapping[str, Schema | None] | None = field(default_factory=dict)
    """Static methods and properties of the class of torch; None where those are not recorded."""
    methods: dict[str, Compiled] = field(default_factory=dict)
    """The methods that compile, by the name under which the compiler has them: of all modules of this type."""
    unfinished: frozenset[FunctionValue] = frozenset()
    """Methods that compile together: they get their defaults when all of them have passed."""
    container: str = ""
    recorded: ModuleFacts | None = None
    """What is known of a part of one of torch's own modules."""
    is_open: bool = False
    """A class of torch may have given it more names than are known."""
    refusal: tuple[str, str] | None = None
    """The class of torch that does not compile, and why."""
    state: str = "new"
    failure: Finding | None = None
    failure_unit: Unit | None = None
    misfit: tuple[Finding, Unit | None] | None = None
    """The first value that does not fit its type: torch finds it when it copies values, after the front end."""
    findings: list[Finding] = field(default_factory=list)
    saw_unknown: bool = False
    unknown_reason: str = ""
    is_unsure_below: bool = False
    """A submodule or method rests on something unknown; what this module has itself is known."""
    inferred: Inferred | None = None
    """What was wrong or not known before anything compiled."""
    facts: DefinitionFacts | None = None
    tree: tuple[ModuleDefinition, ...] | None = None
    """Itself and all modules below it, once somebody asked for them."""
    is_traced: bool = False
    """A recording: no text of the class counts, and `forward` is its only method."""

    @property
    def value(self) -> ClassValue | None:
        """The Python class, where it has text that compiles."""
        return self.object.of if isinstance(self.object.of, ClassValue) and not self.is_traced else None

    @property
    def canonical(self) -> ModuleDefinition:
        """The first definition of the same type."""
        first = self.type.definition
        return first if isinstance(first, ModuleDefinition) else self

    def remember(self, name: str, compiled: Compiled) -> None:
        """A method of this type is compiled from now on."""
        self.canonical.methods.setdefault(name, compiled)

    def member(self, name: str) -> Value | None:
        """What the class gives under a name; as `forward`, a function that was set on the instance comes first."""
        own = self.object.attributes.get(name) if name == "forward" else None
        if isinstance(own, PartialValue) and own.kind == "method":
            own = own.of
        own = own or self.object.defined.get(name)
        if own is not None:
            return own
        return class_member(self.value, name) if self.value is not None else None

    def fail(self, failure: Finding, unit: Unit | None) -> None:
        """Record the first failure."""
        if self.failure is None:
            self.failure, self.failure_unit = failure, unit

    def method_schemas(self) -> Mapping[str, Schema]:
        """The schemas of the compiled methods, for interfaces."""
        return self.program.module_schemas(self)

    def keep_inferred(self) -> None:
        """The types are known; what follows is compilation."""
        findings = tuple(self.findings)
        self.inferred = Inferred(
            self.failure, self.failure_unit, findings, self.saw_unknown, self.unknown_reason, self.refusal
        )

    def begin_again(self) -> None:
        """Forget what compiling came to; the types stay."""
        self.tree = None
        if self.inferred is not None and not self.is_traced:
            before = self.inferred
            self.failure, self.failure_unit, self.findings = before.failure, before.unit, list(before.findings)
            self.saw_unknown, self.unknown_reason = before.saw_unknown, before.unknown_reason
            self.refusal = before.refusal
            self.is_unsure_below, self.facts, self.state = False, None, "new"

    def unsure(self, reason: str) -> None:
        self.saw_unknown = True
        self.unknown_reason = self.unknown_reason or reason


def lineage(value: ClassValue) -> Iterator[ClassValue | TorchValue]:
    """A class and its bases in the order attributes are looked up."""
    for each in resolution_order(value):
        if isinstance(each, (ClassValue, TorchValue)):
            yield each


def class_member(value: ClassValue, name: str) -> Value | None:
    """A name of the class body or of the nearest base that has it."""
    for each in lineage(value):
        if isinstance(each, ClassValue) and name in each.members:
            return each.members[name]
    return None


def members_of(value: ClassValue) -> dict[str, Value]:
    """The names of a class and its bases, each as the nearest has it."""
    found: dict[str, Value] = {}
    for each in lineage(value):
        if isinstance(each, ClassValue):
            for name, member in each.members.items():
                found.setdefault(name, member)
    return found


def listed_names(value: ClassValue | None, name: str) -> frozenset[str]:
    """The strings in a list of the nearest class that has one of that name."""
    listed = class_member(value, name) if value is not None else None
    return strings_in(listed) if listed is not None else frozenset()


def strings_in(listed: Value) -> frozenset[str]:
    """The strings among the elements of a list, tuple or set."""
    elements = listed.elements if isinstance(listed, SequenceValue) else ()
    found = (each.value for each in elements if isinstance(each, ConstantValue))
    return frozenset(each for each in found if isinstance(each, str))


def is_compiled_property(value: ClassValue, name: str, member: FunctionValue) -> bool:
    """Whether a member is a property that the compiler reads."""
    if "property" not in member.modifiers or member.modifiers & {"unused", "drop"}:
        return False
    return name not in listed_names(value, "__jit_unused_properties__")


def class_annotations(value: ClassValue) -> dict[str, FieldValue]:
    """The annotations that count: those of the nearest class that has any."""
    for each in lineage(value):
        fields = (*_assigned_annotations(each), *each.fields) if isinstance(each, ClassValue) else ()
        if fields:
            return {field.name: field for field in fields}
    return {}


def _assigned_annotations(value: ClassValue) -> tuple[FieldValue, ...]:
    """Those of a class body that assigns a dict to `__annotations__`."""
    written = value.members.get("__annotations__")
    items = written.items if isinstance(written, DictValue) else ()
    return tuple(
        FieldValue(key.value, None, annotation, None)
        for key, annotation in items
        if isinstance(key, ConstantValue) and isinstance(key.value, str)
    )


def torch_base(value: ClassValue | TorchValue) -> TorchValue | None:
    """The class of torch that a module is or derives from, `nn.Module` and containers aside."""
    for each in lineage(value) if isinstance(value, ClassValue) else (value,):
        if isinstance(each, TorchValue):
            plain = each.path.endswith((".Module", ".ScriptModule")) or container_kind(each)
            return None if plain else each
    return None


def is_script_module(value: ClassValue) -> bool:
    """Whether a class derives from `torch.jit.ScriptModule`, of which only marked methods compile."""
    return any(isinstance(each, TorchValue) and each.path.endswith("ScriptModule") for each in lineage(value))


def container_kind(value: ClassValue | TorchValue) -> str:
    """The torch container a class is or derives from; empty for other modules."""
    for each in lineage(value) if isinstance(value, ClassValue) else (value,):
        own = each.path if isinstance(each, TorchValue) else f"{each.unit.module}.{each.qualname}"
        for path in (*SEQUENCES, *MAPPINGS):
            if own in (path, path.replace("torch.nn.", "torch.nn.modules.container.")):
                return path
    return ""


def type_key(definition: ModuleDefinition) -> object:
    """What two instances of one class must share to have one type."""
    return (
        definition if definition.is_traced else definition.object.of,
        tuple(definition.attributes.items()),
        tuple(sorted((name, repr(value)) for name, value in definition.constants.items())),
        tuple(sorted((name, _function_key(value)) for name, value in definition.values.items())),
        tuple(_function_key(each) for each in (*definition.object.hooks, *definition.object.pre_hooks)),
        tuple(sorted((name, _child_key(child)) for name, child in definition.submodules.items())),
    )


def _function_key(value: Value) -> str:
    """What tells functions apart that are attributes or hooks."""
    return f"{value.qualname} {id(value.node)}" if isinstance(value, FunctionValue) else repr(value)


def _child_key(child: ModuleDefinition | InterfaceType | None) -> str:
    if child is None:
        return "?"
    return child.qualname if isinstance(child, InterfaceType) else child.type.qualname


def plain_name(definition: ModuleDefinition) -> str:
    """The name torch gives the first type of a class."""
    of = definition.object.of
    if isinstance(of, ClassValue):
        return qualified_name(of)
    return f"__torch__.{of.path}"


def is_tensor(value: Value) -> bool:
    """Whether a value is a tensor object."""
    return (
        isinstance(value, InstanceValue)
        and isinstance(value.of, TorchValue)
        and value.of.path.endswith(("torch.Tensor", "Parameter"))
    )
