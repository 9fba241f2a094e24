"""Attributes of the objects of a run: instance, class, bases, `super()`, and what torch's classes have.

Owns `attribute`. Invariant: an attribute is missing (`Raised`) only where every class it could come from is known.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ts_lsp.records import dataclass
from ts_lsp.torchdata.objects import ModuleFacts
from ts_lsp.types.model import BOOL, FLOAT, INT, NONE, STR, OptionalType, TupleType, Type
from ts_lsp.types.model import TENSOR as TENSOR_TYPE
from ts_lsp.values import constants, evaluation
from ts_lsp.values.calls import Arguments
from ts_lsp.values.inheritance import container_name, found_members, is_root, resolution_order
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    PartialValue,
    SequenceValue,
    TorchValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.naming import name_set
from ts_lsp.values.recorded import bound, recorded_facts
from ts_lsp.values.running import vectors
from ts_lsp.values.running.objects import (
    PARAMETER,
    TENSOR,
    BoundFunction,
    DictObject,
    GeneratedInit,
    ListObject,
    ModuleUnderConstruction,
    NativeMethod,
    PartialCall,
    PlainObject,
    Raised,
    SuperObject,
    attribute_table,
    is_none,
    is_tensor,
    is_unknown,
)
from ts_lsp.values.running.operators import tainted
from ts_lsp.values.running.run import Frame
from ts_lsp.values.running.tensors import tensor_attribute
from ts_lsp.values.scopes import END, View

GIVE_BACK = name_set(
    """
    eval train to cpu cuda half float double bfloat16 type requires_grad_ share_memory apply xpu ipu to_empty
    """
)
"""Methods of `nn.Module` that return the module."""
IDLE = name_set(
    """
    parameters named_parameters buffers named_buffers zero_grad load_state_dict state_dict extra_repr reset_parameters
    register_backward_hook register_full_backward_hook register_full_backward_pre_hook register_state_dict_pre_hook
    register_load_state_dict_post_hook register_load_state_dict_pre_hook register_state_dict_post_hook
    _register_load_state_dict_pre_hook _register_state_dict_hook get_parameter get_buffer get_extra_state compile
    flatten_parameters _get_name __repr__ forward __call__ named_modules named_children __setstate__ _version
    """
)
"""Methods of modules that leave all names as they are."""
READING = GIVE_BACK | IDLE | name_set("children modules get_submodule get items keys values format join startswith")
"""Methods that change nothing, whatever has them."""
_MODULE_METHODS = name_set(
    """
    __call__ __contains__ __delattr__ __dir__ __getattr__ __init__ __iter__ __len__ __repr__ __setattr__ __setstate__
    _apply _call_impl _get_name _load_from_state_dict _named_members _register_load_state_dict_pre_hook
    _register_state_dict_hook _replicate_for_data_parallel _save_to_state_dict _version add_module append buffers
    call_super_init children clear compile copy dump_patches extend extra_repr forward fromkeys get get_buffer
    get_extra_state get_parameter get_submodule insert items keys load_state_dict modules mtia named_buffers
    named_children named_modules named_parameters parameters pop popitem register_backward_hook register_buffer
    register_forward_hook register_forward_pre_hook register_full_backward_hook register_full_backward_pre_hook
    register_load_state_dict_post_hook register_load_state_dict_pre_hook register_module register_parameter
    register_state_dict_post_hook register_state_dict_pre_hook set_extra_state set_submodule setdefault state_dict
    update values zero_grad _forward_hooks _forward_pre_hooks _backward_hooks _state_dict_hooks T_destination
    _is_full_backward_hook _non_persistent_buffers_set
    """
)
_LAYER_METHODS = name_set(
    """
    all_weights check_forward_args check_hidden_size check_input cls_to_become convert_sync_batchnorm flatten_parameters
    from_pretrained gather get_expected_cell_size get_expected_hidden_size has_uninitialized_params
    initialize_parameters log_prob merge_masks parallel_apply permute_hidden predict replicate reset_parameters
    reset_running_stats scatter
    """
)
_RESETTING_PACKAGES = name_set(
    """
    torch.nn.modules.conv torch.nn.modules.batchnorm torch.nn.modules.instancenorm torch.nn.modules.rnn
    torch.nn.modules.sparse
    """
)
_RESETTING = name_set("Linear Bilinear LazyLinear LayerNorm GroupNorm RMSNorm PReLU AdaptiveLogSoftmaxWithLoss")
_NUMBER_LIMITS = (TorchValue("torch.finfo"), TorchValue("torch.iinfo"))
_LIMITS = name_set("bits min max eps tiny resolution smallest_normal")
_SCALARS: dict[Type, str] = {INT: "int", FLOAT: "float", BOOL: "bool", STR: "str"}


@dataclass(frozen=True, slots=True)
class TorchMethod(Value):
    """A method of a class of torch, reached past the classes of the workspace. No receiver: it is passed."""

    of: TorchValue
    receiver: Value | None
    name: str


def attribute(value: Value, name: str, frame: Frame) -> Value:
    """What `value.name` is now."""
    if isinstance(value, ModuleUnderConstruction):
        return _of_module(value, name, frame)
    if isinstance(value, PlainObject):
        return _of_plain(value, name, frame)
    if isinstance(value, SuperObject):
        return _of_super(value, name, frame)
    if isinstance(value, ClassValue):
        return _of_class(value, name, frame)
    if value == ModuleValue("os") and name in ("environ", "getenv") and _is_in_library(frame):
        return DictObject() if name == "environ" else NativeMethod(DictObject(), "get")
    if isinstance(value, ModuleValue):
        found = _of_python_module(value, name, frame)
        if found is not None:
            return found
    if name == "__module__" and isinstance(value, FunctionValue):
        return ConstantValue(value.unit.module)
    if name == "__name__" and isinstance(value, TorchValue):
        return ConstantValue(value.path.rpartition(".")[2])
    is_method = name.startswith("__") or name in _MODULE_METHODS
    if is_method and isinstance(value, TorchValue) and frame.run.world.torch_kind(value.path) == "module":
        return TorchMethod(value, None, name)
    if isinstance(value, (ListObject, DictObject, SequenceValue)) or _is_text(value):
        return NativeMethod(value, name)
    if is_tensor(value):
        return tensor_attribute(value, name)
    if vectors.numbers_of(value) is not None:
        return NativeMethod(value, name)
    if isinstance(value, InstanceValue) and value.of in _NUMBER_LIMITS and name in _LIMITS:
        is_bits = name == "bits" or value.of == TorchValue("torch.iinfo")
        return InstanceValue(BuiltinValue("int" if is_bits else "float"))
    if isinstance(value, PartialCall) and name in ("func", "args", "keywords"):
        return _of_partial(value, name)
    if isinstance(value, BoundFunction):
        return (
            attribute(value.function, name, frame) if name == "__name__" else UnknownValue(f"method attribute {name}")
        )
    return frame.run.thaw(evaluation.attribute(value, name, frame.run.world), frame)


def has_attribute(value: Value, name: str, frame: Frame) -> bool | None:
    """Whether there is such an attribute; None if that is not known."""
    try:
        found = attribute(value, name, frame)
    except Raised as raised:
        if raised.name != "AttributeError":
            raise
        return False
    if isinstance(value, ModuleValue) and is_unknown(found) and _is_missing(value, name, frame):
        return False
    if isinstance(found, NativeMethod) and not isinstance(value, ModuleUnderConstruction):
        return None
    return None if is_unknown(found) and not _stands(value, name) else True


def _is_missing(value: ModuleValue, name: str, frame: Frame) -> bool:
    """Whether nothing in the text of a module can give it an attribute."""
    scope = frame.run.world.module_scope(value.name)
    if scope is None or scope.table.stars or name in scope.table.bindings or "__getattr__" in scope.table.bindings:
        return False
    return not name.startswith("__") or name == "__all__"


def _stands(value: Value, name: str) -> bool:
    if isinstance(value, ModuleUnderConstruction):
        return name in value.attributes or value.registered(name) is not None
    return isinstance(value, PlainObject) and value.is_known and name in value.attributes


def _is_text(value: Value) -> bool:
    return isinstance(value, ConstantValue) and isinstance(value.value, str)


def _is_in_library(frame: Frame) -> bool:
    """Whether the code belongs to a library. Its switches in the environment are taken as not set."""
    return frame.unit is not None and frame.run.world.is_external(frame.unit.path)


def _of_partial(value: PartialCall, name: str) -> Value:
    """What a `functools.partial` shows of itself."""
    if name == "func":
        return value.function
    if name == "args":
        return SequenceValue("tuple", value.arguments.positional)
    keywords = DictObject(is_known=value.arguments.exact)
    for key, each in value.arguments.keywords.items():
        keywords.set(ConstantValue(key), each)
    return keywords


def _of_python_module(value: ModuleValue, name: str, frame: Frame) -> Value | None:
    """A global of a module of the workspace; None where nothing in its text binds it."""
    scope = frame.run.world.module_scope(value.name)
    bindings = scope.table.bindings.get(name) if scope is not None else None
    if scope is None or not bindings:
        return None
    return Frame(frame.run, View(scope, END, (), bindings[-1].unit), bindings[-1].unit).find(name)


def _is_property(member: Value | None) -> bool:
    return isinstance(member, FunctionValue) and "property" in member.modifiers


def _of_module(owner: ModuleUnderConstruction, name: str, frame: Frame) -> Value:
    order = resolution_order(owner.of)
    cls, member = _first(order, name)
    if member is not None and _is_property(member):
        return _bound(member, owner, cls, frame)
    if name in owner.attributes:
        return owner.attributes[name]
    if member is not None:
        return _bound(member, owner, cls, frame)
    found = owner.registered(name) or _special(owner, name)
    if found is not None:
        return found
    if isinstance(cls, TorchValue) or _is_known(order):
        recorded = recorded_attribute(owner, name, frame)
        if recorded is not None:
            return recorded
        if name in GIVE_BACK or name in _MODULE_METHODS or (name == "reset_parameters" and _resets(owner.of)):
            return NativeMethod(owner, name)
    certain = owner.is_complete and _is_known(order) and _first(order, "__getattr__")[1] is None
    if certain and not name.startswith("__") and _lacks(owner, name, frame):
        raise Raised("AttributeError")
    return UnknownValue(f"attribute {name}")


def _first(order: Sequence[Value], name: str) -> tuple[Value | None, Value | None]:
    """The first class that has the name with what it has; the class alone where it hides the answer."""
    for cls, member in found_members(order, name):
        if member is not None or not is_root(cls):
            return cls, member
    return None, None


def _is_known(order: Sequence[Value]) -> bool:
    return all(isinstance(each, (ClassValue, TorchValue)) for each in order)


def _lacks(owner: ModuleUnderConstruction, name: str, frame: Frame) -> bool:
    """Whether torch's own classes certainly give such a module no attribute of that name."""
    torch = [each for each in resolution_order(owner.of) if isinstance(each, TorchValue)]
    layers = [each for each in torch if not (is_root(each) or container_name(each.path))]
    if not layers:
        return True
    facts = facts_of(owner, frame)
    if facts is None or name.startswith("_") or name in _LAYER_METHODS or not all(map(is_leaf, layers)):
        return name == "reset_parameters" and not any(map(_resets, layers)) and all(map(is_leaf, layers))
    kept = (*facts.attributes, *facts.constants, *facts.submodules, *(each for each, _ in facts.parameters))
    return name not in kept


def _resets(of: ClassValue | TorchValue) -> bool:
    """Whether a module's class of torch has `reset_parameters`."""
    layers = (each.path.rpartition(".") for each in resolution_order(of) if isinstance(each, TorchValue))
    return any(package in _RESETTING_PACKAGES or name in _RESETTING for package, _, name in layers)


def is_leaf(of: TorchValue) -> bool:
    """Whether modules of a class of torch have no submodules."""
    package, _, name = of.path.rpartition(".")
    is_layer = package.startswith("torch.nn.modules.")
    has_parts = package.rpartition(".")[2] in ("transformer", "container", "adaptive") or name == "MultiheadAttention"
    return is_layer and not has_parts


def _bound(member: Value, owner: Value, cls: Value | None, frame: Frame) -> Value:
    """A name of a class read through an instance."""
    of = owner.of if isinstance(owner, (ModuleUnderConstruction, PlainObject)) else None
    if isinstance(member, FunctionValue):
        if "property" in member.modifiers:
            getter = BoundFunction(member, owner)
            return frame.run.language.call(getter, Arguments(), frame)
        if "staticmethod" in member.modifiers:
            return member
        if "classmethod" in member.modifiers and of is not None:
            return BoundFunction(member, of)
        return BoundFunction(member, owner)
    if isinstance(member, PartialValue):
        if member.kind == "cached_property" and isinstance(member.of, FunctionValue):
            return frame.run.language.call(BoundFunction(member.of, owner), Arguments(), frame)
        return member.of if member.kind == "static" else UnknownValue(f"{member.kind} of a class")
    return frame.run.thaw(member, frame)


def _special(owner: ModuleUnderConstruction, name: str) -> Value | None:
    tables = {"_parameters": owner.parameters, "_buffers": owner.buffers, "_modules": owner.modules}
    if name in tables and owner.is_initialised:
        return tables[name]
    if name == "__class__":
        return owner.of
    if name == "__module__" and isinstance(owner.of, ClassValue):
        return ConstantValue(owner.of.unit.module)
    if name == "training":
        return ConstantValue(True)
    return attribute_table(owner) if name == "__dict__" else None


def facts_of(owner: ModuleUnderConstruction, frame: Frame) -> ModuleFacts | None:
    """What torch recorded of the class of torch that an object is or derives from, for its arguments."""
    made = owner.base if owner.base is not None else owner
    if not isinstance(made.of, TorchValue):
        return None
    facts = frame.run.world.module_facts(made.of.path)
    return recorded_facts(facts, made.arguments, dict(made.keywords)) if facts is not None else None


def recorded_attribute(owner: ModuleUnderConstruction, name: str, frame: Frame) -> Value | None:
    """An attribute that `__init__` of a class of torch set; None where nothing is recorded of it."""
    facts = facts_of(owner, frame)
    if facts is None:
        return None
    type_ = facts.attributes.get(name, facts.constants.get(name))
    if type_ is None:
        is_there = name in facts.submodules or name in facts.constants
        return UnknownValue(f"attribute {name}") if is_there else None
    text = facts.constant_values.get(name)
    if text is not None and type_ in _SCALARS:
        return ConstantValue(ast.literal_eval(text))
    made = owner.base if owner.base is not None else owner
    given = _argument_for(facts, made, name)
    if isinstance(given, ConstantValue) and type(given.value).__name__ == _SCALARS.get(type_):
        return given
    if given is not None and name in facts.constants and not (is_none(given) and type_ != NONE):
        return _kept(given, type_)
    if type_ == TENSOR_TYPE:
        return InstanceValue(PARAMETER if name in facts.parameter_names else TENSOR)
    if isinstance(type_, OptionalType) and type_.element == TENSOR_TYPE and name in facts.parameter_names:
        is_off = isinstance(given, ConstantValue) and given.value is False
        return ConstantValue(None) if is_off else InstanceValue(PARAMETER)
    if type_ == NONE:
        return ConstantValue(None)
    scalar = _SCALARS.get(type_)
    return InstanceValue(BuiltinValue(scalar)) if scalar is not None else UnknownValue(f"attribute {name}")


def _argument_for(facts: ModuleFacts, made: ModuleUnderConstruction, name: str) -> Value | None:
    """What a constructor of torch got as its parameter `name`."""
    given = bound(facts, made.arguments, dict(made.keywords)).get(name)
    written = dict(facts.parameters).get(name)
    if given is not None or written is None or any(map(is_unknown, made.arguments)):
        return given
    try:
        return constants.from_python(ast.literal_eval(written))
    except ValueError:
        return None


def _kept(value: Value, recorded: Type) -> Value:
    """What a constructor of torch keeps of an argument: tuples have their length, all else stays as it is given."""
    if not isinstance(recorded, TupleType):
        return value if isinstance(value, (ConstantValue, InstanceValue, SequenceValue)) else UnknownValue("constant")
    if isinstance(value, (SequenceValue, ListObject)):
        return SequenceValue("tuple", tuple(value.elements))
    is_number = isinstance(value, ConstantValue) and isinstance(value.value, int)
    return SequenceValue("tuple", (value,) * len(recorded.elements)) if is_number else UnknownValue("constant")


def adopt(owner: ModuleUnderConstruction, name: str, frame: Frame) -> None:
    """Registers what a class of torch registered under a name, before that name is assigned anew."""
    facts = facts_of(owner, frame)
    if facts is None or owner.registered(name) is not None or name in owner.attributes:
        return
    key = ConstantValue(name)
    if name in facts.submodules:
        owner.modules.set(key, ModuleUnderConstruction(TorchValue(facts.submodules[name]), is_initialised=True))
    elif name in facts.parameter_names:
        owner.parameters.set(key, recorded_attribute(owner, name, frame) or UnknownValue(name))
    elif facts.attributes.get(name) == TENSOR_TYPE:
        owner.buffers.set(key, InstanceValue(TENSOR))


def _of_plain(owner: PlainObject, name: str, frame: Frame) -> Value:
    if not owner.is_known:
        return UnknownValue(f"attribute {name}")
    order = resolution_order(owner.of)
    cls, member = _first(order, name)
    if member is not None and _is_property(member):
        return _bound(member, owner, cls, frame)
    if name in owner.attributes:
        return owner.attributes[name]
    if member is not None:
        return _bound(member, owner, cls, frame)
    if name == "__class__":
        return owner.of
    if name == "__dict__":
        return attribute_table(owner)
    if name in ("__init__", "__setattr__"):
        return NativeMethod(owner, name)
    own_getattr = _first(order, "__getattr__")[1]
    is_known = all(isinstance(each, ClassValue) for each in order) and own_getattr is None
    if is_known and owner.of.kind == "plain" and not name.startswith("__"):
        raise Raised("AttributeError")
    return UnknownValue(f"attribute {name}")


def _of_super(value: SuperObject, name: str, frame: Frame) -> Value:
    receiver = value.receiver
    of = receiver.of if isinstance(receiver, (ModuleUnderConstruction, PlainObject)) else receiver
    order = resolution_order(of)
    after = next((i + 1 for i, each in enumerate(order) if _is_same_class(each, value.owner)), None)
    if after is None:
        return UnknownValue("super()")
    generated = generated_init(order[after:], receiver) if name == "__init__" else None
    if generated is not None:
        return generated
    for cls, member in found_members(order[after:], name):
        if member is not None:
            return _bound(member, receiver, cls, frame)
        if isinstance(cls, TorchValue):
            return TorchMethod(cls, receiver, name)
        tainted(receiver)
        if isinstance(receiver, ModuleUnderConstruction) and name == "__init__":
            receiver.is_initialised = True
        return UnknownValue(f"super().{name}")
    return NativeMethod(receiver, name)


def generated_init(order: Sequence[Value], receiver: Value) -> GeneratedInit | None:
    """The `__init__` found first, where nobody wrote it."""
    for each in order:
        if not isinstance(each, ClassValue) or "__init__" in each.members:
            return None
        if each.kind in ("dataclass", "namedtuple"):
            return GeneratedInit(each, receiver)
    return None


def _is_same_class(each: Value, owner: ClassValue) -> bool:
    return each is owner or (isinstance(each, ClassValue) and owner.node is not None and each.node is owner.node)


def _of_class(owner: ClassValue, name: str, frame: Frame) -> Value:
    if name in ("__name__", "__qualname__"):
        return ConstantValue(owner.name if name == "__name__" else owner.qualname)
    if name == "__module__":
        return ConstantValue(owner.unit.module)
    order = resolution_order(owner)
    for cls, member in found_members(order, name):
        if isinstance(member, FunctionValue):
            return BoundFunction(member, owner) if "classmethod" in member.modifiers else member
        if member is not None:
            return frame.run.thaw(member, frame)
        if isinstance(cls, TorchValue) and name in _MODULE_METHODS:
            return TorchMethod(cls, None, name)
        if not is_root(cls):
            break
    return evaluation.attribute(owner, name, frame.run.world)
