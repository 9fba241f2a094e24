"""What a client counts columns in: code units of UTF-8, UTF-16 or UTF-32.

Owns the only conversions between those and code points. Invariant: nothing raises; a place past a line's end is the
line's end, and one inside a character is the character's start.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]

ENCODINGS: tuple[Encoding, ...] = ("utf-32", "utf-8", "utf-16")
"""What is spoken. Code points need no conversion, and UTF-16 is every client's last resort."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2)}


def choose_encoding(offered: Sequence[str]) -> Encoding:
    """The first encoding of the client's that is spoken here; UTF-16 where it names none."""
    return next((known for each in offered for known in ENCODINGS if known == each), "utf-16")


def column_of(line: str, units: int, encoding: Encoding) -> int:
    """The code-point column of a place that a client counts in units. `line` has no line end."""
    if units <= 0:
        return 0
    if encoding == "utf-32" or line.isascii():
        return min(units, len(line))
    codec, width = _CODECS[encoding]
    data = line.encode(codec, "surrogatepass")
    return len(_whole_characters(data, units * width, codec))


def units_of(line: str, column: int, encoding: Encoding) -> int:
    """The place in units of a code-point column. `line` has no line end."""
    before = line[: max(column, 0)]
    if encoding == "utf-32" or before.isascii():
        return len(before)
    codec, width = _CODECS[encoding]
    return len(before.encode(codec, "surrogatepass")) // width


def cut(line: str, units: int, encoding: Encoding) -> tuple[str, str]:
    """The line before and after a place in units.

    A client that counts in UTF-16 may cut a character in two: both halves stay, as surrogates.
    """
    if encoding != "utf-16" or line.isascii():
        column = column_of(line, units, encoding)
        return line[:column], line[column:]
    data, at = line.encode("utf-16-le", "surrogatepass"), max(units, 0) * 2
    return data[:at].decode("utf-16-le", "surrogatepass"), data[at:].decode("utf-16-le", "surrogatepass")


def _whole_characters(data: bytes, size: int, codec: str) -> str:
    """The characters that lie wholly in the first `size` bytes."""
    if size >= len(data):
        return data.decode(codec, "surrogatepass")
    if codec == "utf-8":
        while size and data[size] & 0xC0 == 0x80:
            size -= 1
    elif 0xDC <= data[size + 1] <= 0xDF and size and 0xD8 <= data[size - 1] <= 0xDB:
        size -= 2
    return data[:size].decode(codec, "surrogatepass")


def joined_pairs(text: str) -> str:
    """The text with every pair of surrogates made the one character it stands for."""
    if text.isascii() or _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
