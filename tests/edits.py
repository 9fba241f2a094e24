"""Storms of edits as people make them: seeded, each a function from one text to the next.

Owns `storm`. Invariant: the same seed and text give the same texts.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

PIECES = (
    ".", "(", ")", ":", "[", "]", " ", "\n", "\n    ", "\n        ", "#", '"', "'''", "=", ",", "x", "self.", "None",
    "1",
    "x.", "x = 1", "return x", "assert x is not None", "if x:\n            pass", "torch.", "torch.relu(x)", "-> int",
    ": int", ": Tensor", "@torch.jit.ignore\n", "@torch.jit.script\n", "é", "𝒳", "import torch\n", "lambda: 0",
    "self.extra = 1", "global counter", "del x", "\t", "yield x", "def inner():\n        pass\n", "class Inner: pass\n",
)  # fmt: skip


def storm(text: str, seed: int, length: int, others: Sequence[str] = ()) -> Iterator[str]:
    """The texts after each of `length` edits. Pieces of `others` are pasted."""
    source = random.Random(seed)
    history = [text]
    while length > 0:
        if len(history) > 1 and source.random() < 0.15:
            texts = [history.pop(-2 if source.random() < 0.5 else -1)]  # undo, once or as a jump back
            texts = [history[-1]]
        elif source.random() < 0.35:
            texts = list(_typed(history[-1], source))
        else:
            edit = source.choice(_EDITS)
            texts = [edit(history[-1], source, others)]
        for each in texts[:length]:
            history.append(each)
            length -= 1
            yield each
        if len(history) > 12:
            del history[1:-6]
        if source.random() < 0.04:
            history.append(text)  # back to the start, as switching a branch does
            length -= 1
            yield text


def _typed(text: str, source: random.Random) -> Iterator[str]:
    """A piece typed letter by letter somewhere inside a line."""
    place = _inside(text, source)
    for letter in source.choice(PIECES):
        text = text[:place] + letter + text[place:]
        place += len(letter)
        yield text


def _inside(text: str, source: random.Random) -> int:
    """A place, more often at the end of a line with code."""
    if source.random() < 0.5:
        ends = [match.start() for match in re.finditer(r"(?<=\S)\n", text)]
        if ends:
            return source.choice(ends)
    return source.randrange(len(text) + 1)


Edit = Callable[[str, random.Random, Sequence[str]], str]


def _insert(text: str, source: random.Random, others: Sequence[str]) -> str:
    place = _inside(text, source)
    return text[:place] + source.choice(PIECES) + text[place:]


def _delete(text: str, source: random.Random, others: Sequence[str]) -> str:
    start = source.randrange(len(text) + 1)
    return text[:start] + text[start + source.choice((1, 1, 1, 2, 5, 20)) :]


def _delete_line(text: str, source: random.Random, others: Sequence[str]) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        del lines[source.randrange(len(lines))]
    return "".join(lines)


def _double_line(text: str, source: random.Random, others: Sequence[str]) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        index = source.randrange(len(lines))
        lines.insert(source.choice((index, source.randrange(len(lines)))), lines[index])
    return "".join(lines)


def _move_lines(text: str, source: random.Random, others: Sequence[str]) -> str:
    blocks = re.split(r"(?m)^(?=(?:@|def |class )(?!.*^@))", text)
    source.shuffle(blocks) if source.random() < 0.2 else None
    if len(blocks) > 1:
        blocks.insert(source.randrange(len(blocks)), blocks.pop(source.randrange(len(blocks))))
    return "".join(blocks)


def _rename(text: str, source: random.Random, others: Sequence[str]) -> str:
    words = sorted(set(re.findall(r"\b[A-Za-z_]\w*", text)))
    if not words:
        return text
    old, new = source.choice(words), source.choice([*words, "fresh"])
    if source.random() < 0.5:
        return re.sub(rf"\b{old}\b", new, text)
    places = [match.span() for match in re.finditer(rf"\b{old}\b", text)]
    start, end = source.choice(places)
    return text[:start] + new + text[end:]


def _change_number(text: str, source: random.Random, others: Sequence[str]) -> str:
    places = [match.span() for match in re.finditer(r"\b\d+\b", text)]
    if not places:
        return text
    start, end = source.choice(places)
    return text[:start] + str(source.randrange(20)) + text[end:]


def _paste(text: str, source: random.Random, others: Sequence[str]) -> str:
    lines = source.choice([*others, text]).splitlines(keepends=True)
    start = source.randrange(len(lines) + 1)
    piece = "".join(lines[start : start + source.randrange(1, 12)])
    place = text.find("\n", _inside(text, source)) + 1
    return text[:place] + piece + text[place:]


_EDITS: tuple[Edit, ...] = (
    _insert,
    _insert,
    _delete,
    _delete,
    _delete_line,
    _double_line,
    _move_lines,
    _rename,
    _rename,
    _change_number,
    _change_number,
    _paste,
)
