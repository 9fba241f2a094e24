"""Draws the icon of the VS Code extension: `python -m scripts.vscode_icon` writes its PNG.

The picture is a function from a point to a colour, so no drawing library is needed: a flame (torch) of two circles and
a tip, beside the brackets of a script.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

ICON = Path(__file__).resolve().parent.parent / "vscode-extension" / "images" / "icon.png"
SIZE = 256
_SAMPLES = 4
Colour: TypeAlias = tuple[float, float, float, float]
_NOTHING: Colour = (0, 0, 0, 0)
_GROUND: Colour = (33, 37, 54, 255)
_FLAME: Colour = (240, 92, 52, 255)
_CORE: Colour = (255, 205, 92, 255)
_BRACKETS: Colour = (222, 228, 245, 255)


def colour_at(x: float, y: float) -> Colour:
    """The colour of a point of the unit square, y downwards."""
    if not _in_rounded_square(x, y):
        return _NOTHING
    if _in_drop(x, y, 0.5, 0.66, 0.09, 0.47):
        return _CORE
    if _in_drop(x, y, 0.5, 0.60, 0.18, 0.16):
        return _FLAME
    if _in_bracket(x, y) or _in_bracket(1 - x, y):
        return _BRACKETS
    return _GROUND


def _in_rounded_square(x: float, y: float, radius: float = 0.18) -> bool:
    over_x, over_y = abs(x - 0.5) - 0.5 + radius, abs(y - 0.5) - 0.5 + radius
    return math.hypot(max(over_x, 0), max(over_y, 0)) <= radius


def _in_drop(x: float, y: float, middle: float, height: float, radius: float, tip: float) -> bool:
    """A circle that runs out into a tip above it."""
    if math.hypot(x - middle, y - height) <= radius:
        return True
    if not tip <= y <= height:
        return False
    share = (y - tip) / (height - tip)
    return abs(x - middle - 0.03 * math.sin(math.pi * share)) <= radius * math.pow(share, 1.25)


def _in_bracket(x: float, y: float) -> bool:
    """The left one of two square brackets."""
    return 0.19 <= y <= 0.81 and 0.15 <= x <= 0.27 and (x <= 0.195 or y <= 0.235 or y >= 0.765)


def _pixel(column: int, row: int) -> bytes:
    """The mean of some points of a pixel, the colours weighed by how opaque they are."""
    steps = [(step + 0.5) / _SAMPLES for step in range(_SAMPLES)]
    points = [colour_at((column + dx) / SIZE, (row + dy) / SIZE) for dx in steps for dy in steps]
    opaque = sum(point[3] for point in points)
    mean = [sum(point[part] * point[3] for point in points) / opaque if opaque else 0 for part in range(3)]
    return bytes(round(value) for value in (*mean, opaque / len(points)))


def png() -> bytes:
    rows = b"".join(b"\0" + b"".join(_pixel(column, row) for column in range(SIZE)) for row in range(SIZE))
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_encoded(chunks))


def _encoded(chunks: tuple[tuple[bytes, bytes], ...]) -> Iterator[bytes]:
    for name, data in chunks:
        yield struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


if __name__ == "__main__":
    ICON.parent.mkdir(exist_ok=True)
    ICON.write_bytes(png())
