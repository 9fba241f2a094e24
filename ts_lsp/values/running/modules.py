"""Methods of `nn.Module` that a constructor calls.

Owns `call_module_method`. Invariant: a method that is not listed may have changed the module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ts_lsp.values.calls import Arguments
from ts_lsp.values.inheritance import container_name, is_root, resolution_order
from ts_lsp.values.model import (
    ClassValue,
    ConstantValue,
    FunctionValue,
    InstanceValue,
    SequenceValue,
    TorchValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.naming import name_set
from ts_lsp.values.running.attributes import GIVE_BACK, IDLE, adopt, attribute, is_leaf
from ts_lsp.values.running.containers import call_container_method
from ts_lsp.values.running.objects import (
    BoundFunction,
    ListObject,
    ModuleUnderConstruction,
    Raised,
    is_none,
    is_parameter,
    is_tensor,
    is_unknown,
)
from ts_lsp.values.running.operators import tainted
from ts_lsp.values.running.run import Frame

_CONTAINER_METHODS = name_set("append extend insert pop update clear items keys values get")
_CHANGERS = name_set("setattr delattr register_buffer register_parameter add_module register_module apply to_empty")
_MOST_MODULES = 2_000
HANDLE = InstanceValue(TorchValue("torch.utils.hooks.RemovableHandle"))


def call_module_method(receiver: ModuleUnderConstruction, name: str, arguments: Arguments, frame: Frame) -> Value:
    """What a method of torch's classes gives, and does."""
    register = _REGISTERING.get(name)
    if register is not None:
        return _register(receiver, *register, arguments, frame)
    if name in ("register_forward_hook", "register_forward_pre_hook"):
        hook = _argument(arguments, 0, "hook")
        if hook is not None:
            bound = hook.function if isinstance(hook, BoundFunction) else hook
            (receiver.hooks if name == "register_forward_hook" else receiver.pre_hooks).append(bound)
        return HANDLE
    if name == "apply" and arguments.positional:
        if _may_change(arguments.positional[0]):
            _apply(receiver, arguments.positional[0], frame)
        return receiver
    if name in GIVE_BACK:
        return receiver
    if name.lstrip("_").startswith("register_") and name.endswith("_hook"):
        return HANDLE
    kind = next((k for k in map(_container, resolution_order(receiver.of)) if k), "")
    if name in _CONTAINER_METHODS and kind:
        return call_container_method(receiver, kind, name, arguments, frame)
    return _read(receiver, name, arguments, frame)


def _container(value: Value) -> str:
    return container_name(value.path) if isinstance(value, TorchValue) else ""


_REGISTERING = {
    "register_buffer": ("buffers", "tensor"),
    "register_parameter": ("parameters", "param"),
    "add_module": ("modules", "module"),
    "register_module": ("modules", "module"),
}


def _apply(module: ModuleUnderConstruction, function: Value, frame: Frame) -> None:
    """Calls a function on every module, children first; where not all modules are in the tables, all is doubtful."""
    if not all(_shows_all(each) for each in all_modules(module)):
        for each in all_modules(module):
            tainted(each)
        return
    for _, child in module.modules.pairs():
        if isinstance(child, ModuleUnderConstruction):
            _apply(child, function, frame)
    frame.run.language.call(function, Arguments((module,)), frame)


def _argument(arguments: Arguments, index: int, name: str) -> Value | None:
    return arguments.get(index, name)


def _register(receiver: ModuleUnderConstruction, table: str, keyword: str, arguments: Arguments, frame: Frame) -> Value:
    name, value = arguments.get(0, "name"), arguments.get(1, keyword)
    if not isinstance(name, ConstantValue) or not isinstance(name.value, str) or value is None:
        receiver.is_complete = False
        return ConstantValue(None)
    fits = {
        "buffers": is_tensor(value),
        "parameters": is_parameter(value),
        "modules": isinstance(value, ModuleUnderConstruction),
    }
    if not (fits[table] or is_none(value) or is_unknown(value)):
        raise Raised("TypeError")
    adopt(receiver, name.value, frame)
    target = {"buffers": receiver.buffers, "parameters": receiver.parameters, "modules": receiver.modules}[table]
    receiver.register(target, name.value, value)
    return ConstantValue(None)


def _read(receiver: ModuleUnderConstruction, name: str, arguments: Arguments, frame: Frame) -> Value:
    if name in ("children", "named_children"):
        distinct: dict[int, tuple[Value, Value]] = {}
        for key, value in receiver.modules.pairs():
            distinct.setdefault(id(value), (key, value))
        pairs = [pair for pair in distinct.values() if not is_none(pair[1])]
        found = [value if name == "children" else SequenceValue("tuple", (key, value)) for key, value in pairs]
        return ListObject(list(found), "generator", _shows_all(receiver))
    if name == "named_modules" and not arguments.positional and not arguments.keywords:
        named = list(_named_modules(receiver, "", set()))
        rows = [SequenceValue("tuple", (ConstantValue(path), each)) for path, each in named]
        return ListObject(list(rows), "generator", all(_shows_all(each) for _, each in named))
    if name == "modules":
        every = list(all_modules(receiver))
        return ListObject(list(every), "generator", all(_shows_all(each) for each in every))
    if name == "get_submodule" and arguments.positional:
        return _submodule(receiver, arguments.positional[0], frame)
    if name == "__len__":
        return UnknownValue("length of a module")
    if name not in IDLE:
        tainted(receiver)
    if name == "__getattr__" and arguments.positional and isinstance(arguments.positional[0], ConstantValue):
        return attribute(receiver, str(arguments.positional[0].value), frame)
    return UnknownValue(f"result of {name}")


def _submodule(receiver: ModuleUnderConstruction, path: Value, frame: Frame) -> Value:
    if not isinstance(path, ConstantValue) or not isinstance(path.value, str):
        return UnknownValue("submodule")
    found: Value = receiver
    for name in filter(None, path.value.split(".")):
        found = attribute(found, name, frame)
    return found


def all_modules(root: ModuleUnderConstruction) -> Iterator[ModuleUnderConstruction]:
    """A module and everything below it, each once."""
    seen: set[int] = set()
    pending: list[Value] = [root]
    while pending and len(seen) < _MOST_MODULES:
        current = pending.pop()
        if isinstance(current, ModuleUnderConstruction) and id(current) not in seen:
            seen.add(id(current))
            yield current
            pending.extend(reversed([value for _, value in current.modules.pairs()]))


def _named_modules(
    module: ModuleUnderConstruction, path: str, seen: set[int]
) -> Iterator[tuple[str, ModuleUnderConstruction]]:
    """A module and everything below it with the path that leads there, parents first."""
    if id(module) in seen or len(seen) > _MOST_MODULES:
        return
    seen.add(id(module))
    yield path, module
    for key, child in module.modules.pairs():
        if isinstance(child, ModuleUnderConstruction) and isinstance(key, ConstantValue):
            yield from _named_modules(child, f"{path}.{key.value}" if path else str(key.value), seen)


def _shows_all(module: ModuleUnderConstruction) -> bool:
    """Whether all submodules are in its table: torch's own classes may have more."""
    if not module.is_complete or any(is_unknown(value) for _, value in module.modules.pairs()):
        return False
    torch = [each for each in resolution_order(module.of) if isinstance(each, TorchValue)]
    return all(is_root(each) or container_name(each.path) or is_leaf(each) for each in torch)


def _may_change(function: Value) -> bool:
    """Whether a function given to `apply` may do more than write to tensors."""
    if isinstance(function, BoundFunction):
        function = function.function
    if not isinstance(function, FunctionValue):
        return not isinstance(function, (TorchValue, ClassValue))
    function.site.is_followed = True
    for part in ast.walk(function.node):
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
            if part.attr not in ("data", "requires_grad"):
                return True
        elif isinstance(part, ast.Call):
            callee = part.func
            name = callee.attr if isinstance(callee, ast.Attribute) else getattr(callee, "id", "")
            if name in _CHANGERS:
                return True
    return False
