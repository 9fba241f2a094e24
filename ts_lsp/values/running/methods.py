"""Methods of lists, dicts, tuples and texts.

Owns `call_native`. Invariant: a method that is not modelled leaves a container unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ts_lsp.values import constants
from ts_lsp.values.calls import Arguments
from ts_lsp.values.model import (
    BuiltinValue,
    ConstantValue,
    InstanceValue,
    SequenceValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.naming import name_set
from ts_lsp.values.running.objects import (
    DictObject,
    Freezer,
    ListObject,
    Raised,
    hash_key,
)
from ts_lsp.values.running.operators import LONGEST, compare, extend, iterated, tainted
from ts_lsp.values.running.run import Frame
from ts_lsp.values.running.statements import set_attribute

_TEXT_METHODS = name_set(
    """
    lower upper title capitalize strip lstrip rstrip split rsplit splitlines join replace startswith endswith find
    index count partition rpartition removeprefix removesuffix isdigit isalpha isupper islower isidentifier swapcase
    format
    """
)
_UNKNOWN = UnknownValue("result of a method")


def merge(made: DictObject, source: Value, frame: Frame) -> None:
    if isinstance(source, DictObject):
        pairs: Sequence[Sequence[Value] | None] = list(source.pairs())
        is_known = source.is_known
    else:
        rows = iterated(source, frame)
        pairs = [iterated(row, frame) for row in rows or ()]
        is_known = rows is not None
    for pair in pairs:
        if pair is None or len(pair) != 2:
            is_known = False
        else:
            made.set(pair[0], pair[1])
    if not is_known:
        made.forget()


def call_native(receiver: Value, name: str, arguments: Arguments, frame: Frame) -> Value:
    """What a method of a list, tuple, dict or text gives, and does."""
    if not arguments.exact:
        tainted(receiver)
        return _UNKNOWN
    if isinstance(receiver, ListObject):
        return _call_list(receiver, name, arguments, frame)
    if isinstance(receiver, DictObject):
        return _call_dict(receiver, name, arguments, frame)
    if isinstance(receiver, SequenceValue):
        return _call_list(ListObject(list(receiver.elements), "tuple"), name, arguments, frame)
    if isinstance(receiver, ConstantValue) and isinstance(receiver.value, str):
        return _call_text(receiver, name, arguments, frame)
    if name == "__setattr__" and len(arguments.positional) == 2:
        name_given = arguments.positional[0]
        if isinstance(name_given, ConstantValue):
            set_attribute(receiver, str(name_given.value), arguments.positional[1], frame)
    return ConstantValue(None) if name == "__init__" else _UNKNOWN


def _call_list(owner: ListObject, name: str, arguments: Arguments, frame: Frame) -> Value:
    given = arguments.positional
    elements = owner.elements
    if name in ("append", "add", "appendleft") and len(given) == 1:
        if len(elements) < LONGEST:
            elements.insert(0 if name == "appendleft" else len(elements), given[0])
        else:
            owner.is_known = False
    elif name in ("extend", "update") and len(given) == 1:
        extend(owner, iterated(given[0], frame))
    elif name == "copy":
        return ListObject(list(elements), owner.kind, owner.is_known)
    elif name == "clear":
        elements.clear()
        owner.is_known = True
    elif not owner.is_known:
        return _UNKNOWN
    elif name == "insert" and len(given) == 2 and isinstance(given[0], ConstantValue) and type(given[0].value) is int:
        elements.insert(given[0].value, given[1])
    elif name == "pop":
        return _pop(owner, given)
    elif name == "reverse":
        elements.reverse()
    elif name in ("index", "count") and given:
        return _found(owner, name, given[0])
    else:
        owner.is_known = False
        return _UNKNOWN
    return ConstantValue(None)


def _pop(owner: ListObject, given: Sequence[Value]) -> Value:
    position = given[0].value if given and isinstance(given[0], ConstantValue) else -1
    if not isinstance(position, int) or (given and not isinstance(given[0], ConstantValue)):
        owner.is_known = False
        return _UNKNOWN
    if not -len(owner.elements) <= position < len(owner.elements):
        raise Raised("IndexError")
    return owner.elements.pop(position)


def _found(owner: ListObject, name: str, value: Value) -> Value:
    outcomes = [compare(ast.Eq(), each, value) for each in owner.elements]
    if None in outcomes or (name == "index" and True not in outcomes):
        return InstanceValue(BuiltinValue("int"))
    return ConstantValue(outcomes.index(True) if name == "index" else outcomes.count(True))


def _call_dict(owner: DictObject, name: str, arguments: Arguments, frame: Frame) -> Value:
    given = arguments.positional
    if name == "update":
        for each in given:
            merge(owner, each, frame)
        for key, value in arguments.keywords.items():
            owner.set(ConstantValue(key), value)
        return ConstantValue(None)
    if name == "copy":
        return DictObject(dict(owner.entries), owner.is_known, owner.factory)
    if name in ("items", "keys", "values"):
        pairs = list(owner.pairs())
        if name == "items":
            return ListObject([SequenceValue("tuple", pair) for pair in pairs], "generator", owner.is_known)
        return ListObject([pair[0 if name == "keys" else 1] for pair in pairs], "generator", owner.is_known)
    if name in ("get", "pop", "setdefault") and given:
        return _dict_entry(owner, name, given)
    owner.forget()
    return _UNKNOWN


def _dict_entry(owner: DictObject, name: str, given: Sequence[Value]) -> Value:
    found = owner.get(given[0])
    if found is None and (hash_key(given[0]) is None or not owner.is_known or isinstance(given[0], InstanceValue)):
        owner.is_known = owner.is_known and name == "get"
        return _UNKNOWN
    if name == "pop" and found is None and len(given) == 1:
        raise Raised("KeyError")
    value = found or (given[1] if len(given) > 1 else ConstantValue(None))
    if name == "pop":
        owner.remove(given[0])
    elif name == "setdefault":
        owner.set(given[0], value)
    return value


def _call_text(receiver: ConstantValue, name: str, arguments: Arguments, frame: Frame) -> Value:
    if name not in _TEXT_METHODS:
        return _UNKNOWN
    frozen = Freezer()
    given = [frozen.value(each) for each in arguments.positional]
    if name == "join" and given and arguments.positional:
        elements = iterated(arguments.positional[0], frame)
        given = [SequenceValue("list", tuple(elements))] if elements is not None else [_UNKNOWN]
    names = tuple(arguments.keywords)
    keywords = [frozen.value(each) for each in arguments.keywords.values()]
    if name == "format" and any(character in str(receiver.value) for character in "[:.!"):
        return InstanceValue(BuiltinValue("str"))

    def run(values: Sequence[object]) -> object:
        split = len(given)
        method = getattr(str(receiver.value), name)
        return method(*values[:split], **dict(zip(names, values[split:], strict=True)))

    result = constants.apply(run, [*given, *keywords], f"str.{name}")
    return frame.run.thaw(result, frame)
