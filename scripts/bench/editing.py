"""What a person types, made from a seed: every change is one message to a server.

A change names places as the protocol does; all that is typed is ASCII, so that columns are the same in every encoding.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.bench.generation import function

_STATEMENT = re.compile(r"( {4,})[a-z_, ]+ \+?= [^#]*[\w)\]]$")
# What is typed after a statement of a body, where `x` is a tensor: `<` takes a character back.
_TYPED = (
    'wrong = x + "no"<<<<1.5',
    "number = torch.numel(x) + len(x.shape)",
    "if x.dim() > 2:\n    inner = x.relu()",
    "kept = x.unknown<<<<<<<abs()",
    "pair = (x, x.size(0), [1, 2])",
    "x = x.to(torch.float32",
    "text: int = 3",
)


@dataclass(frozen=True)
class Change:
    """The text between two places, 0-based, is now another one."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


class Buffer:
    """The text of a document while it is edited, its version, and the caret behind the last change."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.version = 1
        self.caret = (0, 0)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def apply(self, change: Change) -> None:
        (first, start), (last, end) = change.start, change.end
        new = (self.lines[first][:start] + change.text + self.lines[last][end:]).split("\n")
        typed = change.text.split("\n")
        self.lines[first : last + 1] = new
        self.caret = (first + len(typed) - 1, len(typed[-1]) + (start if len(typed) == 1 else 0))
        self.version += 1

    def statements(self) -> list[int]:
        """The lines of bodies that end a statement which other statements of the block may follow."""
        return [number for number, line in enumerate(self.lines) if _STATEMENT.fullmatch(line)]

    def end_of(self, line: int) -> tuple[int, int]:
        return line, len(self.lines[line])


def typing(buffer: Buffer, rng: random.Random) -> Iterator[Change]:
    """Without end: a statement typed below another one, character by character, and removed in one go."""
    while True:
        yield from _statement(buffer, rng)


def storm(buffer: Buffer, rng: random.Random) -> Iterator[Change]:
    """Without end: what `typing` does, between functions that are pasted at the end and cut away again."""
    while True:
        for _ in range(rng.randrange(1, 8)):
            yield from _statement(buffer, rng)
        end = buffer.end_of(len(buffer.lines) - 1)
        yield Change(end, end, function("pasted", rng))
        for _ in range(rng.randrange(5)):
            yield Change(buffer.caret, buffer.caret, "\n")
        yield Change(end, buffer.caret, "")


def _statement(buffer: Buffer, rng: random.Random) -> Iterator[Change]:
    line = rng.choice(buffer.statements())
    start = buffer.end_of(line)
    indentation = re.match(" *", buffer.lines[line])
    assert indentation is not None
    yield Change(start, start, "\n" + indentation[0])
    for character in rng.choice(_TYPED):
        caret = buffer.caret
        if character == "<":
            yield Change((caret[0], caret[1] - 1), caret, "")
        else:
            yield Change(caret, caret, "\n" + indentation[0] if character == "\n" else character)
    yield Change(start, buffer.caret, "")
