"""Setting the attributes that a compiled module has beside those that the product lists for its class.

A class whose objects have several types is listed once for each; the listing that agrees best counts. What every module
has (`training` and the mark of its hooks) is left out, and so are submodules and constants, which are no attributes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scripts.conformance.facts import FactRow
from scripts.conformance.spelling import plain_type

_EVERY_MODULE = frozenset({"training", "_is_full_backward_hook"})
_KINDS = frozenset({"attribute", "parameter", "buffer"})


@dataclass(frozen=True)
class WrongAttribute:
    """An attribute whose type is another than the compiler's; None where one of them has no such attribute."""

    name: str
    wanted: str | None
    answered: str | None


@dataclass(frozen=True)
class AttributeComparison:
    """How the attributes of one accepted module compare. `unknown` are those whose type the product leaves open."""

    wanted: int = 0
    same: int = 0
    unknown: int = 0
    wrong: tuple[WrongAttribute, ...] = ()


def compare_attributes(group: Iterable[FactRow], entries: Iterable[Mapping[str, Any]]) -> AttributeComparison:
    """The attributes of every object of a class that was compiled, each against the listing nearest to it."""
    listings = [
        {each["name"]: each["type"] for each in entry["attributes"] if each["kind"] in _KINDS}
        for entry in entries
        if entry.get("attributes") is not None
    ]
    found = [
        min((_compare(fact["attributes"], listing) for listing in listings), key=lambda each: len(each.wrong))
        for fact in group
        if listings and fact.get("attributes")
    ]
    return AttributeComparison(
        sum(each.wanted for each in found),
        sum(each.same for each in found),
        sum(each.unknown for each in found),
        tuple(wrong for each in found for wrong in each.wrong),
    )


def _compare(wanted: Mapping[str, str], listing: Mapping[str, str | None]) -> AttributeComparison:
    names = [name for name in wanted if name not in _EVERY_MODULE]
    open_names = {name for name, type_ in listing.items() if type_ is None or "Unknown" in type_}
    wrong = [
        WrongAttribute(name, wanted.get(name), listing.get(name))
        for name in dict.fromkeys((*names, *listing))
        if name not in open_names | _EVERY_MODULE and _spelled(wanted.get(name)) != _spelled(listing.get(name))
    ]
    unknown = sum(name in open_names for name in names)
    missing = sum(each.wanted is not None for each in wrong)
    return AttributeComparison(len(names), len(names) - unknown - missing, unknown, tuple(wrong))


def _spelled(type_: str | None) -> str | None:
    return None if type_ is None else plain_type(type_)
