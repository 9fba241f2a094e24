"""What an instance has that is or derives from one of torch's own module classes.

Owns `infer_recorded`. Invariant: what depends on an argument that is not known has an unknown type, and makes nothing
else uncertain.
"""

from __future__ import annotations

import ast
import functools
from typing import TYPE_CHECKING

from ts_lsp.records import replace
from ts_lsp.semantic.modules import ModuleDefinition, class_member, container_kind
from ts_lsp.torchdata import objects
from ts_lsp.torchdata.module_facts import part_of
from ts_lsp.types.model import BOOL, FLOAT, INT, NONE, STR, UNKNOWN, Type
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import ConstantValue, FunctionValue, ModuleObject, TorchValue, Value
from ts_lsp.values.recorded import bound, recorded_facts

if TYPE_CHECKING:
    from ts_lsp.semantic.program import Program

_LITERAL_TYPES = frozenset({BOOL, INT, FLOAT, STR, NONE})


def infer_recorded(program: Program, definition: ModuleDefinition, of: TorchValue) -> None:
    """A class of torch: what was recorded of it, with the arguments it was constructed with."""
    facts = definition.recorded
    made = definition.object.base or definition.object
    if facts is None:
        found = program.torch.module_facts(of.path)
        if found is None:
            definition.unsure(f"class {of.path}")
            return
        facts = recorded_facts(found, made.arguments, dict(made.keywords))
    _adopt_recorded(program, definition, facts)
    given = bound(facts, made.arguments, dict(made.keywords))
    for name in (each for each in facts.submodules if "." not in each):
        if name in facts.given_modules:
            _adopt_given(program, definition, name, given.get(facts.given_modules[name]))
            continue
        path = TorchValue(facts.submodules[name])
        child = ModuleObject(path, is_complete=not container_kind(path), is_initialised=True)
        definition.submodules[name] = program.define_module(child, _recorded_part(program, facts, name))
    inherits = definition.value is None or not isinstance(class_member(definition.value, "forward"), FunctionValue)
    # What overloads a method of torch has is not known to classes that derive from it.
    loses_overloads = definition.value is not None and any(each.name.startswith("forward__") for each in facts.methods)
    if inherits and (facts.is_doubtful or loses_overloads):
        definition.unsure(f"arguments of {of.path}")
    if facts.refusal is not None:
        definition.refusal = (of.path, facts.refusal)
        if definition.value is not None and inherits:
            definition.unsure(f"{of.path}: {facts.refusal}")


def _adopt_given(program: Program, definition: ModuleDefinition, name: str, given: Value | None) -> None:
    """A submodule that the constructor was given."""
    if isinstance(given, ModuleObject):
        definition.submodules[name] = program.define_module(given)
    else:
        definition.submodules[name] = None
        definition.is_open = True


def _adopt_recorded(program: Program, definition: ModuleDefinition, facts: objects.ModuleFacts) -> None:
    definition.is_open = definition.is_open or facts.is_open
    definition.attributes.update((name, each) for name, each in facts.attributes.items() if "." not in name)
    for name, type_ in facts.constants.items():
        if "." not in name:
            definition.constant_types[name] = type_ if type_ is not None else UNKNOWN
            text = facts.constant_values.get(name)
            if text is not None and type_ in _LITERAL_TYPES:
                definition.constants[name] = _constant(text)
    schemas: dict[str, list[Schema]] = {}
    for schema in facts.methods:
        name = schema.name.partition("__")[0] if "__" in schema.name[1:] else schema.name
        schemas.setdefault(name, []).append(schema)
    definition.schemas = {name: tuple(each) for name, each in schemas.items()}
    definition.functions = facts.functions or {}
    definition.members = facts.members


@functools.cache
def _constant(text: str) -> ConstantValue:
    return ConstantValue(ast.literal_eval(text))


def _recorded_part(program: Program, facts: objects.ModuleFacts, name: str) -> objects.ModuleFacts | None:
    """The facts of a submodule: its own where they are recorded, else what holds of its class in any case."""
    usual = program.torch.module_facts(facts.submodules[name])
    if usual is None:
        return None
    part = part_of(facts, name)
    if part is not None:
        return replace(part, methods=usual.methods, functions=usual.functions, members=usual.members)
    attributes: dict[str, Type] = dict.fromkeys(usual.attributes, UNKNOWN)
    return replace(
        usual, attributes=attributes, constants=dict.fromkeys(usual.constants), constant_values={}, is_open=True
    )
