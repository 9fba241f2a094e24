"""Words that several rules share: how types, names and lists of them read in a sentence.

Invariant: every function takes whatever a finding's data holds and gives text, also where the data is missing.
"""

from __future__ import annotations

from collections.abc import Iterable

from ts_lsp.semantic.facts import Finding, Related
from ts_lsp.types.display import annotation_form
from ts_lsp.types.model import NONE, OptionalType, Type, UnionType


def written(value: object) -> str:
    """A value of a finding's data as plain text: types in annotation form, everything else as `str` gives it."""
    if isinstance(value, Type):
        return annotation_form(value)
    return "" if value is None else str(value)


def quoted(value: object, otherwise: str = "a value") -> str:
    """The value between backquotes; `otherwise` where there is none."""
    text = written(value)
    return f"`{text}`" if text else otherwise


def named(finding: Finding | Related, key: str, otherwise: str = "this") -> str:
    """The finding's datum `key` between backquotes."""
    return quoted(finding.data.get(key), otherwise)


def plain(finding: Finding | Related, key: str, otherwise: str = "") -> str:
    """The finding's datum `key` without backquotes."""
    return written(finding.data.get(key)) or otherwise


def type_list(finding: Finding, key: str = "types") -> list[Type]:
    """The types that the datum `key` lists."""
    listed = finding.data.get(key)
    return [each for each in listed if isinstance(each, Type)] if isinstance(listed, (tuple, list)) else []


def enumeration(words: Iterable[str], conjunction: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    listed = list(words)
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} {conjunction} {listed[-1]}"


def counted(number: object, noun: str) -> str:
    """`1 argument`, `2 arguments`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def may_be_none(value: object) -> bool:
    """Whether a datum is a type one of whose values is None."""
    return isinstance(value, OptionalType) or (isinstance(value, UnionType) and NONE in value.members)
