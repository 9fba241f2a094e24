"""Semantic tokens as the protocol writes them: numbers, each token from where the one before it began.

Owns `TokenMemory`, what a document's tokens were when they were last asked for. Invariant: what is told does not depend
on what was asked before, only its cost does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ts_lsp.records import dataclass, field
from ts_lsp.text import Position

if TYPE_CHECKING:
    from ts_lsp.ide.semantic_tokens import FileTokens, Token, UnitTokens
    from ts_lsp.server.documents import Document
    from ts_lsp.values.model import Unit

TOKEN_TYPES = ("parameter", "variable", "property", "function", "method", "class", "namespace")
TOKEN_MODIFIERS = ("scripted", "refined", "defaultLibrary", "dropped", "definition")
NUMBERS = 5
"""How many numbers a token has."""
_TYPES = {name: number for number, name in enumerate(TOKEN_TYPES)}
_BITS = {name: 1 << number for number, name in enumerate(TOKEN_MODIFIERS)}


@dataclass(frozen=True, eq=False, slots=True)
class _Encoded:
    """The tokens of a chunk; the first one's line counts from the chunk's, and `last_line` too."""

    tokens: UnitTokens
    data: Sequence[int]
    last_line: int


@dataclass(eq=False, slots=True)
class TokenMemory:
    """What is kept of a document between two questions."""

    tokens: FileTokens = field(default_factory=dict)
    encoded: Mapping[Unit, _Encoded] = field(default_factory=dict)
    number: int = 0
    told: dict[str, tuple[str, list[int]]] = field(default_factory=dict)
    """By the address that was asked about the name of the last answer, and the answer."""

    def encode(self, document: Document, tokens: FileTokens) -> list[int]:
        """All tokens of a document."""
        data: list[int] = []
        line, encoded = 0, {}
        for unit, each in tokens.items():
            known = self.encoded.get(unit)
            if known is None or known.tokens is not each:
                last = each.tokens[-1].line if each.tokens else 0
                known = _Encoded(each, encode(document, each.tokens, unit.first_line), last)
            encoded[unit] = known
            if known.data:
                start = len(data)
                data += known.data
                data[start] += unit.first_line - line
                line = unit.first_line + known.last_line
        self.tokens, self.encoded = tokens, encoded
        return data

    def tell(self, address: str, data: list[int]) -> str:
        """Keeps an answer under a new name."""
        self.number += 1
        self.told[address] = str(self.number), data
        return str(self.number)


def encode(document: Document, tokens: Iterable[Token], first_line: int = 0, counted_from: int = 0) -> list[int]:
    """Tokens whose lines count from `first_line` of the document, for a client that counts from `counted_from`."""
    data: list[int] = []
    line, start = counted_from, 0
    bits: dict[tuple[str, ...], int] = {}
    for each in tokens:
        column, end = each.column, each.end_column
        if not document.line(first_line + each.line).isascii():
            _, column = document.units(Position(first_line + each.line, column))
            _, end = document.units(Position(first_line + each.line, end))
        modifiers = bits.get(each.modifiers)
        if modifiers is None:
            modifiers = bits[each.modifiers] = sum(_BITS[name] for name in each.modifiers)
        moved = column - start if each.line == line else column
        data += (each.line - line, moved, end - column, _TYPES[each.type], modifiers)
        line, start = each.line, column
    return data


def difference(before: Sequence[int], after: Sequence[int]) -> tuple[int, int, Sequence[int]] | None:
    """Where two answers differ, how many numbers go there and which come; None where they are the same."""
    shorter = min(len(before), len(after))
    same = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    if same == len(before) == len(after):
        return None
    same -= same % NUMBERS
    rest = shorter - same
    ending = next((at for at in range(rest) if before[-1 - at] != after[-1 - at]), rest)
    ending -= ending % NUMBERS
    return same, len(before) - ending - same, after[same : len(after) - ending]
