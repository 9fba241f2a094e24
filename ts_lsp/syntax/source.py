"""The text of one function as the compiler sees it.

Owns the extent of a function's source and its alignment: how `inspect` cuts it out of the file, and how the compiler
indents every line to the depth of the `def` before it counts bytes.
Invariant: pure functions of a chunk's lines and a function's node.
"""

from __future__ import annotations

import ast
from bisect import bisect_right

from ts_lsp.records import dataclass
from ts_lsp.syntax.tree import Chunk
from ts_lsp.text import Lines, Range

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def first_line_of(definition: FunctionNode | ast.ClassDef) -> int:
    """The 0-based line of the first decorator, else of the definition itself."""
    return min((decorator.lineno for decorator in definition.decorator_list), default=definition.lineno) - 1


def end_line_of(definition: FunctionNode | ast.ClassDef, lines: Lines) -> int:
    """The exclusive end line of the definition's block, with the comments that stand at its indentation below it."""
    end = definition.end_lineno or definition.lineno
    body = definition.body[0]
    if body.lineno == definition.lineno:
        return end
    depth = _width(lines.line(body.lineno - 1)[: lines.column(body.lineno - 1, body.col_offset)])
    last = end
    for number in range(end, len(lines)):
        line = lines.line(number)
        code = line.lstrip(" \t\f")
        if not code:
            continue
        if not code.startswith("#") or _width(line[: len(line) - len(code)]) < depth:
            break
        last = number + 1
    return last


def _width(blank: str) -> int:
    return len(blank.rpartition("\f")[2].expandtabs(8))


@dataclass(frozen=True, slots=True)
class AlignedSource:
    """The lines of a function, aligned: `text` is all of them, `starts` their byte offsets in it.

    `first_line` is the line of the chunk where it begins, `indentation` the blanks before `def`, and `inserted` tells
    for each line whether those blanks were put before it because it lacked them.
    """

    text: bytes
    starts: tuple[int, ...]
    first_line: int
    indentation: str
    inserted: tuple[bool, ...]

    def offset(self, line: int, byte_column: int) -> int:
        """The byte offset in the aligned text of a place in the chunk (0-based line, bytes of the file)."""
        number = line - self.first_line
        return self.starts[number] + byte_column + (len(self.indentation) if self.inserted[number] else 0)

    def place(self, offset: int) -> tuple[int, int]:
        """The line of the chunk and the byte column in the file of an aligned offset."""
        offset = min(max(offset, 0), len(self.text))
        number = bisect_right(self.starts, offset) - 1
        column = offset - self.starts[number]
        if number < len(self.inserted) and self.inserted[number]:
            column = max(0, column - len(self.indentation))
        return self.first_line + number, column

    def range(self, start: int, end: int, lines: Lines) -> Range:
        """The code-point range in the chunk of a stretch of aligned bytes."""
        line, column = self.place(start)
        end_line, end_column = self.place(max(start, end))
        return Range(line, lines.column(line, column), end_line, lines.column(end_line, end_column))

    def line_text(self, number: int) -> str:
        """Aligned line `number`, counted from the function's first one, without its end."""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[number] : end].decode("utf-8", "surrogatepass").removesuffix("\n")


def aligned_source(function: FunctionNode, chunk: Chunk) -> AlignedSource:
    """The text that the compiler takes for `function`."""
    lines = chunk.lines
    first = first_line_of(function)
    texts = [lines.line(number) for number in range(first, end_line_of(function, lines))]
    indentation = next((line.split("def")[0] for line in texts if line.lstrip().startswith("def")), "")
    inserted = tuple(not line.startswith(indentation) for line in texts)
    pieces = [(indentation + line if lacking else line) + "\n" for line, lacking in zip(texts, inserted, strict=True)]
    starts = [0]
    encoded = [piece.encode("utf-8", "surrogatepass") for piece in pieces]
    for piece in encoded:
        starts.append(starts[-1] + len(piece))
    return AlignedSource(b"".join(encoded), tuple(starts), first, indentation, inserted)
