"""What happens to a module between its construction and the compiler's first look at it.

Owns `made_ready`: `__prepare_scriptable__` may put another object in a module's place, and the compiler reads the
properties that `__constants__` names and those that are cached. Invariant: every module of the tree is visited once.
"""

from __future__ import annotations

from ts_lsp.values.calls import Arguments
from ts_lsp.values.inheritance import found_members, resolution_order
from ts_lsp.values.model import ClassValue, ConstantValue, FunctionValue, PartialValue, SequenceValue
from ts_lsp.values.running.attributes import attribute
from ts_lsp.values.running.modules import all_modules
from ts_lsp.values.running.objects import BoundFunction, ModuleUnderConstruction
from ts_lsp.values.running.run import Frame

_REPLACEMENT = "__prepare_scriptable__"


def made_ready(module: ModuleUnderConstruction, frame: Frame) -> ModuleUnderConstruction:
    """The module that the compiler gets for this one."""
    root = _prepared(module, frame, {})
    for each in all_modules(root):
        _read_properties(each, frame)
    return root


def _prepared(
    module: ModuleUnderConstruction, frame: Frame, done: dict[int, ModuleUnderConstruction]
) -> ModuleUnderConstruction:
    if id(module) in done:
        return done[id(module)]
    ready = module
    for _, member in found_members(resolution_order(module.of), _REPLACEMENT):
        if isinstance(member, FunctionValue):
            given = frame.run.language.call(BoundFunction(member, module), Arguments(), frame)
            if isinstance(given, ModuleUnderConstruction):
                ready = given
            else:
                module.is_complete = False
        break
    done[id(module)] = done[id(ready)] = ready
    for key, child in list(ready.modules.pairs()):
        if isinstance(child, ModuleUnderConstruction):
            ready.modules.set(key, _prepared(child, frame, done))
    return ready


def _read_properties(module: ModuleUnderConstruction, frame: Frame) -> None:
    """Cached properties become attributes when they are read; of others the constants keep the value."""
    classes = [each for each in resolution_order(module.of) if isinstance(each, ClassValue)]
    members = {name: member for each in reversed(classes) for name, member in each.members.items()}
    constants = members.get("__constants__")
    elements = constants.elements if isinstance(constants, SequenceValue) else ()
    named = {each.value for each in elements if isinstance(each, ConstantValue)}
    for name, member in members.items():
        if isinstance(member, PartialValue) and member.kind == "cached_property" and name not in module.attributes:
            module.attributes[name] = attribute(module, name, frame)
        elif isinstance(member, FunctionValue) and "property" in member.modifiers and name in named:
            module.read_properties[name] = attribute(module, name, frame)
