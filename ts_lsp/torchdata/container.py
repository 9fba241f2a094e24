"""The container of one torch version's facts: a sorted table of short texts that is read piece by piece.

Layout: magic, the length of the index, the deflated index, then deflated blocks of consecutive entries. The index
holds the first key of every block and the block's length, so that one look-up inflates one block and nothing else.
Invariant: keys are unique and sorted by code point; neither keys nor texts contain the two separators.
"""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_right
from collections.abc import Iterator, Mapping

_MAGIC = b"tsfacts1"
_HEADER = struct.Struct("<8sI")
_ENTRY_SEPARATOR = "\x1e"
_KEY_SEPARATOR = "\x1f"
_BLOCK_CHARACTERS = 6000
_BLOCK_ENTRIES = 64


class Container:
    """Reads a container from its bytes."""

    def __init__(self, data: bytes) -> None:
        magic, index_length = _HEADER.unpack_from(data)
        if magic != _MAGIC:
            raise ValueError("not a table of torch facts")
        self._data = data
        index = zlib.decompress(data[_HEADER.size : _HEADER.size + index_length]).decode()
        self._first_keys: list[str] = []
        self._offsets = [_HEADER.size + index_length]
        for line in index.split(_ENTRY_SEPARATOR):
            key, _, length = line.partition(_KEY_SEPARATOR)
            self._first_keys.append(key)
            self._offsets.append(self._offsets[-1] + int(length))
        self._blocks: dict[int, dict[str, str]] = {}

    def get(self, key: str) -> str | None:
        number = bisect_right(self._first_keys, key) - 1
        return self._block(number).get(key) if number >= 0 else None

    def keys(self, prefix: str = "") -> Iterator[str]:
        """The keys that start with `prefix`, in order."""
        number = max(bisect_right(self._first_keys, prefix) - 1, 0)
        while number < len(self._first_keys):
            for key in self._block(number):
                if key.startswith(prefix):
                    yield key
                elif key > prefix:
                    return
            number += 1

    def inflated_blocks(self) -> tuple[int, int]:
        """How many blocks were read so far, and how many there are."""
        return len(self._blocks), len(self._first_keys)

    def _block(self, number: int) -> dict[str, str]:
        block = self._blocks.get(number)
        if block is None:
            text = zlib.decompress(self._data[self._offsets[number] : self._offsets[number + 1]]).decode()
            pairs = (entry.partition(_KEY_SEPARATOR) for entry in text.split(_ENTRY_SEPARATOR))
            block = self._blocks[number] = {key: value for key, _, value in pairs}
        return block


def pack(entries: Mapping[str, str]) -> bytes:
    """The bytes of a container with these entries."""
    index: list[str] = []
    blocks: list[bytes] = []
    for block in _blocks(entries):
        text = _ENTRY_SEPARATOR.join(f"{key}{_KEY_SEPARATOR}{entries[key]}" for key in block)
        blocks.append(zlib.compress(text.encode(), 9))
        index.append(f"{block[0]}{_KEY_SEPARATOR}{len(blocks[-1])}")
    packed_index = zlib.compress(_ENTRY_SEPARATOR.join(index).encode(), 9)
    return b"".join([_HEADER.pack(_MAGIC, len(packed_index)), packed_index, *blocks])


def _blocks(entries: Mapping[str, str]) -> Iterator[list[str]]:
    block: list[str] = []
    characters = 0
    for key in sorted(entries):
        if _ENTRY_SEPARATOR in entries[key] or _KEY_SEPARATOR in entries[key]:
            raise ValueError(f"the text of {key!r} contains a separator")
        if block and (len(block) >= _BLOCK_ENTRIES or characters > _BLOCK_CHARACTERS):
            yield block
            block, characters = [], 0
        block.append(key)
        characters += len(entries[key])
    if block:
        yield block
