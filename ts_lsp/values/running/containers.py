"""Torch's containers of modules and parameters: what their constructors and list or dict methods do.

Owns `fill`. Invariant: an element whose kind is not known is kept as unknown; elements that torch refuses raise.
"""

from __future__ import annotations

from collections.abc import Sequence

from ts_lsp.values.calls import Arguments
from ts_lsp.values.model import ConstantValue, InstanceValue, SequenceValue, UnknownValue, Value
from ts_lsp.values.naming import name_set
from ts_lsp.values.running.objects import (
    PARAMETER,
    DictObject,
    ListObject,
    ModuleUnderConstruction,
    Raised,
    is_none,
    is_parameter,
    is_tensor,
    is_unknown,
)
from ts_lsp.values.running.operators import container_elements, iterated
from ts_lsp.values.running.run import Frame

LIST_METHODS = name_set("append extend insert pop")
DICT_METHODS = name_set("update pop clear items keys values get")


def fill(made: ModuleUnderConstruction, kind: str, arguments: Arguments, frame: Frame) -> None:
    """What the constructor of a container does with its arguments."""
    if not arguments.exact:
        made.is_complete = False
        return
    given = next(iter((*arguments.positional, *arguments.keywords.values())), None)
    if kind == "Sequential":
        if len(arguments.positional) == 1 and isinstance(given, DictObject):
            _update(made, kind, given, frame)
        else:
            for index, value in enumerate(arguments.positional):
                _add(made, kind, str(index), value)
    elif given is not None and not is_none(given):
        if kind.endswith("Dict"):
            _update(made, kind, given, frame)
        else:
            _extend(made, kind, given, frame)


def _add(made: ModuleUnderConstruction, kind: str, name: str, value: Value) -> None:
    if kind.startswith("Parameter"):
        converted = InstanceValue(PARAMETER) if is_tensor(value) and not is_parameter(value) else value
        made.assign(name, converted)
    elif isinstance(value, ModuleUnderConstruction) or is_none(value) or _may_be_module(value):
        made.register(made.modules, name, value)
    else:
        raise Raised("TypeError")


def _may_be_module(value: Value) -> bool:
    return is_unknown(value) or type(value).__name__ in ("ScriptedValue", "TracedValue")


def _extend(made: ModuleUnderConstruction, kind: str, values: Value, frame: Frame) -> None:
    elements = iterated(values, frame)
    if elements is None:
        made.is_complete = False
        return
    for each in elements:
        _add(made, kind, str(_count(made, kind)), each)


def _count(made: ModuleUnderConstruction, kind: str) -> int:
    table = made.parameters if kind.startswith("Parameter") else made.modules
    return len(table.entries)


def _update(made: ModuleUnderConstruction, kind: str, values: Value, frame: Frame) -> None:
    pairs: list[tuple[Value, Value]] | None = None
    if isinstance(values, DictObject):
        pairs = list(values.pairs()) if values.is_known else None
    elif isinstance(values, ModuleUnderConstruction):
        pairs = list((values.parameters if kind.startswith("Parameter") else values.modules).pairs())
    else:
        elements = iterated(values, frame)
        rows = [iterated(each, frame) for each in elements] if elements is not None else [None]
        known = [(row[0], row[1]) for row in rows if row is not None and len(row) == 2]
        pairs = known if len(known) == len(rows) else None
    if pairs is None:
        made.is_complete = False
        return
    for key, value in pairs:
        if isinstance(key, ConstantValue) and isinstance(key.value, str):
            _add(made, kind, key.value, value)
        else:
            made.is_complete = False


def call_container_method(
    made: ModuleUnderConstruction, kind: str, name: str, arguments: Arguments, frame: Frame
) -> Value:
    """`append`, `extend`, `insert`, `pop`, `update`, `items` and so on of a container."""
    given = arguments.positional
    table = made.parameters if kind.startswith("Parameter") else made.modules
    if name == "append" and given:
        _add(made, kind, str(_count(made, kind)), given[0])
        return made
    if name == "extend" and given:
        _extend(made, kind, given[0], frame)
        return made
    if name == "insert" and len(given) == 2 and isinstance(given[0], ConstantValue) and isinstance(given[0].value, int):
        values = [value for _, value in table.pairs()]
        values.insert(given[0].value, given[1])
        _renumber(table, values)
        return made if kind == "Sequential" else ConstantValue(None)
    if name == "update" and given:
        _update(made, kind, given[0], frame)
        return ConstantValue(None)
    if name == "clear":
        table.entries.clear()
        return ConstantValue(None)
    if name == "pop" and given:
        return _pop(made, kind, table, given[0])
    if name in ("items", "keys", "values", "get") and made.is_complete:
        return _read(table, name, given)
    made.is_complete = False
    return UnknownValue(f"result of {name}")


def _renumber(table: DictObject, values: Sequence[Value]) -> None:
    table.entries.clear()
    for index, value in enumerate(values):
        table.set(ConstantValue(str(index)), value)


def _pop(made: ModuleUnderConstruction, kind: str, table: DictObject, key: Value) -> Value:
    values = container_elements(made) or []
    if kind.endswith("Dict"):
        found = table.get(key)
        if found is not None:
            table.remove(key)
            return found
    elif isinstance(key, ConstantValue) and isinstance(key.value, int) and -len(values) <= key.value < len(values):
        found = values.pop(key.value)
        _renumber(table, values)
        return found
    made.is_complete = False
    return UnknownValue("popped element")


def _read(table: DictObject, name: str, given: Sequence[Value]) -> Value:
    pairs = list(table.pairs())
    if name == "items":
        return ListObject([SequenceValue("tuple", pair) for pair in pairs])
    if name == "keys":
        return ListObject([key for key, _ in pairs])
    if name == "values":
        return ListObject([value for _, value in pairs])
    found = table.get(given[0]) if given else None
    return found or (given[1] if len(given) > 1 else ConstantValue(None))
