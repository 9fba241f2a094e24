"""Calls of what torch knows, with right and nearly right arguments.

Owns `Callables`, the names to call with their schemas, and the templates of calls. Invariant: a template is right by
one schema but for at most one mistake.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ts_lsp.torchdata.loader import TorchData
from ts_lsp.torchdata.objects import BooleanDispatch, BuiltinOperator, ScriptFunction
from ts_lsp.types.display import annotation_form
from ts_lsp.types.model import (
    DEVICE,
    GENERATOR,
    NUMBER,
    DictType,
    ListType,
    OptionalType,
    SimpleType,
    TupleType,
    Type,
    TypeVariable,
)
from ts_lsp.types.schema import Argument, Schema

MODULES = {
    "torch": "torch",
    "torch.nn.functional": "F",
    "math": "math",
    "torch.special": "torch.special",
    "torch.linalg": "torch.linalg",
    "torch.fft": "torch.fft",
}
RECEIVERS = {
    "str": ("str",),
    "List": ("List[int]", "List[str]", "List[Tensor]", "List[Tuple[int, str]]", "List[bool]"),
    "Dict": ("Dict[str, int]", "Dict[int, Tensor]", "Dict[str, List[int]]"),
    "int": ("int",),
    "Tensor": ("Tensor",),
}
WRITTEN = {"Tensor", "int", "float", "bool", "str", "complex"}
MAXIMAL_ARGUMENTS = 7


@dataclass(frozen=True)
class Target:
    """Something to call: its text (`torch.add`, `<Tensor>.add`), its schemas, and whether `self` is the receiver."""

    text: str
    schemas: tuple[Schema, ...]
    method: bool = False


class Callables:
    """All there is to call, by family."""

    def __init__(self, torch: TorchData) -> None:
        self._families = [list(_members(torch, path, alias)) for path, alias in MODULES.items()]
        self._families += [list(_methods(torch, owner, types)) for owner, types in RECEIVERS.items()]

    def template(self, random: random.Random) -> str:
        """A call with holes for its arguments."""
        target = random.choice(random.choice(self._families))
        schema = random.choice(target.schemas)
        formals = [formal for formal in schema.arguments if not (target.method and formal.name == "self")]
        return f"{target.text}({', '.join(_arguments(formals, random))})"


def _members(torch: TorchData, path: str, alias: str) -> Iterator[Target]:
    for name in sorted(torch.members(path) or ()):
        found = torch.python_object(f"{path}.{name}")
        schemas: tuple[Schema, ...] = ()
        if isinstance(found, BuiltinOperator):
            schemas = torch.schemas(found.op)
        elif isinstance(found, ScriptFunction):
            schemas = found.schemas
        elif isinstance(found, BooleanDispatch):
            chosen = torch.python_object(found.if_false)
            schemas = chosen.schemas if isinstance(chosen, ScriptFunction) else ()
        if schemas:
            yield Target(f"{alias}.{name}", schemas)


def _methods(torch: TorchData, owner: str, types: Sequence[str]) -> Iterator[Target]:
    for name in sorted(torch.methods(owner)):
        schemas = [each for each in torch.schemas(f"aten::{name}") if _is_for(each, owner)]
        if schemas and not (name.startswith("__") and owner != "Tensor"):
            for type_ in types:
                yield Target(f"<{type_}>.{name}", tuple(schemas), True)


def _is_for(schema: Schema, owner: str) -> bool:
    self_ = next((formal.type for formal in schema.arguments if formal.name == "self"), None)
    if owner == "List":
        return isinstance(self_, ListType)
    if owner == "Dict":
        return isinstance(self_, DictType)
    return isinstance(self_, SimpleType) and self_.name in (owner, "number", "t")


def _arguments(formals: Sequence[Argument], random: random.Random) -> list[str]:
    """Texts of the arguments; every other time with one mistake."""
    texts: list[str] = []
    by_name = False
    for formal in formals[:MAXIMAL_ARGUMENTS]:
        if formal.default is not None and random.random() < 0.7:
            by_name = True
            continue
        value = f"<{hole(formal, random)}>"
        by_name = by_name or formal.keyword_only or random.random() < 0.08
        texts.append(f"{formal.name}={value}" if by_name and formal.name.isidentifier() else value)
    return _spoiled(texts, random) if random.random() < 0.4 else texts


def _spoiled(texts: list[str], random: random.Random) -> list[str]:
    """One argument of another type, one missing, one too many, or under a wrong name."""
    kind = random.choice(("type", "type", "missing", "more", "keyword"))
    if kind == "more" or not texts:
        at = next((index for index, text in enumerate(texts) if "=" in text), len(texts))
        return [*texts[:at], "<T>", *texts[at:]]
    at = random.randrange(len(texts))
    if kind == "missing":
        return texts[:at] + texts[at + 1 :]
    if kind == "keyword":
        name, _, value = texts[at].rpartition("=")
        return [
            *texts[:at],
            *texts[at + 1 :],
            f"{random.choice(('other', 'input', 'dim', 'x', name or 'self'))}={value}",
        ]
    name, equals, _ = texts[at].partition("=")
    return [*texts[:at], f"{name}=<T>" if equals else "<T>", *texts[at + 1 :]]


def hole(formal: Argument, random: random.Random) -> str:
    """The hole for a parameter: mostly its own type, sometimes one that is converted."""
    type_ = formal.type
    if formal.list_size is not None and random.random() < 0.3 and isinstance(type_, ListType):
        type_ = type_.element
    return written(type_, random)


def written(type_: Type, random: random.Random) -> str:
    """A type of a schema as a type of the grammar."""
    if type_ == NUMBER:
        return random.choice(("int", "float", "complex", "bool"))
    if isinstance(type_, TypeVariable):
        return random.choice(("int", "str", "Tensor"))
    if type_ == DEVICE:
        return "torch.device"
    if isinstance(type_, OptionalType):
        if type_.element == GENERATOR:
            return "Optional[int]"
        return f"Optional[{written(type_.element, random)}]"
    if isinstance(type_, ListType):
        return f"List[{written(type_.element, random)}]"
    if isinstance(type_, DictType):
        return f"Dict[{written(type_.key, random)}, {written(type_.value, random)}]"
    if isinstance(type_, TupleType) and type_.elements:
        return f"Tuple[{', '.join(written(each, random) for each in type_.elements)}]"
    text = annotation_form(type_)
    return text if text in WRITTEN else "int"
