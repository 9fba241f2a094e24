"""What a completion offers, as plain data, and the long lists of it.

Owns `Completion`, `module_items`, `member_items` and `fitting`. Invariant: the names of torch's modules and the members
of Tensor are made once for a torch version, and are the same tuple each time that no type is wanted.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ts_lsp.ide.torch_names import TorchName, names_in
from ts_lsp.records import dataclass, replace
from ts_lsp.torchdata.loader import TorchData
from ts_lsp.types.display import annotation_form, operator_schema_text, schema_text
from ts_lsp.types.model import ANY, TENSOR, Type
from ts_lsp.types.relations import contains_unknown, is_subtype
from ts_lsp.weakcache import cached_weakly

if TYPE_CHECKING:
    from ts_lsp.semantic.offered import Member

UNSUPPORTED = 9
_TENSOR = "torch.Tensor"


@dataclass(frozen=True, slots=True)
class Completion:
    """A name to choose. `rank`: 0 fits the type that is wanted, 1 is anything else, 2 private, 9 not supported.

    `kind` is a word of the protocol's. `why_not` says why the compiler does not take it. `type` is that of its value,
    or of what a call of it gives; where it is None it may be that of `operator`.
    """

    label: str
    kind: str
    detail: str = ""
    rank: int = 1
    why_not: str = ""
    is_callable: bool = False
    operator: str = ""
    type: Type | None = None


def module_items(torch: TorchData, module: str, unsupported: bool) -> tuple[Completion, ...]:
    """The names of a module of torch, math and the like; empty for modules that torch's data do not know."""
    known = _modules(torch)
    if (module, unsupported) not in known:
        names = (each for each in names_in(torch, module) if unsupported or not each.why_not)
        known[module, unsupported] = tuple(map(_torch_name, names))
    return known[module, unsupported]


@cached_weakly
def _modules(torch: TorchData) -> dict[tuple[str, bool], tuple[Completion, ...]]:
    return {}


def _torch_name(name: TorchName) -> Completion:
    rank = UNSUPPORTED if name.why_not else rank_of(name.name, None, None)
    is_callable = name.kind == "function"
    return Completion(name.name, name.kind, name.detail, rank, name.why_not, is_callable, name.operator, name.result)


def member_items(torch: TorchData, members: Iterable[Member], type_: Type | None) -> tuple[Completion, ...]:
    """Members of a value of a type, but for those that Python calls by itself."""
    if type_ == TENSOR:
        known = _modules(torch)
        key = _TENSOR, False
        if key not in known:
            known[key] = _members(torch, members)
        return known[key]
    return _members(torch, members)


def _members(torch: TorchData, members: Iterable[Member]) -> tuple[Completion, ...]:
    return tuple(_member(torch, each) for each in members if _can_be_written(each.name))


def _can_be_written(name: str) -> bool:
    """Whether a member goes behind a dot: those of containers are called `0`, `1`, ..."""
    return name.isidentifier() and not name.startswith("__") and not keyword.iskeyword(name)


def _member(torch: TorchData, member: Member) -> Completion:
    is_callable = member.kind in ("method", "function")
    result, detail = member.type, ""
    if member.operator:
        texts = torch.schema_texts(member.operator)
        more = f" (+{len(texts) - 1} overloads)" if len(texts) > 1 else ""
        first = operator_schema_text(member.schema) if member.schema is not None else texts[0] if texts else ""
        detail, result = first + more, None
    elif member.schema is not None:
        shown = member.schema
        if member.kind == "method":
            shown = replace(shown, arguments=shown.arguments[1:])
        detail = schema_text(shown)
        result = member.schema.returns[0].type if member.schema.returns else None
    elif member.type is not None:
        detail = annotation_form(member.type)
    rank = rank_of(member.name, None, None)
    return Completion(member.name, member.kind, detail, rank, "", is_callable, member.operator, result)


def fitting(torch: TorchData, items: tuple[Completion, ...], expected: Type | None) -> tuple[Completion, ...]:
    """The items, those first whose type is what the surroundings want."""
    if expected is None or expected == ANY:
        return items
    return tuple(replace(each, rank=0) if _fits(torch, each, expected) else each for each in items)


def _fits(torch: TorchData, item: Completion, expected: Type) -> bool:
    if item.rank != 1:
        return False
    return rank_of(item.label, item.type or result_of(torch, item.operator), expected) == 0


def result_of(torch: TorchData, operator: str) -> Type | None:
    """What the first candidate of an operator gives."""
    schemas = torch.schemas(operator) if operator else ()
    return schemas[0].returns[0].type if schemas and len(schemas[0].returns) == 1 else None


def rank_of(name: str, type_: Type | None, expected: Type | None) -> int:
    """How well a name with a type fits where another one is wanted."""
    if name.startswith("_"):
        return 2
    if type_ is None or expected is None or expected == ANY or contains_unknown(type_):
        return 1
    return 0 if is_subtype(type_, expected) else 1
