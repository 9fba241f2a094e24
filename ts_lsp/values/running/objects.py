"""Objects that an interpreted constructor changes while it runs, and what they are when it is done.

Owns the mutable counterparts of lists, dicts, instances and modules, the way `nn.Module` files an attribute, and
`Freezer`. Invariant: these objects live inside one run of the interpreter; only frozen values leave it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from ts_lsp.records import dataclass, field, replace
from ts_lsp.values.calls import Arguments
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    CyclicValue,
    DictValue,
    FunctionValue,
    InstanceValue,
    ModuleObject,
    PartialValue,
    SequenceValue,
    TorchValue,
    UnknownValue,
    Value,
)

TENSOR = TorchValue("torch.Tensor")
PARAMETER = TorchValue("torch.nn.parameter.Parameter")
SIZE = TorchValue("torch.Size")
BUFFER = TorchValue("torch.nn.parameter.Buffer")
UNINITIALISED_PARAMETER = TorchValue("torch.nn.parameter.UninitializedParameter")
UNINITIALISED_BUFFER = TorchValue("torch.nn.parameter.UninitializedBuffer")
STARRED = UnknownValue("starred arguments")
"""In the place of positional arguments whose number is not known."""
_DEEPEST = 60
_HEAVIEST = 100_000
_PLAIN = (int, float, str)


class Raised(Exception):
    """What is interpreted raises an exception. `name` is its class, empty if that is not known."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.name = name


@dataclass(eq=False, slots=True)
class ListObject(Value):
    """A list, set, deque or generator whose elements are known unless `is_known` is False."""

    elements: list[Value] = field(default_factory=list)
    kind: str = "list"
    is_known: bool = True


@dataclass(eq=False, slots=True)
class DictObject(Value):
    """A dict. Entries of equal keys replace each other, as in Python."""

    entries: dict[Hashable, tuple[Value, Value]] = field(default_factory=dict)
    is_known: bool = True
    factory: Value | None = None

    def get(self, key: Value) -> Value | None:
        hashed = hash_key(key)
        found = self.entries.get(hashed) if hashed is not None else None
        return found[1] if found is not None else None

    def set(self, key: Value, value: Value) -> None:
        hashed = hash_key(key)
        if hashed is None:
            self.is_known = False
        else:
            first = self.entries.get(hashed)
            self.entries[hashed] = (first[0] if first is not None else key, value)

    def remove(self, key: Value) -> None:
        hashed = hash_key(key)
        if hashed is None:
            self.is_known = False
        else:
            self.entries.pop(hashed, None)

    def pairs(self) -> Iterator[tuple[Value, Value]]:
        return iter(self.entries.values())

    def forget(self) -> None:
        """More may be in it than is known."""
        self.is_known = False

    def named(self) -> dict[str, Value]:
        """The entries by name, for the tables of a module."""
        return {str(key.value): value for key, value in self.entries.values() if isinstance(key, ConstantValue)}


@dataclass(eq=False, slots=True)
class PlainObject(Value):
    """An instance of a class of the workspace that is no module."""

    of: ClassValue
    arguments: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    attributes: dict[str, Value] = field(default_factory=dict)
    is_known: bool = True


@dataclass(eq=False, slots=True)
class ModuleUnderConstruction(Value):
    """An nn.Module whose tables are being filled. `base` is what the class of torch it derives from was given."""

    of: ClassValue | TorchValue
    arguments: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    parameters: DictObject = field(default_factory=DictObject)
    buffers: DictObject = field(default_factory=DictObject)
    modules: DictObject = field(default_factory=DictObject)
    attributes: dict[str, Value] = field(default_factory=dict)
    hooks: list[Value] = field(default_factory=list)
    pre_hooks: list[Value] = field(default_factory=list)
    is_complete: bool = True
    is_initialised: bool = False
    base: ModuleUnderConstruction | None = None
    read_properties: dict[str, Value] = field(default_factory=dict)
    traced_with: Value | None = None
    defined: dict[str, FunctionValue] = field(default_factory=dict)

    def initialise(self) -> None:
        """What `nn.Module.__init__` does."""
        self.parameters, self.buffers, self.modules = DictObject(), DictObject(), DictObject()
        self.hooks, self.pre_hooks = [], []
        self.is_initialised = True

    def registered(self, name: str) -> Value | None:
        key = ConstantValue(name)
        for table in (self.parameters, self.buffers, self.modules):
            found = table.get(key)
            if found is not None:
                return found
        return None

    def assign(self, name: str, value: Value) -> None:
        """What `nn.Module.__setattr__` does with an attribute that no property of the class takes."""
        key = ConstantValue(name)
        if is_parameter(value):
            self._file(name, value, self.parameters)
        elif self.parameters.get(key) is not None:
            self._replace(self.parameters, key, value)
        elif isinstance(value, ModuleUnderConstruction):
            self._file(name, value, self.modules)
        elif self.modules.get(key) is not None:
            self._replace(self.modules, key, value)
        elif self.is_initialised and is_of(value, BUFFER):
            self._file(name, value, self.buffers)
        elif self.buffers.get(key) is not None:
            self._replace(self.buffers, key, value, is_tensor(value))
        else:
            self.attributes[name] = value

    def _file(self, name: str, value: Value, table: DictObject) -> None:
        if not self.is_initialised:
            raise Raised("AttributeError")
        self.attributes.pop(name, None)
        for other in (self.parameters, self.buffers, self.modules):
            if other is not table:
                other.remove(ConstantValue(name))
        table.set(ConstantValue(name), value)

    @staticmethod
    def _replace(table: DictObject, key: Value, value: Value, fits: bool = False) -> None:
        if not (fits or is_none(value) or is_unknown(value)):
            raise Raised("TypeError")
        table.set(key, value)

    def register(self, table: DictObject, name: str, value: Value) -> None:
        """`register_buffer`, `register_parameter` and `add_module`: a name taken by something else is refused."""
        if not self.is_initialised:
            raise Raised("AttributeError")
        key = ConstantValue(name)
        if name in self.attributes or "." in name or not name:
            raise Raised("KeyError")
        if self.registered(name) is not None and table.get(key) is None:
            raise Raised("KeyError")
        table.set(key, value)

    def delete(self, name: str) -> None:
        key = ConstantValue(name)
        for table in (self.parameters, self.buffers, self.modules):
            if table.get(key) is not None:
                table.remove(key)
                return
        if self.attributes.pop(name, None) is None:
            raise Raised("AttributeError")


@dataclass(eq=False, slots=True)
class AttributeTable(DictObject):
    """The `__dict__` of an object: what is written to it becomes an attribute, and past all rules for attributes.

    It is never known to be all that there is: objects have names of Python's and torch's own.
    """

    owner: PlainObject | ModuleUnderConstruction | None = None

    def set(self, key: Value, value: Value) -> None:
        DictObject.set(self, key, value)
        if self.owner is not None and isinstance(key, ConstantValue):
            self.owner.attributes[str(key.value)] = value
        elif self.owner is not None:
            self.forget()

    def forget(self) -> None:
        if isinstance(self.owner, ModuleUnderConstruction):
            self.owner.is_complete = False
        elif self.owner is not None:
            self.owner.is_known = False

    def remove(self, key: Value) -> None:
        DictObject.remove(self, key)
        if self.owner is not None and isinstance(key, ConstantValue):
            self.owner.attributes.pop(str(key.value), None)


def attribute_table(owner: PlainObject | ModuleUnderConstruction) -> AttributeTable:
    """`owner.__dict__`."""
    table = AttributeTable(is_known=False)
    for name, value in owner.attributes.items():
        table.set(ConstantValue(name), value)
    table.owner = owner
    return table


@dataclass(frozen=True, slots=True)
class BoundFunction(Value):
    """A function with its first argument: a bound method."""

    function: FunctionValue
    receiver: Value


@dataclass(frozen=True, slots=True)
class NativeMethod(Value):
    """A method without source: of a list, dict, text, or of `nn.Module`."""

    receiver: Value
    name: str


@dataclass(frozen=True, slots=True)
class SuperObject(Value):
    """`super(owner, receiver)`."""

    owner: ClassValue
    receiver: Value


@dataclass(frozen=True, eq=False, slots=True)
class PartialCall(Value):
    """A `functools.partial` object."""

    function: Value
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class GeneratedInit(Value):
    """The `__init__` that a dataclass or NamedTuple has without writing it."""

    owner: ClassValue
    receiver: Value


def hash_key(value: Value) -> Hashable | None:
    """What tells dict keys apart; None where equality is not known."""
    if isinstance(value, ConstantValue):
        return ("constant", value.value)
    if isinstance(value, SequenceValue) and value.kind == "tuple":
        parts = [hash_key(each) for each in value.elements]
        return None if None in parts else ("tuple", *parts)
    if is_unknown(value) or isinstance(value, (SequenceValue, DictValue, ListObject, DictObject)):
        return None
    return value


def is_unknown(value: Value) -> bool:
    """Whether nothing at all is known of a value."""
    return isinstance(value, UnknownValue)


def is_none(value: Value) -> bool:
    return isinstance(value, ConstantValue) and value.value is None


def is_of(value: Value, of: TorchValue) -> bool:
    return isinstance(value, InstanceValue) and value.of == of


def is_parameter(value: Value) -> bool:
    return is_of(value, PARAMETER) or is_of(value, UNINITIALISED_PARAMETER)


def is_tensor(value: Value) -> bool:
    return is_parameter(value) or any(is_of(value, each) for each in (TENSOR, BUFFER, UNINITIALISED_BUFFER))


def sized_tensor(of: TorchValue, sizes: Sequence[Value]) -> InstanceValue:
    """A tensor with as many dimensions as there are sizes."""
    return InstanceValue(of, keywords=(("size", SequenceValue("tuple", tuple(sizes))),))


def shape_of(tensor: Value) -> Value:
    """The sizes of a tensor: a tuple of ints, where it is known how many."""
    sizes = dict(tensor.keywords).get("size") if isinstance(tensor, InstanceValue) else None
    return sizes if sizes is not None else InstanceValue(SIZE)


@dataclass(slots=True)
class Freezer:
    """Turns what a run leaves into immutable values; one object stays one."""

    done: dict[int, tuple[Value, Value]] = field(default_factory=dict)
    weights: dict[int, int] = field(default_factory=dict)
    depth: int = 0

    def value(self, value: Value) -> Value:
        known = self.done.get(id(value))
        if known is not None:
            return known[1]
        if self.depth > _DEEPEST:
            return UnknownValue("nested too deeply")
        if isinstance(value, (PlainObject, ModuleUnderConstruction)):
            self.done[id(value)] = (value, CyclicValue(value.of))
        else:
            self.done[id(value)] = (value, UnknownValue("contains itself"))
        self.depth += 1
        frozen = self._weighed(self._frozen(value))
        self.depth -= 1
        self.done[id(value)] = (value, frozen)
        return frozen

    def _weighed(self, frozen: Value) -> Value:
        """The value, unless it holds too much: containers that share their parts can spell out to any size."""
        parts: Iterable[Value] = ()
        if isinstance(frozen, SequenceValue):
            parts = frozen.elements
        elif isinstance(frozen, DictValue):
            parts = (each for pair in frozen.items for each in pair)
        weight = 1 + sum(self.weights.get(id(each), 1) for each in parts)
        if weight > _HEAVIEST:
            return UnknownValue("too large")
        self.weights[id(frozen)] = weight
        return frozen

    def _frozen(self, value: Value) -> Value:
        if isinstance(value, ListObject):
            elements = self.values(value.elements)
            if value.is_known and value.kind in ("list", "set"):
                return SequenceValue(value.kind, elements)
            return InstanceValue(BuiltinValue(value.kind))
        if isinstance(value, SequenceValue):
            parts = self.values(value.elements)
            same = all(left is right for left, right in zip(parts, value.elements, strict=True))
            return value if same else SequenceValue(value.kind, parts)
        if isinstance(value, DictObject):
            pairs = tuple((self.value(key), self.value(item)) for key, item in value.pairs())
            return DictValue(pairs) if value.is_known else InstanceValue(BuiltinValue("dict"))
        if isinstance(value, PlainObject):
            state = self.table(value.attributes) if value.is_known else None
            return InstanceValue(value.of, self.values(value.arguments), self.keywords(value.keywords), state=state)
        if isinstance(value, ModuleUnderConstruction):
            return self.module(value)
        return self._frozen_callable(value)

    def _frozen_callable(self, value: Value) -> Value:
        if isinstance(value, BoundFunction):
            return PartialValue(value.function, "method")
        if isinstance(value, PartialCall):
            given, named = value.arguments.positional, tuple(value.arguments.keywords.items())
            return PartialValue(self.value(value.function), "partial", self.values(given), self.keywords(named))
        unnamed = isinstance(value, (NativeMethod, SuperObject, GeneratedInit))
        return UnknownValue("method of an object") if unnamed else value

    def module(self, value: ModuleUnderConstruction) -> ModuleObject:
        base = self.value(value.base) if value.base is not None else None
        return ModuleObject(
            value.of,
            self.values(value.arguments),
            self.keywords(value.keywords),
            self.table(value.parameters.named()),
            self.table(value.buffers.named()),
            self.table(value.modules.named()),
            self.table(value.attributes),
            self.values(value.hooks),
            self.values(value.pre_hooks),
            value.is_complete and all(t.is_known for t in (value.parameters, value.buffers, value.modules)),
            value.is_initialised,
            base=base if isinstance(base, ModuleObject) else None,
            read_properties=self.table(value.read_properties),
            traced_with=value.traced_with,
            defined=dict(value.defined),
        )

    def values(self, values: tuple[Value, ...] | list[Value]) -> tuple[Value, ...]:
        return tuple(self.value(each) for each in values)

    def keywords(self, keywords: tuple[tuple[str, Value], ...]) -> tuple[tuple[str, Value], ...]:
        return tuple((name, self.value(each)) for name, each in keywords)

    def table(self, table: dict[str, Value]) -> dict[str, Value]:
        return {name: self.value(each) for name, each in table.items()}


def merged(left: Value, right: Value) -> Value | None:
    """One value for what two paths give, where no type is lost by it; None otherwise."""
    if left is right:
        return left
    if isinstance(left, ConstantValue) and isinstance(right, ConstantValue):
        if type(left.value) is not type(right.value):
            return None
        if repr(left.value) == repr(right.value):
            return left
        return InstanceValue(BuiltinValue(type(left.value).__name__)) if type(left.value) in _PLAIN else None
    if isinstance(left, InstanceValue) and isinstance(right, InstanceValue):
        return _merged_instances(left, right)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, ConstantValue) and isinstance(other, InstanceValue) and type(one.value) in _PLAIN:
            plain = BuiltinValue(type(one.value).__name__)
            return InstanceValue(plain) if other.of == plain else None
    if isinstance(left, UnknownValue) or isinstance(right, UnknownValue):
        return left if isinstance(left, UnknownValue) and isinstance(right, UnknownValue) else None
    if isinstance(left, SequenceValue) and isinstance(right, SequenceValue):
        if left.kind != right.kind or len(left.elements) != len(right.elements):
            return None
        parts = [merged(*pair) for pair in zip(left.elements, right.elements, strict=True)]
        known = [part for part in parts if part is not None]
        return SequenceValue(left.kind, tuple(known)) if len(known) == len(parts) else None
    if isinstance(left, ModuleObject) and isinstance(right, ModuleObject):
        return merged_modules(left, right)
    if isinstance(left, PartialValue) and isinstance(right, PartialValue):
        return left if (left.of, left.kind) == (right.of, right.kind) else None
    if isinstance(left, FunctionValue) and isinstance(right, FunctionValue):
        return left if left.node is right.node and left.owner is right.owner else None
    return left if type(left) is type(right) and left == right else None


def _merged_instances(left: InstanceValue, right: InstanceValue) -> Value | None:
    if left.of != right.of:
        return None
    if isinstance(left.of, BuiltinValue) or is_tensor(left):
        return InstanceValue(left.of)
    arguments = _merged_tuples(left.arguments, right.arguments)
    keywords = _merged_tables(dict(left.keywords), dict(right.keywords))
    if arguments is None or keywords is None:
        return None
    return InstanceValue(left.of, arguments, tuple(keywords.items()))


def merged_modules(left: ModuleObject, right: ModuleObject) -> ModuleObject | None:
    """One object for two worlds that differ in nothing that has a type."""
    if left.of != right.of or left.is_complete != right.is_complete or left.is_initialised != right.is_initialised:
        return None
    arguments = _merged_tuples(left.arguments, right.arguments)
    hooks, pre_hooks = _merged_tuples(left.hooks, right.hooks), _merged_tuples(left.pre_hooks, right.pre_hooks)
    tables = [
        _merged_tables(dict(getattr(left, name)), dict(getattr(right, name)))
        for name in ("keywords", "parameters", "buffers", "modules", "attributes")
    ]
    keywords, parameters, buffers, modules, attributes = tables
    if arguments is None or keywords is None or hooks is None or pre_hooks is None or attributes is None:
        return None
    if parameters is None or buffers is None or modules is None or (left.base is None) != (right.base is None):
        return None
    base = merged_modules(left.base, right.base) if left.base is not None and right.base is not None else None
    if (base is None) != (left.base is None) or (left.traced_with is None) != (right.traced_with is None):
        return None
    return ModuleObject(
        left.of,
        arguments,
        tuple(keywords.items()),
        parameters,
        buffers,
        modules,
        attributes,
        hooks,
        pre_hooks,
        left.is_complete,
        left.is_initialised,
        base=base,
        traced_with=left.traced_with,
        defined=left.defined,
        read_properties=left.read_properties,
    )


def agreed(left: ModuleObject, right: ModuleObject) -> ModuleObject:
    """What two objects of one class have in common; where they differ, it is not known."""

    def common(one: Mapping[str, Value], other: Mapping[str, Value]) -> dict[str, Value]:
        return {name: _agreed(value, other[name]) for name, value in one.items() if name in other}

    same = merged_modules(left, right)
    if same is not None or left.of != right.of:
        return same if same is not None else ModuleObject(left.of, is_complete=False)
    return ModuleObject(
        left.of,
        left.arguments,
        left.keywords,
        common(left.parameters, right.parameters),
        common(left.buffers, right.buffers),
        common(left.modules, right.modules),
        common(left.attributes, right.attributes),
        is_complete=False,
        is_initialised=left.is_initialised or right.is_initialised,
    )


def doubted(module: ModuleObject) -> ModuleObject:
    """The object with nothing in it taken for complete."""
    modules = {
        name: doubted(value) if isinstance(value, ModuleObject) else value for name, value in module.modules.items()
    }
    return replace(module, modules=modules, is_complete=False)


def _agreed(left: Value, right: Value) -> Value:
    if isinstance(left, ModuleObject) and isinstance(right, ModuleObject) and left.of == right.of:
        return agreed(left, right)
    return merged(left, right) or UnknownValue("depends on a condition")


def _merged_tuples(left: tuple[Value, ...], right: tuple[Value, ...]) -> tuple[Value, ...] | None:
    if len(left) != len(right):
        return None
    found = [merged(*pair) for pair in zip(left, right, strict=True)]
    known = tuple(each for each in found if each is not None)
    return known if len(known) == len(found) else None


def _merged_tables(left: dict[str, Value], right: dict[str, Value]) -> dict[str, Value] | None:
    if list(left) != list(right):
        return None
    values = _merged_tuples(tuple(left.values()), tuple(right.values()))
    return None if values is None else dict(zip(left, values, strict=True))
