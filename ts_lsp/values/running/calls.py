"""Calls, followed into the functions and classes of the workspace.

Owns `call`: functions, methods, the construction of objects, and torch's own callables. Invariant: whatever a callee
that is not known was given may have been changed by it.
"""

from __future__ import annotations

import ast

from ts_lsp.records import replace
from ts_lsp.values import calls, constants, known
from ts_lsp.values.calls import Arguments
from ts_lsp.values.fields import is_positional
from ts_lsp.values.inheritance import (
    container_name,
    found_members,
    is_module_class,
    is_root,
    resolution_order,
)
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    EnumMemberValue,
    FieldValue,
    FunctionValue,
    InstanceValue,
    PartialValue,
    ScriptedValue,
    SequenceValue,
    TorchValue,
    TracedValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.patching import keeps_class
from ts_lsp.values.running import vectors
from ts_lsp.values.running.attributes import TorchMethod, adopt, generated_init
from ts_lsp.values.running.builtins import call_builtin
from ts_lsp.values.running.containers import fill
from ts_lsp.values.running.methods import call_native
from ts_lsp.values.running.modules import call_module_method
from ts_lsp.values.running.objects import (
    BUFFER,
    PARAMETER,
    SIZE,
    STARRED,
    TENSOR,
    UNINITIALISED_BUFFER,
    UNINITIALISED_PARAMETER,
    BoundFunction,
    Freezer,
    GeneratedInit,
    ListObject,
    ModuleUnderConstruction,
    NativeMethod,
    PartialCall,
    PlainObject,
    Raised,
    is_tensor,
    is_unknown,
    sized_tensor,
)
from ts_lsp.values.running.operators import iterated, tainted
from ts_lsp.values.running.run import MOST_ITERATIONS, Exhausted, Frame
from ts_lsp.values.running.tensors import call_tensor_method, sized_result
from ts_lsp.values.torchnames import ANNOTATE, FREEZERS, SCRIPT, TRACE

_ONLY_WHILE_COMPILING = frozenset(
    {
        "torch.jit.is_scripting",
        "torch.jit.is_tracing",
        "torch._jit_internal.is_scripting",
        "torch.jit._trace.is_tracing",
    }
)
_OPAQUE = frozenset({"unknown"})
_REPEATED = {"_single": 1, "_pair": 2, "_triple": 3, "_quadruple": 4}


def call(callee: Value, arguments: Arguments, frame: Frame) -> Value:
    """What calling a value gives, and does."""
    frame.run.step()
    if isinstance(callee, FunctionValue):
        return call_function(callee, arguments, frame)
    if isinstance(callee, BoundFunction):
        return call_function(callee.function, _with_receiver(callee.receiver, arguments), frame)
    if isinstance(callee, ClassValue):
        return construct(callee, arguments, frame)
    if isinstance(callee, NativeMethod):
        return _call_native_method(callee, arguments, frame)
    if isinstance(callee, TorchMethod):
        return _call_torch_method(callee, arguments, frame)
    if isinstance(callee, TorchValue):
        return _call_torch(callee, arguments, frame)
    if isinstance(callee, BuiltinValue):
        return vectors.call(callee.name, arguments) or call_builtin(callee.name, arguments, frame)
    if isinstance(callee, GeneratedInit):
        _fill_fields(callee, arguments, frame)
        return ConstantValue(None)
    if isinstance(callee, PartialCall):
        inner = callee.arguments
        keywords = {**inner.keywords, **arguments.keywords}
        positional = (*inner.positional, *arguments.positional)
        return call(callee.function, Arguments(positional, keywords, inner.exact and arguments.exact), frame)
    if isinstance(callee, PartialValue) and callee.kind == "lru_cache":
        return call(callee.of, arguments, frame)
    if isinstance(callee, ModuleUnderConstruction):
        return UnknownValue("result of a module")
    if isinstance(callee, PlainObject):
        for _, member in found_members(resolution_order(callee.of), "__call__"):
            if isinstance(member, FunctionValue):
                return call_function(member, _with_receiver(callee, arguments), frame)
            break
    return _unknown_call(arguments)


def _with_receiver(receiver: Value, arguments: Arguments) -> Arguments:
    return replace(arguments, positional=(receiver, *arguments.positional))


def _unknown_call(arguments: Arguments) -> Value:
    for value in (*arguments.positional, *arguments.keywords.values()):
        tainted(value)
    return UnknownValue("result of a call")


def call_function(function: FunctionValue, arguments: Arguments, frame: Frame) -> Value:
    """Executes the body of a function."""
    node = function.node
    made = known.RESULTS.get(f"{function.unit.module}.{function.name}")
    if made is not None:
        return InstanceValue(BuiltinValue(made))
    if function.modifiers & _OPAQUE or isinstance(node, ast.AsyncFunctionDef):
        return _unknown_call(arguments)
    bound = calls.bind(function, arguments)
    if bound is None:
        raise Raised("TypeError")
    run = frame.run
    run.enter()
    function.site.is_followed = True
    inner = Frame(run, function.scope, function.unit, {}, function, next(iter(arguments.positional), None))
    inner.is_function = True
    inner.names.update((name, run.thaw(value, frame)) for name, value in bound.items())
    _annotate(inner, node.args)
    try:
        if isinstance(node, ast.Lambda):
            inner.returned = run.language.evaluate(node.body, inner)
        else:
            inner.yielded = ListObject(kind="generator") if calls.is_generator(node) else None
            run.language.execute(node.body, inner)
    finally:
        run.leave()
    return inner.yielded or inner.returned


def _annotate(frame: Frame, signature: ast.arguments) -> None:
    """Parameters whose value is not known have the type they are annotated with."""
    for parameter in (*signature.posonlyargs, *signature.args, *signature.kwonlyargs):
        if parameter.annotation is None or not is_unknown(frame.names.get(parameter.arg, ConstantValue(None))):
            continue
        if isinstance(parameter.annotation, (ast.Name, ast.Attribute)):
            type_ = frame.run.language.evaluate(parameter.annotation, Frame(frame.run, frame.parent, frame.unit))
            if isinstance(type_, BuiltinValue) and type_.name in ("int", "float", "bool", "str"):
                frame.names[parameter.arg] = InstanceValue(type_)
            elif type_ == TENSOR:
                frame.names[parameter.arg] = InstanceValue(TENSOR)


# Objects of classes of the workspace.


def construct(owner: ClassValue, arguments: Arguments, frame: Frame) -> Value:
    """Makes an instance of a class and runs its `__init__`."""
    if owner.kind == "enum":
        given = arguments.positional[0] if len(arguments.positional) == 1 else None
        members = [each for each in owner.members.values() if isinstance(each, EnumMemberValue)]
        found = [each for each in members if isinstance(given, ConstantValue) and each.value == given]
        return found[0] if found else UnknownValue(f"member of {owner.name}")
    made_by_library = known.RESULTS.get(f"{owner.unit.module}.{owner.name}")
    if made_by_library is not None:
        return InstanceValue(BuiltinValue(made_by_library))
    if owner.kind == "typed_dict":
        return call_builtin("dict", arguments, frame)
    keywords = tuple(arguments.keywords.items())
    order = resolution_order(owner)
    if not is_module_class(owner):
        return _construct_plain(owner, arguments, frame)
    made = ModuleUnderConstruction(owner, arguments.positional, keywords)
    frame.run.modules_made += 1
    makers = [member for _, member in found_members(order, "__new__") if member is not None]
    if any(not isinstance(each, FunctionValue) or not keeps_class(each) for each in makers):
        return UnknownValue(f"what {owner.name}.__new__ makes")
    if makers or _is_altered(owner):
        made.is_complete = False
    if not arguments.exact:
        made.arguments = (*arguments.positional, STARRED)
    _initialise(made, arguments, frame)
    return made


def _is_altered(owner: ClassValue) -> bool:
    """Whether something that is not followed writes an `__init__` or changes what it makes."""
    for each in resolution_order(owner):
        node = each.node if isinstance(each, ClassValue) else None
        if node is None:
            continue
        if any(keyword.arg == "metaclass" and "ABCMeta" not in ast.unparse(keyword.value) for keyword in node.keywords):
            return True
        if any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list):
            return True
        if isinstance(each, ClassValue) and "unknown" in each.modifiers:
            return True
    return False


def _initialise(made: ModuleUnderConstruction | PlainObject, arguments: Arguments, frame: Frame) -> None:
    for cls, member in found_members(resolution_order(made.of), "__init__"):
        if isinstance(member, FunctionValue):
            call_function(member, _with_receiver(made, arguments), frame)
            if member.modifiers & _OPAQUE and isinstance(made, ModuleUnderConstruction):
                made.initialise()
        elif isinstance(made, ModuleUnderConstruction) and isinstance(cls, TorchValue) and member is None:
            initialise_torch(made, cls, arguments, frame)
        else:
            tainted(made)
            if isinstance(made, ModuleUnderConstruction):
                made.is_initialised = True
        return


def _construct_plain(owner: ClassValue, arguments: Arguments, frame: Frame) -> Value:
    order = resolution_order(owner)
    known = all(isinstance(each, ClassValue) for each in order)
    has_new = any(member is not None for _, member in found_members(order, "__new__"))
    if owner.kind not in ("plain", "dataclass", "namedtuple") or has_new or not known or not arguments.exact:
        is_described = owner.kind in ("plain", "dataclass", "namedtuple") and not has_new and arguments.exact
        if not is_described or owner.kind == "plain":
            for value in (*arguments.positional, *arguments.keywords.values()):
                tainted(value)
            return UnknownValue(f"instance of {owner.name}")
    made = PlainObject(owner, arguments.positional, tuple(arguments.keywords.items()))
    generated = generated_init(order, made)
    if generated is not None:
        _fill_fields(generated, arguments, frame)
    else:
        _initialise(made, arguments, frame)
    return made


def _fill_fields(callee: GeneratedInit, arguments: Arguments, frame: Frame) -> None:
    """What the `__init__` of a dataclass or NamedTuple does."""
    made, fields = callee.receiver, callee.owner.fields
    if not isinstance(made, PlainObject) or not arguments.exact:
        tainted(made)
        return
    names = [each.name for each in fields if is_positional(each)]
    given = {**dict(zip(names, arguments.positional, strict=False)), **arguments.keywords}
    initial: list[Value] = []
    for each in fields:
        value = given.get(each.name) or _default(each, frame) or UnknownValue(f"field {each.name}")
        if dict(each.options).get("init_only") is None:
            made.attributes[each.name] = value
        else:
            initial.append(value)
    for _, member in found_members(resolution_order(made.of), "__post_init__"):
        if isinstance(member, FunctionValue):
            call_function(member, Arguments((made, *initial)), frame)
        break


def _default(field: FieldValue, frame: Frame) -> Value | None:
    if field.default is not None:
        return frame.run.thaw(field.default, frame)
    factory = dict(field.options).get("default_factory")
    return call(factory, Arguments(), frame) if factory is not None else None


# Torch.


def initialise_torch(made: ModuleUnderConstruction, of: TorchValue, arguments: Arguments, frame: Frame) -> None:
    """Runs `__init__` of a class of torch on an object."""
    made.initialise()
    if is_root(of):
        return
    if container_name(of.path):
        fill(made, container_name(of.path), arguments, frame)
        return
    positional = arguments.positional if arguments.exact else (STARRED,)
    base = ModuleUnderConstruction(of, positional, tuple(arguments.keywords.items()), is_initialised=True)
    if made.of != of:
        made.base = base


def _call_torch(callee: TorchValue, arguments: Arguments, frame: Frame) -> Value:
    path = callee.path
    world = frame.run.world
    first = next(iter((*arguments.positional, *arguments.keywords.values())), None)
    if world.torch_kind(path) == "module":
        positional = arguments.positional if arguments.exact else (STARRED,)
        made = ModuleUnderConstruction(callee, positional, tuple(arguments.keywords.items()))
        frame.run.modules_made += 1
        initialise_torch(made, callee, arguments, frame)
        if container_name(path):
            made.arguments, made.keywords = (), ()
        return made
    if callee in (PARAMETER, BUFFER, UNINITIALISED_PARAMETER, UNINITIALISED_BUFFER):
        size = dict(first.keywords).get("size") if isinstance(first, InstanceValue) and is_tensor(first) else None
        return sized_tensor(callee, size.elements) if isinstance(size, SequenceValue) else InstanceValue(callee)
    if path in SCRIPT or path in FREEZERS:
        if isinstance(first, ModuleUnderConstruction):
            return first
        return ScriptedValue(Freezer().value(first)) if isinstance(first, FunctionValue) else UnknownValue(path)
    if path in TRACE:
        return _traced(arguments)
    if path in ANNOTATE and len(arguments.positional) > 1:
        return arguments.positional[1]
    if isinstance(first, ModuleUnderConstruction) and _is_normalised(first, path):
        return first
    if path.startswith("torch.nn.utils.") and first is not None:
        tainted(first)
        return first if isinstance(first, ModuleUnderConstruction) else UnknownValue(path)
    return _call_torch_function(callee, arguments, first, frame)


def _traced(arguments: Arguments) -> Value:
    """A traced module is a copy with the same parts, of which only the recorded `forward` can be called."""
    target, example = arguments.get(0, "func"), arguments.get(1, "example_inputs")
    examples = calls.example_inputs(Freezer().value(example)) if example is not None else UnknownValue("example inputs")
    if isinstance(target, ModuleUnderConstruction) and arguments.exact:
        return replace(target, traced_with=examples)
    if isinstance(target, FunctionValue) and arguments.exact:
        return TracedValue(target, examples.elements if isinstance(examples, SequenceValue) else None)
    return UnknownValue("traced object")


def _is_normalised(module: ModuleUnderConstruction, path: str) -> bool:
    """Whether a function put its hook on a module, or took it away, and all names are as before."""
    package, _, name = path.rpartition(".")
    if not package.startswith("torch.nn.utils"):
        return False
    if package.endswith("parametrizations"):
        return name == "weight_norm"
    of = BuiltinValue(f"torch.nn.utils.{name.removeprefix('remove_')}")
    if name in ("weight_norm", "spectral_norm"):
        module.pre_hooks.append(InstanceValue(of))
    if name in ("remove_weight_norm", "remove_spectral_norm"):
        hooks = module.pre_hooks
        module.pre_hooks = [each for each in hooks if not (isinstance(each, InstanceValue) and each.of == of)]
    return name.endswith(("weight_norm", "spectral_norm"))


def _call_torch_function(callee: TorchValue, arguments: Arguments, first: Value | None, frame: Frame) -> Value:
    path = callee.path
    package, _, name = path.rpartition(".")
    if package == "torch.nn.modules.utils" and name in _REPEATED and first is not None:
        elements = iterated(first, frame)
        if is_unknown(first) or (elements is None and not isinstance(first, ConstantValue)):
            return UnknownValue(name)
        return SequenceValue("tuple", (first,) * _REPEATED[name] if elements is None else tuple(elements))
    if path == "torch.Size" and first is not None:
        elements = iterated(first, frame)
        return SequenceValue("tuple", tuple(elements)) if elements is not None else UnknownValue("torch.Size")
    if path.startswith("itertools."):
        return _iterate(path, arguments, frame)
    if path.startswith("torch.nn.init.") and first is not None and is_tensor(first):
        return first
    if path in _ONLY_WHILE_COMPILING:
        return ConstantValue(False)
    computed = vectors.call(path, arguments)
    if computed is not None:
        return computed
    if path == "torch.Size":
        sizes = iterated(first, frame) if first is not None else ()
        return InstanceValue(SIZE) if sizes is None else SequenceValue("tuple", tuple(sizes))
    if path in known.RESULTS:
        return InstanceValue(BuiltinValue(known.RESULTS[path]))
    sized = sized_result(path, arguments, frame)
    if sized is not None:
        return sized
    frozen = Freezer()
    positional = frozen.values(arguments.positional)
    keywords = frozen.table(dict(arguments.keywords))
    if path.startswith(("math.", "re.")) and arguments.exact:
        value = constants.call(path, positional, keywords)
        if value is not None:
            return frame.run.thaw(value, frame)
    result = frame.run.world.torch_result(path)
    if result is not None:
        return result
    kind = frame.run.world.torch_kind(path)
    if kind in ("tensor", "legacy_tensor"):
        return InstanceValue(TENSOR)
    is_plain = arguments.exact and kind
    return InstanceValue(callee, positional, tuple(keywords.items())) if is_plain else _unknown_call(arguments)


def _iterate(path: str, arguments: Arguments, frame: Frame) -> Value:
    if not arguments.exact or arguments.keywords:
        return UnknownValue(path)
    if path == "itertools.repeat" and len(arguments.positional) == 2:
        count = arguments.positional[1]
        if isinstance(count, ConstantValue) and isinstance(count.value, int) and count.value <= MOST_ITERATIONS:
            return ListObject([arguments.positional[0]] * count.value, "generator")
    parts = [iterated(each, frame) for each in arguments.positional]
    known = [part for part in parts if part is not None]
    if len(known) != len(parts):
        return UnknownValue(path)
    if path == "itertools.chain":
        return ListObject([each for part in known for each in part], "generator")
    if path == "itertools.product":
        rows: list[tuple[Value, ...]] = [()]
        for part in known:
            rows = [(*row, each) for row in rows for each in part]
            if len(rows) > 1000:
                raise Exhausted
        return ListObject([SequenceValue("tuple", row) for row in rows], "generator")
    return UnknownValue(path)


def _call_torch_method(callee: TorchMethod, arguments: Arguments, frame: Frame) -> Value:
    receiver = callee.receiver
    if receiver is None:
        if not arguments.positional:
            return UnknownValue(callee.name)
        receiver = arguments.positional[0]
        arguments = replace(arguments, positional=arguments.positional[1:])
    if not isinstance(receiver, ModuleUnderConstruction):
        tainted(receiver)
        return UnknownValue(callee.name)
    if callee.name == "__init__":
        initialise_torch(receiver, callee.of, arguments, frame)
        return ConstantValue(None)
    if callee.name == "__setattr__" and len(arguments.positional) == 2:
        name = arguments.positional[0]
        if isinstance(name, ConstantValue):
            adopt(receiver, str(name.value), frame)
            receiver.assign(str(name.value), arguments.positional[1])
            return ConstantValue(None)
    return _call_native_method(NativeMethod(receiver, callee.name), arguments, frame)


def _call_native_method(callee: NativeMethod, arguments: Arguments, frame: Frame) -> Value:
    receiver = callee.receiver
    if isinstance(receiver, ModuleUnderConstruction):
        return call_module_method(receiver, callee.name, arguments, frame)
    computed = vectors.method(receiver, callee.name, arguments)
    if computed is not None:
        return computed
    if is_tensor(receiver):
        return call_tensor_method(receiver, callee.name, arguments, frame)
    return call_native(receiver, callee.name, arguments, frame)
