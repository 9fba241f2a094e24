"""Modules as the compiler types them: which attributes, constants and submodules an instance has, and their types.

Owns `ModuleDefinition`, the compiled type of one nn.Module instance, and how it is inferred from what `__init__` left.
Invariant: instances of one class whose tables agree share a type; the first type of a class has its plain name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ts_lsp.semantic import classes
from ts_lsp.semantic.facts import Finding
from ts_lsp.types.model import (
    ClassType,
    InterfaceType,
    Type,
)
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import (
    ClassValue,
    ConstantValue,
    DictValue,
    FieldValue,
    InstanceValue,
    ModuleObject,
    PartialValue,
    SequenceValue,
    TorchValue,
    Unit,
    Value,
)

if TYPE_CHECKING:
    from ts_lsp.semantic.program import Program

SEQUENCES = ("torch.nn.ModuleList", "torch.nn.Sequential", "torch.nn.ParameterList")
MAPPINGS = ("torch.nn.ModuleDict", "torch.nn.ParameterDict")
NOT_ATTRIBUTES = frozenset({"training", "_is_full_backward_hook"})
# fmt: off
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
    values: dict[str, Value] = field(default_factory=dict)
    """Attributes that are functions or builtins: they can be called, but are no values."""
    dropped: dict[str, str] = field(default_factory=dict)
    schemas: dict[str, tuple[Schema, ...]] = field(default_factory=dict)
    container: str = ""
    state: str = "new"
    failure: Finding | None = None
    failure_unit: Unit | None = None
    findings: list[Finding] = field(default_factory=list)
    saw_unknown: bool = False
    unknown_reason: str = ""
    is_unsure_below: bool = False
    """A submodule or method rests on something unknown; what this module has itself is known."""
    is_traced: bool = False
    """A recording: no text of the class counts, and `forward` is its only method."""

    @property
    def value(self) -> ClassValue | None:
        """The Python class, where it has text that compiles."""
        return self.object.of if isinstance(self.object.of, ClassValue) and not self.is_traced else None

    def fail(self, failure: Finding, unit: Unit | None) -> None:
        """Record the first failure."""
        if self.failure is None:
            self.failure, self.failure_unit = failure, unit

    def method_schemas(self) -> Mapping[str, Schema]:
        """The schemas of the compiled methods, for interfaces."""
        return self.program.module_schemas(self)

    def unsure(self, reason: str) -> None:
        self.saw_unknown = True
        self.unknown_reason = self.unknown_reason or reason


def lineage(value: ClassValue) -> Iterator[ClassValue | TorchValue]:
    """A class and its bases in the order attributes are looked up (depth first; good enough without diamonds)."""
    yield value
    for base in value.bases:
        if isinstance(base, ClassValue):
            yield from lineage(base)
        elif isinstance(base, TorchValue):
            yield base


def class_member(value: ClassValue, name: str) -> Value | None:
    """A name of the class body or of the nearest base that has it."""
    for each in lineage(value):
        if isinstance(each, ClassValue) and name in each.members:
            return each.members[name]
    return None


def instance_member(definition: ModuleDefinition, name: str) -> Value | None:
    """What the class gives an instance under a name; `forward` may be another method that the instance was given."""
    own = definition.object.attributes.get(name) if name == "forward" else None
    if isinstance(own, PartialValue) and own.kind == "method":
        return own.of
    return class_member(definition.value, name) if definition.value is not None else None


def listed_names(value: ClassValue | None, name: str) -> frozenset[str]:
    """The strings in a list of the nearest class that has one of that name."""
    listed = class_member(value, name) if value is not None else None
    elements = listed.elements if isinstance(listed, SequenceValue) else ()
    found = (each.value for each in elements if isinstance(each, ConstantValue))
    return frozenset(each for each in found if isinstance(each, str))


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
        tuple(sorted(definition.values)),
        tuple(sorted((name, _child_key(child)) for name, child in definition.submodules.items())),
    )


def _child_key(child: ModuleDefinition | InterfaceType | None) -> str:
    if child is None:
        return "?"
    return child.qualname if isinstance(child, InterfaceType) else child.type.qualname


def plain_name(definition: ModuleDefinition) -> str:
    """The name torch gives the first type of a class."""
    of = definition.object.of
    if isinstance(of, ClassValue):
        return classes.qualified_name(of)
    return f"__torch__.{of.path}"


def is_tensor(value: Value) -> bool:
    """Whether a value is a tensor object."""
    return (
        isinstance(value, InstanceValue)
        and isinstance(value.of, TorchValue)
        and value.of.path.endswith(("torch.Tensor", "Parameter"))
    )
