"""Python's builtins, over the objects of a run.

Owns `call_builtin`. Invariant: what a builtin makes of values that are not known is
unknown, and no list longer than a fixed length is made.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from ts_lsp.values import constants, known
from ts_lsp.values.calls import Arguments
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    SequenceValue,
    TorchValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.running.attributes import has_attribute
from ts_lsp.values.running.copying import deep_copy
from ts_lsp.values.running.methods import call_native, merge
from ts_lsp.values.running.objects import (
    BoundFunction,
    DictObject,
    Freezer,
    ListObject,
    ModuleUnderConstruction,
    PartialCall,
    PlainObject,
    Raised,
    SuperObject,
    hash_key,
    is_none,
)
from ts_lsp.values.running.operators import LONGEST, binary, compare, container_elements, iterated, tainted, truth
from ts_lsp.values.running.run import Frame
from ts_lsp.values.running.statements import delete_attribute, set_attribute
from ts_lsp.values.running.types import has_class, instance_of, type_names

_UNKNOWN = UnknownValue("result of a builtin")


def call_builtin(name: str, arguments: Arguments, frame: Frame) -> Value:
    """What calling a builtin gives, and does."""
    handler = _HANDLERS.get(name)
    if not arguments.exact:
        for each in (*arguments.positional, *arguments.keywords.values()):
            tainted(each)
        return UnknownValue(f"result of {name}")
    if handler is not None:
        return handler(arguments, frame)
    made = known.RESULTS.get(name)
    if made is not None:
        return InstanceValue(BuiltinValue(made))
    frozen = Freezer()
    positional = frozen.values(arguments.positional)
    keywords = frozen.table(dict(arguments.keywords))
    value = constants.call(name, positional, keywords)
    if value is not None:
        return frame.run.thaw(value, frame) if not isinstance(value, InstanceValue) else InstanceValue(value.of)
    package, _, plain_name = name.rpartition(".")
    if name in constants.TYPES or plain_name[:1].isupper() or package in ("dataclasses", "weakref"):
        return InstanceValue(BuiltinValue(name), positional, tuple(keywords.items()))
    return UnknownValue(f"result of {name}")


def _sequence(arguments: Arguments, frame: Frame) -> Sequence[Value] | None:
    return iterated(arguments.positional[0], frame) if arguments.positional else ()


def _listed(kind: str) -> Callable[[Arguments, Frame], Value]:
    def make(arguments: Arguments, frame: Frame) -> Value:
        elements = _sequence(arguments, frame)
        if elements is None:
            return ListObject([], kind, False) if kind == "list" else InstanceValue(BuiltinValue(kind))
        return ListObject(list(elements), kind)

    return make


def _tuple(arguments: Arguments, frame: Frame) -> Value:
    elements = _sequence(arguments, frame)
    return InstanceValue(BuiltinValue("tuple")) if elements is None else SequenceValue("tuple", tuple(elements))


def _set(arguments: Arguments, frame: Frame) -> Value:
    elements = _sequence(arguments, frame)
    if elements is None:
        return InstanceValue(BuiltinValue("set"))
    distinct = {hash_key(each): each for each in elements}
    return ListObject(list(distinct.values()), "set", None not in distinct)


def _dict(arguments: Arguments, frame: Frame) -> Value:
    made = DictObject()
    if arguments.positional:
        merge(made, arguments.positional[0], frame)
    for name, value in arguments.keywords.items():
        made.set(ConstantValue(name), value)
    return made


def _as_dict(arguments: Arguments, frame: Frame) -> Value:
    """`dataclasses.asdict` of an object whose fields hold no other such objects."""
    made = arguments.positional[0] if arguments.positional else _UNKNOWN
    if not isinstance(made, PlainObject) or not made.is_known:
        return _UNKNOWN
    found = DictObject()
    for each in made.of.fields:
        value = made.attributes.get(each.name, _UNKNOWN)
        found.set(ConstantValue(each.name), _UNKNOWN if isinstance(value, PlainObject) else deep_copy(value, {}))
    return found


def _replace(arguments: Arguments, frame: Frame) -> Value:
    """`dataclasses.replace`: the class is called with the fields of the object and what is given anew."""
    made = arguments.positional[0] if arguments.positional else _UNKNOWN
    if not isinstance(made, PlainObject) or not made.is_known:
        return _UNKNOWN
    fields = {each.name for each in made.of.fields}
    kept = {name: value for name, value in made.attributes.items() if name in fields}
    return frame.run.language.call(made.of, Arguments((), {**kept, **arguments.keywords}), frame)


def _default_dict(arguments: Arguments, frame: Frame) -> Value:
    made = DictObject(factory=arguments.positional[0] if arguments.positional else None)
    for each in arguments.positional[1:]:
        merge(made, each, frame)
    return made


def _length(arguments: Arguments, frame: Frame) -> Value:
    value = arguments.positional[0] if arguments.positional else _UNKNOWN
    if isinstance(value, ConstantValue) and isinstance(value.value, (str, bytes)):
        return ConstantValue(len(value.value))
    elements: Sequence[Value] | None
    if isinstance(value, ModuleUnderConstruction):
        elements = container_elements(value) if value.is_complete else None
    elif isinstance(value, ListObject) and value.kind == "generator":
        raise Raised("TypeError")
    else:
        elements = None if isinstance(value, PlainObject) else iterated(value, frame)
    return InstanceValue(BuiltinValue("int")) if elements is None else ConstantValue(len(elements))


def _range(arguments: Arguments, frame: Frame) -> Value:
    bounds = [each.value for each in arguments.positional if isinstance(each, ConstantValue)]
    numbers = [each for each in bounds if isinstance(each, int)]
    if len(numbers) != len(arguments.positional) or not 1 <= len(numbers) <= 3 or numbers[2:] == [0]:
        return InstanceValue(BuiltinValue("range"))
    span = range(*numbers)
    if max(abs(number) for number in numbers) > 2**62 or len(span) > LONGEST:
        return InstanceValue(BuiltinValue("range"))
    return ListObject([ConstantValue(number) for number in span], "range")


def _zip(arguments: Arguments, frame: Frame) -> Value:
    parts = [iterated(each, frame) for each in arguments.positional]
    known = [part for part in parts if part is not None]
    if len(known) != len(parts):
        return InstanceValue(BuiltinValue("zip"))
    return ListObject([SequenceValue("tuple", row) for row in zip(*known, strict=False)], "generator")


def _enumerate(arguments: Arguments, frame: Frame) -> Value:
    elements = _sequence(arguments, frame)
    start = arguments.get(1, "start") or ConstantValue(0)
    if elements is None or not isinstance(start, ConstantValue) or not isinstance(start.value, int):
        return InstanceValue(BuiltinValue("enumerate"))
    rows = [SequenceValue("tuple", (ConstantValue(index), each)) for index, each in enumerate(elements, start.value)]
    return ListObject(list(rows), "generator")


def _reversed(arguments: Arguments, frame: Frame) -> Value:
    elements = _sequence(arguments, frame)
    return _UNKNOWN if elements is None else ListObject(list(reversed(elements)), "generator")


def _map(arguments: Arguments, frame: Frame) -> Value:
    rows = [iterated(each, frame) for each in arguments.positional[1:]]
    known = [row for row in rows if row is not None]
    if len(known) != len(rows) or not rows:
        return _UNKNOWN
    function = arguments.positional[0]
    call = frame.run.language.call
    return ListObject([call(function, Arguments(row), frame) for row in zip(*known, strict=False)], "generator")


def _filter(arguments: Arguments, frame: Frame) -> Value:
    elements = iterated(arguments.positional[1], frame) if len(arguments.positional) == 2 else None
    kept: list[Value] = []
    for each in elements or ():
        function = arguments.positional[0]
        outcome = truth(each if is_none(function) else frame.run.language.call(function, Arguments((each,)), frame))
        if outcome is None:
            return _UNKNOWN
        kept.extend([each] if outcome else [])
    return _UNKNOWN if elements is None else ListObject(kept, "generator")


def _sum(arguments: Arguments, frame: Frame) -> Value:
    elements = _sequence(arguments, frame)
    if elements is None:
        return _UNKNOWN
    total = arguments.get(1, "start") or ConstantValue(0)
    for each in elements:
        total = binary(ast.Add(), total, each, frame)
    return total


def _quantifier(stops_at: bool) -> Callable[[Arguments, Frame], Value]:
    def decide(arguments: Arguments, frame: Frame) -> Value:
        elements = _sequence(arguments, frame)
        outcomes = [truth(each) for each in elements] if elements is not None else [None]
        if stops_at in outcomes:
            return ConstantValue(stops_at)
        return InstanceValue(BuiltinValue("bool")) if None in outcomes else ConstantValue(not stops_at)

    return decide


def _is_instance(arguments: Arguments, frame: Frame) -> Value:
    if len(arguments.positional) != 2:
        return _UNKNOWN
    value, types = arguments.positional
    outcome = instance_of(value, types)
    return InstanceValue(BuiltinValue("bool")) if outcome is None else ConstantValue(outcome)


def _subclass(arguments: Arguments, frame: Frame) -> Value:
    if len(arguments.positional) == 2 and isinstance(arguments.positional[0], (ClassValue, TorchValue)):
        outcome = has_class(arguments.positional[0], arguments.positional[1])
        if outcome is not None:
            return ConstantValue(outcome)
    return InstanceValue(BuiltinValue("bool"))


def _attribute_name(arguments: Arguments) -> str | None:
    key = arguments.positional[1] if len(arguments.positional) > 1 else None
    return key.value if isinstance(key, ConstantValue) and isinstance(key.value, str) else None


def _getattr(arguments: Arguments, frame: Frame) -> Value:
    name = _attribute_name(arguments)
    if name is None:
        return _UNKNOWN
    if len(arguments.positional) == 2:
        return frame.run.language.attribute(arguments.positional[0], name, frame)
    has = has_attribute(arguments.positional[0], name, frame)
    if has is None:
        return _UNKNOWN
    return frame.run.language.attribute(arguments.positional[0], name, frame) if has else arguments.positional[2]


def _hasattr(arguments: Arguments, frame: Frame) -> Value:
    name = _attribute_name(arguments)
    has = has_attribute(arguments.positional[0], name, frame) if name is not None else None
    return InstanceValue(BuiltinValue("bool")) if has is None else ConstantValue(has)


def _setattr(arguments: Arguments, frame: Frame) -> Value:
    name = _attribute_name(arguments)
    if name is None or len(arguments.positional) != 3:
        for value in arguments.positional[:1]:
            tainted(value)
    else:
        set_attribute(arguments.positional[0], name, arguments.positional[2], frame)
    return ConstantValue(None)


def _delattr(arguments: Arguments, frame: Frame) -> Value:
    name = _attribute_name(arguments)
    if name is None:
        for value in arguments.positional[:1]:
            tainted(value)
    else:
        delete_attribute(arguments.positional[0], name)
    return ConstantValue(None)


def _type(arguments: Arguments, frame: Frame) -> Value:
    value = arguments.positional[0] if len(arguments.positional) == 1 else _UNKNOWN
    if isinstance(value, (ModuleUnderConstruction, PlainObject)):
        return value.of
    if isinstance(value, ConstantValue):
        return BuiltinValue(type(value.value).__name__)
    if isinstance(value, (ListObject, SequenceValue)):
        return BuiltinValue(value.kind)
    return BuiltinValue("dict") if isinstance(value, DictObject) else _UNKNOWN


def _super(arguments: Arguments, frame: Frame) -> Value:
    if len(arguments.positional) == 2 and isinstance(arguments.positional[0], ClassValue):
        return SuperObject(arguments.positional[0], arguments.positional[1])
    return UnknownValue("super()")


def _callable(arguments: Arguments, frame: Frame) -> Value:
    value = arguments.positional[0] if arguments.positional else _UNKNOWN
    if isinstance(value, (FunctionValue, ClassValue, BoundFunction, ModuleUnderConstruction, PartialCall)):
        return ConstantValue(True)
    plain = (ConstantValue, SequenceValue, ListObject, DictObject)
    return ConstantValue(False) if isinstance(value, plain) else InstanceValue(BuiltinValue("bool"))


def _partial(arguments: Arguments, frame: Frame) -> Value:
    if not arguments.positional:
        return _UNKNOWN
    inner = Arguments(arguments.positional[1:], arguments.keywords)
    return PartialCall(arguments.positional[0], inner)


def _deep_copy(arguments: Arguments, frame: Frame) -> Value:
    return deep_copy(arguments.positional[0], {}) if arguments.positional else _UNKNOWN


def _copy(arguments: Arguments, frame: Frame) -> Value:
    value = arguments.positional[0] if arguments.positional else _UNKNOWN
    if isinstance(value, (ListObject, DictObject)):
        return call_native(value, "copy", Arguments(), frame)
    return deep_copy(value, {})


def _cast(arguments: Arguments, frame: Frame) -> Value:
    return arguments.get(1, "val") or _UNKNOWN


def _next(arguments: Arguments, frame: Frame) -> Value:
    value = arguments.positional[0] if arguments.positional else _UNKNOWN
    if isinstance(value, ListObject) and value.is_known and value.elements:
        return value.elements.pop(0)
    return _UNKNOWN


def _iter(arguments: Arguments, frame: Frame) -> Value:
    return _listed("generator")(arguments, frame)


def _names(arguments: Arguments, frame: Frame) -> Value:
    """`dir` of a module of torch."""
    module = arguments.positional[0] if arguments.positional else _UNKNOWN
    names = frame.run.world.torch_members(module.name) if isinstance(module, ModuleValue) else None
    return _UNKNOWN if names is None else ListObject([ConstantValue(name) for name in sorted(names)])


def _sorted(arguments: Arguments, frame: Frame) -> Value:
    elements = _sequence(arguments, frame)
    if elements is None or len(arguments.positional) != 1:
        return ListObject([], "list", False)
    frozen = Freezer()
    keywords = frozen.table(dict(arguments.keywords))
    value = constants.call("sorted", (SequenceValue("list", frozen.values(list(elements))),), keywords)
    return frame.run.thaw(value, frame) if isinstance(value, SequenceValue) else ListObject([], "list", False)


def _extreme(symbol: ast.cmpop) -> Callable[[Arguments, Frame], Value]:
    def choose(arguments: Arguments, frame: Frame) -> Value:
        elements = arguments.positional if len(arguments.positional) > 1 else _sequence(arguments, frame)
        if not elements or arguments.keywords:
            return _UNKNOWN
        best = elements[0]
        for each in elements[1:]:
            better = compare(symbol, each, best)
            if better is None:
                kinds = {type_names(value) for value in elements}
                return (
                    InstanceValue(BuiltinValue(min(next(iter(kinds)) or {"object"}))) if kinds in _NUMBERS else _UNKNOWN
                )
            best = each if better else best
        return best

    return choose


_NUMBERS = ({frozenset({"int"})}, {frozenset({"float"})})


def _report(arguments: Arguments, frame: Frame) -> Value:
    return ConstantValue(None)


def _vars(arguments: Arguments, frame: Frame) -> Value:
    for value in arguments.positional:
        tainted(value)
    if arguments.positional:
        return _UNKNOWN
    made = DictObject()
    for name, value in frame.function_frame().names.items():
        made.set(ConstantValue(name), value)
    return made


_HANDLERS: Mapping[str, Callable[[Arguments, Frame], Value]] = MappingProxyType(
    {
        "list": _listed("list"),
        "tuple": _tuple,
        "set": _set,
        "dict": _dict,
        "collections.OrderedDict": _dict,
        "dataclasses.asdict": _as_dict,
        "dataclasses.replace": _replace,
        "collections.defaultdict": _default_dict,
        "collections.deque": _listed("collections.deque"),
        "len": _length,
        "range": _range,
        "dir": _names,
        "sorted": _sorted,
        "zip": _zip,
        "enumerate": _enumerate,
        "reversed": _reversed,
        "map": _map,
        "filter": _filter,
        "sum": _sum,
        "min": _extreme(ast.Lt()),
        "max": _extreme(ast.Gt()),
        "any": _quantifier(True),
        "all": _quantifier(False),
        "isinstance": _is_instance,
        "issubclass": _subclass,
        "getattr": _getattr,
        "hasattr": _hasattr,
        "setattr": _setattr,
        "delattr": _delattr,
        "type": _type,
        "super": _super,
        "callable": _callable,
        "iter": _iter,
        "next": _next,
        "print": _report,
        "locals": _vars,
        "vars": _vars,
        "functools.partial": _partial,
        "copy.deepcopy": _deep_copy,
        "copy.copy": _copy,
        "typing.cast": _cast,
    }
)
