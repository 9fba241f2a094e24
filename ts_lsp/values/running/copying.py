"""Copies of the objects of a run.

Owns `deep_copy`. Invariant: objects that hold each other do so in the copy; what does not change is shared.
"""

from __future__ import annotations

from ts_lsp.values.model import SequenceValue, Value
from ts_lsp.values.running.objects import DictObject, ListObject, ModuleUnderConstruction, PlainObject


def deep_copy(value: Value, done: dict[int, Value]) -> Value:
    """`copy.deepcopy(value)`."""
    if id(value) in done:
        return done[id(value)]
    if isinstance(value, ListObject):
        made = done[id(value)] = ListObject([], value.kind, value.is_known)
        made.elements.extend(deep_copy(each, done) for each in value.elements)
        return made
    if isinstance(value, DictObject):
        copied = done[id(value)] = DictObject({}, value.is_known, value.factory)
        for key, item in value.pairs():
            copied.set(key, deep_copy(item, done))
        copied.is_known = value.is_known
        return copied
    if isinstance(value, SequenceValue):
        return SequenceValue(value.kind, tuple(deep_copy(each, done) for each in value.elements))
    if isinstance(value, PlainObject):
        plain = done[id(value)] = PlainObject(value.of, value.arguments, value.keywords, {}, value.is_known)
        plain.attributes.update((name, deep_copy(each, done)) for name, each in value.attributes.items())
        return plain
    return _copied_module(value, done) if isinstance(value, ModuleUnderConstruction) else value


def _copied_module(value: ModuleUnderConstruction, done: dict[int, Value]) -> Value:
    made = done[id(value)] = ModuleUnderConstruction(value.of, value.arguments, value.keywords)
    for table, target in (
        (value.parameters, made.parameters),
        (value.buffers, made.buffers),
        (value.modules, made.modules),
    ):
        for key, item in table.pairs():
            target.set(key, deep_copy(item, done))
        target.is_known = table.is_known
    made.attributes.update((name, deep_copy(each, done)) for name, each in value.attributes.items())
    made.hooks, made.pre_hooks, made.base = list(value.hooks), list(value.pre_hooks), value.base
    made.is_complete, made.is_initialised = value.is_complete, value.is_initialised
    return made
