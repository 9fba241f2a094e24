"""Signature type comments (PEP 484), found and read as the compiler does.

Owns which lines of a function count as type comments, the assembly of the form spread over several lines, and the
grammar `# type: (types) -> type`. The types themselves are left as text and trees.
Invariant: pure functions of the text; either a signature or problems, never both.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ts_lsp.records import dataclass
from ts_lsp.syntax.quiet import without_warnings
from ts_lsp.syntax.source import AlignedSource, FunctionNode, aligned_source, first_line_of
from ts_lsp.syntax.tree import Chunk
from ts_lsp.text import Range

_MARK = "# type:"
_RETURN_MARK = "# type: (...) -> "
_IGNORED = re.compile(r"# type: ignore(\[[a-zA-Z-]+\])?$")
_WRONG_PREFIX = re.compile(r"#[\t ]*type[\t ]*(?!: ignore(\[.*\])?$):")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_TOKEN = re.compile(r"\"[^\"]*\"|'[^']*'|[(\[{]|[)\]}]|,|#|[^\"'()\[\]{},#]+|[\"']")


@dataclass(frozen=True, slots=True)
class CommentedType:
    """One type of a signature comment: its text, its tree and where it is written."""

    text: str
    tree: ast.expr
    place: Range


@dataclass(frozen=True, slots=True)
class SignatureComment:
    """The signature that replaces a function's annotations. `returns` is None where the comment has no arrow.

    `text` is the one line that the compiler parses (the form over several lines is joined into it), and `first_type`
    the byte offset in it of the first type, which the compiler mistakes for an offset in the function's source.
    """

    text: str
    place: Range
    parameters: tuple[CommentedType, ...]
    returns: CommentedType | None
    first_type: int | None


@dataclass(frozen=True, slots=True)
class CommentProblem:
    """A comment that the compiler takes for a type comment and cannot read.

    `early`: the compiler finds it while it looks for type comments, before it converts anything.
    """

    code: str
    reason: str
    place: Range
    early: bool


@dataclass(frozen=True, slots=True)
class _CommentLine:
    """A line that holds a type comment: `start` is the column of its `#` in the aligned line `text`."""

    number: int
    text: str
    start: int

    @property
    def alone(self) -> bool:
        return self.text.strip().startswith(_MARK)


def signature_comment(function: FunctionNode, chunk: Chunk) -> SignatureComment | None:
    """The signature comment of `function`, if it has one that the compiler can read."""
    return read_type_comments(function, chunk)[0]


def read_type_comments(
    function: FunctionNode, chunk: Chunk
) -> tuple[SignatureComment | None, tuple[CommentProblem, ...]]:
    """The signature comment of `function`, or what is wrong with its type comments."""
    if "type" not in chunk.text or "#" not in chunk.text:
        return None, ()
    source = aligned_source(function, chunk)
    return _Reader(source, chunk, function.body[0].lineno - 1 - first_line_of(function)).read()


class _Reader:
    """Reads the comments of one function. `header` is how many of its lines stand above the body."""

    def __init__(self, source: AlignedSource, chunk: Chunk, header: int) -> None:
        self._source = source
        self._chunk = chunk
        self._header = header

    def read(self) -> tuple[SignatureComment | None, tuple[CommentProblem, ...]]:
        lines = [self._source.line_text(number) for number in range(len(self._source.inserted))]
        candidates = [
            _CommentLine(number, line, line.index(_MARK))
            for number, line in enumerate(lines)
            if _MARK in line and not _IGNORED.search(line)
        ]
        if not candidates:
            return None, tuple(self._wrong_prefixes(lines))
        if len(candidates) == 1:
            return self._signature(candidates[0], candidates[0].text.strip(), [])
        returned = next((at for at, line in enumerate(candidates) if _RETURN_MARK in line.text), None)
        if returned is None:
            return None, tuple(self._without_return_line(candidates))
        parameters = candidates[:returned]
        joined = ", ".join(line.text[line.start + len(_MARK) :].strip() for line in parameters)
        line = candidates[returned]
        return self._signature(line, line.text.replace("...", joined), parameters)

    def _wrong_prefixes(self, lines: list[str]) -> Iterator[CommentProblem]:
        for number, line in enumerate(lines):
            match = _WRONG_PREFIX.search(line)
            if match is not None:
                yield CommentProblem("type-comment-prefix", "prefix", self._place(number, match.start()), True)

    def _without_return_line(self, candidates: list[_CommentLine]) -> Iterator[CommentProblem]:
        """Several comments and no `# type: (...) -> T`: those on lines of code are at fault, if there are any.

        When all stand behind parameters, the line that is missing is the fault, told where the last of them stands.
        """
        if all(line.number < self._header for line in candidates):
            place = self._place(candidates[-1].number, candidates[-1].start)
            yield CommentProblem("malformed-type-comment", "no-return-line", place, True)
            return
        stray = [line for line in candidates if not line.alone]
        for line in stray:
            yield CommentProblem("misplaced-type-comment", "on-code", self._place(line.number, line.start), True)
        if not stray:
            place = self._place(candidates[1].number, candidates[1].start)
            yield CommentProblem("malformed-type-comment", "several-signatures", place, True)

    def _signature(
        self, line: _CommentLine, text: str, parameters: list[_CommentLine]
    ) -> tuple[SignatureComment | None, tuple[CommentProblem, ...]]:
        place = self._place(line.number, line.start)
        if not text.lstrip().startswith(_MARK):
            return None, (CommentProblem("misplaced-type-comment", "on-code", place, False),)
        parts = _split(text)
        if isinstance(parts, str):
            return None, (CommentProblem("malformed-type-comment", parts, place, False),)
        types, returns = parts
        # Only in a comment on one line do columns of the parsed text tell where a type is written.
        shift = None if parameters else line.start - text.index(_MARK)
        pieces = []
        for at, (start, piece, tree) in enumerate(types):
            if shift is not None:
                where = self._place(line.number, start + shift, start + shift + len(piece))
            elif at < len(parameters) and len(types) == len(parameters):
                where = self._place(parameters[at].number, parameters[at].start)
            else:
                where = place
            pieces.append(CommentedType(piece, tree, where))
        result = None
        if returns is not None:
            start, piece, tree = returns
            behind = len(line.text) - len(text) if parameters else shift or 0
            result = CommentedType(piece, tree, self._place(line.number, start + behind, start + behind + len(piece)))
        first = next(iter([*types, *([returns] if returns else [])]), None)
        first_type = None if first is None else len(text[: first[0]].encode("utf-8", "surrogatepass"))
        return SignatureComment(text, place, tuple(pieces), result, first_type), ()

    def _place(self, number: int, start: int, end: int | None = None) -> Range:
        """Columns of aligned line `number` as a place in the chunk, to the line's end unless told."""
        line = self._source.line_text(number)
        base = self._source.starts[number]
        begin = base + len(line[:start].encode("utf-8", "surrogatepass"))
        stop = base + len((line.rstrip() if end is None else line[:end]).encode("utf-8", "surrogatepass"))
        return self._source.range(begin, stop, self._chunk.lines)


_Piece = tuple[int, str, ast.expr]


def _split(text: str) -> tuple[list[_Piece], _Piece | None] | str:
    """The parameter types and the return type of a comment, each with its column; or what is wrong.

    A trailing comma is fine, and so is anything behind the last type.
    """
    tokens = [(match.start(), match.group()) for match in _TOKEN.finditer(text, text.index(_MARK) + len(_MARK))]
    tokens = [(start, token) for start, token in tokens if token.strip()]
    if not tokens or tokens[0][1] != "(":
        return "no-parameter-list"
    types: list[_Piece] = []
    closing: list[str] = []
    begin = tokens[0][0] + 1
    for start, token in tokens:
        if token == "#":
            return "unclosed-parameter-list"
        if token in _CLOSING:
            closing.append(_CLOSING[token])
        elif token in _CLOSING.values() and closing.pop() != token:
            return "not-a-type"
        if not closing or (len(closing) == 1 and token == ","):
            piece = _expression(text, begin, start)
            if piece is not None:
                types.append(piece)
            elif closing or text[begin:start].strip():
                return "not-a-type"
            begin = start + 1
        if not closing:
            return _with_return(text, types, start + 1)
    return "unclosed-parameter-list"


def _with_return(text: str, types: list[_Piece], position: int) -> tuple[list[_Piece], _Piece | None] | str:
    rest = text[position:]
    if not rest.lstrip().startswith("->"):
        return types, None
    begin = position + rest.index("->") + len("->")
    ends = [match.end() for match in re.finditer(r"[^\s#]+", text) if match.start() >= begin] or [len(text)]
    for end in reversed([*ends, *(match.start() for match in re.finditer("#", text) if match.start() > begin)]):
        piece = _expression(text, begin, end)
        if piece is not None:
            return types, piece
    return "not-a-type"


def _expression(text: str, begin: int, end: int) -> _Piece | None:
    stripped = text[begin:end].strip()
    try:
        with without_warnings():
            tree = ast.parse(stripped, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return begin + len(text[begin:end]) - len(text[begin:end].lstrip()), stripped, tree
