"""Answers about one torch version, read piece by piece from its data file.

The entries of the file, by key (fields are separated by tabs, items by line feeds):

    version            `2.13`
    o/OP               schema texts of an operator: registered ones in the compiler's order (a leading `!` marks one
                       that never matches), then the functions of that name written in TorchScript
    names/operators    all names with a registered schema; names/unregistered: those Python callables map to in vain
    alias              operator and the operator it is renamed to
    t/TYPE             attributes of a builtin type: name, `property` and its type, `cast`, `method`, or `index` and
                       `tolist` for the two Tensor methods with rules of their own
    n/PATH             the type of an instance of a torch.nn class, a fact a line (see `module_facts`)
    m/MODULE           names of a module's members
    p/PATH             what a path denotes: a category and its fields, or `=` and the path that has them

Invariant: looking up one name inflates the block that holds it and parses that entry alone.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable
from pathlib import Path

from ts_lsp.records import replace
from ts_lsp.torchdata import versions
from ts_lsp.torchdata.container import Container
from ts_lsp.torchdata.module_facts import module_facts
from ts_lsp.torchdata.named_tuples import named_tuple, with_named_tuples
from ts_lsp.torchdata.objects import (
    BooleanDispatch,
    BuiltinOperator,
    CustomClass,
    ModuleFacts,
    OpaqueObject,
    ScriptFunction,
    SpecialForm,
    TorchClass,
    TorchConstant,
    TorchModule,
    TorchObject,
)
from ts_lsp.types.model import INFERRED_TENSOR, NamedTupleType, Type
from ts_lsp.types.schema import DefaultValue, Schema
from ts_lsp.types.schema_parser import parse_schema, parse_type, readable_schema

DATA_FOLDER = Path(__file__).parent / "data"
SUGGESTION_DISTANCE = 2


def available_versions() -> tuple[str, ...]:
    """The shipped torch versions, oldest first."""
    return versions.SHIPPED


def load(version: str | None = None) -> TorchData:
    """The facts of the shipped version nearest to `version` (see `versions.nearest`); the newest by default."""
    return _load(versions.nearest(version))


@functools.cache
def _load(version: str) -> TorchData:
    return TorchData(Container((DATA_FOLDER / f"{version}.facts").read_bytes()))


Libraries = Callable[[str], Iterable[str]]
"""The schemas that the libraries of a package register in the namespace of its name, as texts without it."""


class TorchData:
    """What one torch version knows, and what the libraries beside it register."""

    def __init__(self, container: Container, libraries: Libraries | None = None) -> None:
        self._container = container
        self._libraries = libraries
        self._registered: dict[str, dict[str, list[str]]] = {}
        self.version = container.get("version") or ""
        self._schemas: dict[str, tuple[Schema, ...]] = {}
        self._objects: dict[str, TorchObject | None] = {}
        self._module_facts: dict[str, ModuleFacts | None] = {}
        self._members: dict[str, frozenset[str] | None] = {}
        self._attributes_of: dict[str, dict[str, list[str]]] = {}

    def with_libraries(self, libraries: Libraries) -> TorchData:
        """The same torch, in an environment with these libraries."""
        return TorchData(self._container, libraries)

    # Operators

    def schemas(self, op: str) -> tuple[Schema, ...]:
        """The candidates of `aten::add` in the compiler's matching order, functions written in TorchScript last.

        The latter have no namespace in their name. Registered schemas that never match are left out; see
        `unmatchable_schemas`.
        """
        found = self._schemas.get(op)
        if found is None:
            found = self._schemas[op] = tuple(parse_schema(text) for text in self.schema_texts(op))
        return found

    def unmatchable_schemas(self, op: str) -> tuple[Schema, ...]:
        """Registered schemas the compiler passes over without a word (`aten::view.dtype`)."""
        return tuple(parse_schema(text[1:]) for text in self._lines("o/" + op) if text.startswith("!"))

    def schema_texts(self, op: str) -> tuple[str, ...]:
        """The candidates as torch prints them, in the order of `schemas`."""
        own = tuple(text for text in self._lines("o/" + op) if not text.startswith("!"))
        return own or tuple(self._registered_beside(op.partition("::")[0]).get(op, ()))

    def has_operator(self, op: str) -> bool:
        """Whether a call of the operator has any candidate."""
        return self._container.get("o/" + op) is not None or op in self._registered_beside(op.partition("::")[0])

    def operator_names(self) -> tuple[str, ...]:
        """All operators with a registered schema."""
        return self._names

    def similar_operators(self, op: str) -> tuple[str, ...]:
        """What the compiler suggests for an unknown operator: at most two edits away, nearest first."""
        letters = set(op)
        # One edit takes away one letter and brings another one at most.
        close = (name for name in self._names if len(letters.symmetric_difference(name)) <= 2 * SUGGESTION_DISTANCE)
        measured = ((_edit_distance(op, name, SUGGESTION_DISTANCE), name) for name in close)
        return tuple(name for distance, name in sorted(measured) if distance <= SUGGESTION_DISTANCE)

    def alias_of(self, op: str) -> str:
        """The operator that stands in the graph for `op`: `aten::abs` for `aten::absolute`, mostly `op` itself."""
        return self._aliases.get(op, op)

    # Types

    def tensor_attribute(self, name: str) -> Type | None:
        """The type of a Tensor's property."""
        return self.attribute("Tensor", name)

    def attribute(self, owner: str, name: str) -> Type | None:
        """The type of a property of a builtin type (`Tensor`, `Device`)."""
        written = self._attributes(owner).get(name)
        return parse_type(written[1]) if written and written[0] == "property" else None

    def methods(self, owner: str) -> frozenset[str]:
        """Names callable on a value of `Tensor`, `Device`, `Generator`, `str`, `int`, `float`, `complex`, `bool`,
        `List` (of int), `Dict` (str to int), `Tuple` (of int), `Future` or `Optional` (of int)."""
        return frozenset(name for name, what in self._attributes(owner).items() if what[0] == "method")

    def properties(self, owner: str) -> frozenset[str]:
        return frozenset(name for name, what in self._attributes(owner).items() if what[0] == "property")

    @functools.cached_property
    def tensor_casts(self) -> frozenset[str]:
        """`float`, `long` and so on: callable on a Tensor without arguments."""
        return frozenset(name for name, what in self._attributes("Tensor").items() if what[0] == "cast")

    @functools.cached_property
    def tensor_methods(self) -> frozenset[str]:
        """What can be called on a Tensor, the casts left out."""
        return self.methods("Tensor")

    # Python paths

    def members(self, module_path: str) -> frozenset[str] | None:
        """The names a module has, submodules that can be imported included; None for modules not known here."""
        if module_path not in self._members:
            self._members[module_path] = self._member_names(self.canonical_path(module_path))
        return self._members[module_path]

    def _member_names(self, path: str) -> frozenset[str] | None:
        if path.startswith("torch.ops."):
            namespace = path[len("torch.ops.") :] + "::"
            return frozenset(name[len(namespace) :] for name in self._names if name.startswith(namespace)) or None
        text = self._container.get("m/" + path)
        return None if text is None else frozenset(text.split("\n"))

    def canonical_path(self, path: str) -> str:
        """The path under which an object is described: `torch.nn.functional.relu` for `torch.functional.F.relu`.

        A path that is not known stays as it is.
        """
        return self._record(path)[0]

    def python_object(self, path: str) -> TorchObject | None:
        """What a path denotes; None where nothing is known of it (`members` tells what does not exist)."""
        if path not in self._objects:
            canonical, text = self._record(path)
            found = None if text is None else _described(canonical, text)
            if isinstance(found, ScriptFunction) and text is not None and "__torch__." in text:
                schemas = tuple(with_named_tuples(schema, self._named_tuple) for schema in found.schemas)
                found = replace(found, schemas=schemas)
            self._objects[path] = found
        return self._objects[path]

    def _named_tuple(self, qualname: str) -> NamedTupleType | None:
        found = self.python_object(qualname.removeprefix("__torch__."))
        meant = found.annotation if isinstance(found, TorchClass) else None
        return meant if isinstance(meant, NamedTupleType) else None

    def module_facts(self, path: str) -> ModuleFacts | None:
        """What an instance of a torch.nn class looks like to the compiler; None for classes that are not recorded."""
        canonical = self.canonical_path(path)
        if canonical not in self._module_facts:
            self._module_facts[canonical] = self._read_module_facts(canonical)
        return self._module_facts[canonical]

    def _read_module_facts(self, canonical: str) -> ModuleFacts | None:
        lines = self._lines("n/" + canonical)
        if not lines:
            return None
        found = module_facts(canonical, [line.split("\t") for line in lines])
        return replace(found, methods=tuple(with_named_tuples(each, self._named_tuple) for each in found.methods))

    def _record(self, path: str) -> tuple[str, str | None]:
        """The canonical path and the entry's text."""
        text = self._container.get("p/" + path)
        if text is None:
            owner, _, name = path.rpartition(".")
            if not owner:
                return path, None
            if path.startswith("torch.ops."):
                return path, self._operator_packet(path)
            canonical_owner, owner_text = self._record(owner)
            if owner_text is None or canonical_owner == owner:
                return path, None
            return self._record(f"{canonical_owner}.{name}")
        if text.startswith("="):
            return self._record(text[1:])
        category, _, rest = text.partition("\t")
        return (rest if category == "module" else path), text

    def _operator_packet(self, path: str) -> str | None:
        """`torch.ops` resolves namespaces and operators by asking the registry."""
        namespace, _, name = path[len("torch.ops.") :].partition(".")
        if not name:
            is_known = namespace in self._namespaces or self._registered_beside(namespace)
            return f"module\t{path}" if is_known else None
        op, _, overload = name.partition(".")
        if not self.has_operator(f"{namespace}::{op}"):
            return None
        return "opaque\tvalue\tOpOverload\t" if overload else f"operator\t{namespace}::{op}"

    def _registered_beside(self, namespace: str) -> dict[str, list[str]]:
        """The schema texts of a namespace that is not torch's own, by operator."""
        if self._libraries is None or namespace in self._namespaces or not namespace.isidentifier():
            return {}
        if namespace not in self._registered:
            found: dict[str, list[str]] = {}
            for text in self._libraries(namespace):
                schema = readable_schema(f"{namespace}::{text}")
                if schema is not None:
                    found.setdefault(schema.name, []).append(f"{namespace}::{text}")
            self._registered[namespace] = found
        return self._registered[namespace]

    @functools.cached_property
    def _namespaces(self) -> frozenset[str]:
        return frozenset(name.partition("::")[0] for name in self._names)

    @functools.cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(self._lines("names/operators"))

    @functools.cached_property
    def _aliases(self) -> dict[str, str]:
        pairs = (line.partition("\t") for line in self._lines("alias"))
        return {name: target for name, _, target in pairs}

    def _attributes(self, owner: str) -> dict[str, list[str]]:
        found = self._attributes_of.get(owner)
        if found is None:
            split = (line.split("\t") for line in self._lines("t/" + owner))
            found = self._attributes_of[owner] = {name: what for name, *what in split}
        return found

    def _lines(self, key: str) -> list[str]:
        text = self._container.get(key)
        return text.split("\n") if text else []


def _described(path: str, text: str) -> TorchObject:
    category, *fields = text.split("\t")
    return _READERS[category](path, *fields)


def _read_function(path: str, schemas: str, inferred: str = "", refusal: str = "") -> ScriptFunction:
    read = _read_schemas(schemas)
    if len(read) == 1:
        # What the implementation leaves open, the declarations of overloads say.
        positions = frozenset(int(position) for position in inferred.split(",") if position)
        read = (_with_inferred(read[0], positions),)
    return ScriptFunction(path, read, refusal or None)


def _with_inferred(schema: Schema, positions: frozenset[int]) -> Schema:
    if not positions:
        return schema
    arguments = (
        replace(argument, type=INFERRED_TENSOR) if position in positions else argument
        for position, argument in enumerate(schema.arguments)
    )
    return replace(schema, arguments=tuple(arguments))


def _read_dispatch(path: str, argument: str, index: str, default: str, if_true: str, if_false: str) -> BooleanDispatch:
    return BooleanDispatch(path, argument, int(index), default == "True", if_true, if_false)


def _read_constant(path: str, kind: str, value: str) -> TorchConstant:
    return TorchConstant(path, kind, _CONSTANTS[kind](value))


def _read_class(
    path: str,
    kind: str,
    operator: str = "",
    init: str = "",
    enter: str = "",
    refusal: str = "",
    methods: str = "",
    annotation: str = "",
    attributes: str = "",
) -> TorchClass:
    is_enum = kind == "enum"
    constructor = next(iter(_read_schemas(init)), None)
    meant = parse_type(annotation) if annotation else None
    if kind == "namedtuple" and constructor is not None:
        meant = named_tuple("__torch__." + path, constructor)
    pairs = (line.rpartition(" ") for line in attributes.split("\n") if line)
    return TorchClass(
        path,
        kind,
        operator or None,
        constructor,
        parse_type(enter) if enter else None,
        refusal or None,
        () if is_enum else _read_schemas(methods),
        meant,
        tuple((name, parse_type(written)) for written, _, name in pairs),
        tuple(methods.split("\n")) if is_enum else (),
    )


def _read_custom_class(path: str, methods: str, static_methods: str, properties: str) -> CustomClass:
    pairs = (line.rpartition(" ") for line in properties.split("\n") if line)
    read = tuple((name.rstrip("="), parse_type(written), name.endswith("=")) for written, _, name in pairs)
    return CustomClass(path, _read_schemas(methods), _read_schemas(static_methods), read)


def _read_opaque(path: str, category: str, type_name: str, schemas: str, annotation: str = "") -> OpaqueObject:
    schema = next(iter(_read_schemas(schemas)), None)
    return OpaqueObject(path, category, type_name, schema, parse_type(annotation) if annotation else None)


def _read_schemas(texts: str) -> tuple[Schema, ...]:
    return tuple(parse_schema(text) for text in texts.split("\n") if text)


def _read_tuple(text: str) -> DefaultValue:
    """A tuple of plain constants; None where an element is something else."""
    try:
        value: DefaultValue = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return None
    return value


_READERS: dict[str, Callable[..., TorchObject]] = {
    "module": lambda path, canonical: TorchModule(canonical),
    "operator": BuiltinOperator,
    "function": _read_function,
    "dispatch": _read_dispatch,
    "constant": _read_constant,
    "class": _read_class,
    "custom_class": _read_custom_class,
    "special": SpecialForm,
    "opaque": _read_opaque,
}
_CONSTANTS: dict[str, Callable[[str], DefaultValue]] = {
    "dtype": int,
    "layout": int,
    "memory_format": int,
    "qscheme": int,
    "int": int,
    "float": float,
    "complex": complex,
    "bool": lambda text: text == "True",
    "str": str,
    "device": str,
    "None": lambda text: None,
    "tuple": _read_tuple,
}


def _edit_distance(left: str, right: str, limit: int) -> int:
    """The Levenshtein distance, or any number above `limit` when it is larger than that."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    previous = list(range(len(right) + 1))
    for row, character in enumerate(left, 1):
        current = [row]
        for column, other in enumerate(right, 1):
            cost = previous[column - 1] + (character != other)
            current.append(min(cost, previous[column] + 1, current[-1] + 1))
        if min(current) > limit:
            return limit + 1
        previous = current
    return previous[-1]
