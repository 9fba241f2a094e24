"""Reading the text of a compiler error or of a graph node's place: a message, then source listings.

A listing is a line `File "path", line N` followed by source lines; rows of `~` stand under the marked text and the
last of them ends in ` <--- HERE`. N is the line on which the marked text starts. Lines count from 1, columns are
bytes and count from 0, ends are exclusive. A mark over nothing but white space has no row, hence no columns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEADER = re.compile(r'^(?P<lead>.* at )?(?:Serialized )? *File "(?P<file>[^"]*)", line (?P<line>\d+)(?:, in .*)?$')
_CALLED_FROM = re.compile(r"^'.*' is being compiled since it was called from '.*'$")
_MARK = re.compile(r"^(?P<indent> *)(?P<mark>~+)(?P<last> <--- HERE)?$")


@dataclass(frozen=True)
class Listing:
    """One marked place; `caller` says that it shows the call through which the compiler got to the place before it."""

    file: str
    line: int
    column: int | None
    end_line: int
    end_column: int | None
    caller: bool = False


def read_listings(text: str) -> list[Listing]:
    """Every listing of an error text, in order: the error first, then its callers, innermost first."""
    listings: list[Listing] = []
    lines = text.split("\n")
    caller = False
    for index, row in enumerate(lines):
        if _CALLED_FROM.match(row):
            caller = True
        elif header := _HEADER.match(row):
            listings.append(_read_one(header["file"], int(header["line"]), lines[index + 1 :], caller))
            caller = False
    return listings


def _read_one(file: str, line: int, rows: list[str], caller: bool) -> Listing:
    column = end_column = None
    source_rows = 0
    for index, row in enumerate(rows):
        if _HEADER.match(row) or _CALLED_FROM.match(row):
            break
        mark = _MARK.match(row) if index else None
        if mark is None:
            source_rows += column is not None
            continue
        if column is None:
            column = len(mark["indent"])
        end_column = len(mark["indent"]) + len(mark["mark"])
        if mark["last"]:
            return Listing(file, line, column, line + source_rows, end_column, caller)
    return Listing(file, line, None, line, None, caller)


def read_message(text: str) -> str:
    """What stands before the first listing."""
    kept: list[str] = []
    for row in text.split("\n"):
        header = _HEADER.match(row)
        if header:
            kept.append((header["lead"] or "").removesuffix(" at "))
            break
        kept.append(row)
    return "\n".join(kept).strip().removesuffix(":")


def read_headline(message: str) -> str:
    """The first paragraph of a message."""
    return message.split("\n\n")[0].strip()
