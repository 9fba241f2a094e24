"""Words that several rules share: how types, names and lists of them read in a sentence.

Invariant: every function takes whatever a finding's data holds and gives text, also where the data is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ts_lsp.semantic.facts import Finding, Related
from ts_lsp.types.display import annotation_form
from ts_lsp.types.model import NONE, OptionalType, Type, UnionType

# Classes print with the module that defines them; people know them by their own name.
_MODULE_PREFIX = re.compile(r"\b__torch__\.(?:\w+\.)*(?=\w)")


def written(value: object) -> str:
    """A value of a finding's data as plain text: types as people annotate them, everything else as `str` gives it."""
    if isinstance(value, Type):
        return _MODULE_PREFIX.sub("", annotation_form(value))
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
    return [each for each in listed(finding, key) if isinstance(each, Type)]


def listed(finding: Finding, key: str) -> tuple[object, ...]:
    """What the datum `key` lists; nothing where it is missing or no list."""
    value = finding.data.get(key)
    return tuple(value) if isinstance(value, (tuple, list)) else ()


def enumeration(words: Iterable[str], conjunction: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    given = list(words)
    if len(given) < 2:
        return "".join(given)
    return f"{', '.join(given[:-1])} {conjunction} {given[-1]}"


# Operators behind Python's own names, as the compiler calls them.
_PYTHON_NAMES = {"Int": "int", "Float": "float", "Complex": "complex", "Bool": "bool"}


def callee_name(finding: Finding, otherwise: str = "this function") -> str:
    """What is called, as people write it: without namespace and module."""
    name = plain(finding, "callee").rpartition("::")[2].rpartition(".")[2]
    return quoted(_PYTHON_NAMES.get(name, name) or None, otherwise)


def counted(number: object, noun: str) -> str:
    """`1 argument`, `2 arguments`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def may_be_none(value: object) -> bool:
    """Whether a datum is a type one of whose values is None."""
    return isinstance(value, OptionalType) or (isinstance(value, UnionType) and NONE in value.members)
