"""Where statements begin, found in the text alone.

Owns the fast scan that cuts a file into top-level pieces and a piece into logical lines, and the scan for comments.
Invariant: linear in the text, never raises, and the pieces joined are the text. A statement keyword that no bracketed
expression can hold closes what is open, so that an unclosed bracket does not swallow the definitions behind it. Then
the lines before it that begin with a name at column 0 (in a block: no deeper than the statement that lacks its
bracket), and around which nothing was closed, are statements, too, and all those within as many brackets behind them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ts_lsp.records import dataclass

_END = r"(?:\r\n|\r|\n)"
_STRING = (
    r'"""[^"\\]*(?:(?:\\[\s\S]|"(?!""))[^"\\]*)*"""'
    r"|'''[^'\\]*(?:(?:\\[\s\S]|'(?!''))[^'\\]*)*'''"
    r'|"""|' + r"'''"
    r'|"[^"\\\r\n]*(?:\\(?:\r\n|[\s\S])[^"\\\r\n]*)*"?'
    r"|'[^'\\\r\n]*(?:\\(?:\r\n|[\s\S])[^'\\\r\n]*)*'?"
)
_COMMENT = r"#[^\r\n]*"
_BALANCED = r"[(\[{][^()\[\]{}\"'#\\\r\n]*[)\]}]"
_JOINED = r"\\" + _END

# The scan visits every bracket and string but of the line ends only those before a character at column 0.
_TOP_LEVEL_TOKEN = re.compile(
    rf"{_STRING}|{_COMMENT}|{_BALANCED}|{_JOINED}"
    rf"|(?P<open>[(\[{{])|(?P<close>[)\]}}])|(?P<line>{_END})(?=\f*[^\s#)\]}}])"
)
_ANY_TOKEN = re.compile(
    rf"{_STRING}|(?P<comment>{_COMMENT})|{_BALANCED}|{_JOINED}"
    rf"|(?P<open>[(\[{{])|(?P<close>[)\]}}])|(?P<line>{_END})"
)
_COMMENT_TOKEN = re.compile(rf"{_STRING}|(?P<comment>{_COMMENT})")

_STATEMENT_ONLY = re.compile(
    r"[ \t\f]*(?:(?:def|class|import|with|while|try|return|raise|assert|del|pass|break|continue|global|nonlocal"
    r"|except|finally|elif|async[ \t]+(?:def|with))\b|from[ \t]+[.\w]+[ \t]+import\b|@[^\W\d])"
)
_CONTINUES_BLOCK = re.compile(r"[ \t\f]*(?:else|elif|except|finally)\b")
_DECORATED = re.compile(r"[ \t\f]*(?:@|(?:def|class|async)\b)")
_NO_SPACE = re.compile(r"[^ \t\f\r\n]")
_TRIVIAL = re.compile(r"[ \t\f]*\Z|#")


def statement_starts(text: str, begin: int = 0) -> Iterator[int]:
    """Where the top-level statements behind `begin` start, which is the start of the text or of one of them.

    Nothing before a start has a say in what comes after it.
    """
    depth, before = 0, begin
    # Lines in brackets that may never be closed: in how many, and where they start.
    inside: list[tuple[int, int]] = []
    for token in _TOP_LEVEL_TOKEN.finditer(text, begin):
        kind = token.lastgroup
        if kind is None:
            continue
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
            while inside and inside[-1][0] > depth:
                inside.pop()
        else:
            start = token.end()
            if depth and not _STATEMENT_ONLY.match(text, start):
                if text[start].isidentifier() or (inside and inside[-1][0] == depth):
                    inside.append((depth, start))
                continue
            inside.append((0, start))
            yield from _that_begin(text, before, inside)
            depth, before, inside = 0, start, []
    yield from _that_begin(text, before, inside)


def _that_begin(text: str, before: int, lines: list[tuple[int, int]]) -> Iterator[int]:
    """The lines that begin a statement, and do not go on with the one that starts `before` them."""
    for _, line in lines:
        continues = _DECORATED if text.startswith("@", before) else _CONTINUES_BLOCK
        if not continues.match(text, line):
            yield line
        before = line


def leaves_open(text: str) -> bool:
    """Whether a bracket of the text is not closed, so that what follows decides where its statement ends."""
    depth = 0
    for token in _TOP_LEVEL_TOKEN.finditer(text):
        depth = max(0, depth + (token.lastgroup == "open") - (token.lastgroup == "close"))
    return depth > 0


def cut(text: str, begin: int, end: int) -> Iterator[str]:
    """The statement that starts at `begin`, and the blank lines and column-0 comments between it and `end`."""
    middle = _statement_end(text, begin, end)
    if begin < middle:
        yield text[begin:middle]
    if middle < end:
        yield text[middle:end]


def _statement_end(text: str, begin: int, end: int) -> int:
    """Where the blank lines and column-0 comments that close `text[begin:end]` start."""
    last = end
    while last > begin:
        stop = last - 2 if text.startswith("\r\n", last - 2) and last - 2 >= begin else last
        if stop == last and text[last - 1] in "\r\n":
            stop = last - 1
        line = max(text.rfind("\n", begin, stop), text.rfind("\r", begin, stop), begin - 1) + 1
        if not _TRIVIAL.match(text[line:stop]):
            # A blank line that a backslash asks for belongs to the statement.
            return end if last != end and text[line:stop].endswith("\\") else last
        last = line
    return begin


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """One statement's line, or a block's header: code-point offsets of its text, its code, and how deep it stands.

    `unclosed` is the offset of its innermost bracket that nothing closes, or -1.
    """

    start: int
    end: int
    code_start: int
    code_end: int
    indentation: int
    unclosed: int


@dataclass(frozen=True, slots=True)
class _LineEnd:
    """Where a line ends, its code ends, how many brackets are open there, and the offset of the innermost or -1."""

    end: int
    code_end: int
    depth: int
    bracket: int


def logical_lines(text: str) -> list[LogicalLine]:
    """The logical lines of `text` that hold code."""
    result: list[LogicalLine] = []
    start = code_end = position = 0
    brackets: list[int] = []
    # Ends of lines in brackets that may never be closed: what follows each may be a statement.
    inside: list[_LineEnd] = []
    for token in _ANY_TOKEN.finditer(text):
        if text[position : token.start()].strip():
            code_end = position + len(text[position : token.start()].rstrip())
        position = token.end()
        kind = token.lastgroup
        if kind == "line":
            here = _LineEnd(position, code_end, len(brackets), brackets[-1] if brackets else -1)
            if not brackets or _STATEMENT_ONLY.match(text, position):
                result += _lines_between(text, start, [*inside, here])
                start = position
                brackets.clear()
                inside.clear()
            elif (inside and inside[-1].depth == here.depth) or _begins_beside(
                text, position, inside[-1].end if inside else start
            ):
                inside.append(here)
        elif kind != "comment":
            code_end = position
            if kind == "open":
                brackets.append(token.start())
            elif kind == "close" and brackets:
                brackets.pop()
                while inside and inside[-1].depth > len(brackets):
                    inside.pop()
    if text[position:].strip():
        code_end = position + len(text[position:].rstrip())
    here = _LineEnd(len(text), code_end, len(brackets), brackets[-1] if brackets else -1)
    return result + list(_lines_between(text, start, [*inside, here]))


def _lines_between(text: str, start: int, ends: list[_LineEnd]) -> Iterator[LogicalLine]:
    """The logical lines from `start` that end so, but for those that hold no code."""
    for each in ends:
        code_start = _indented(text, start, each.code_end)
        if code_start < each.code_end:
            unclosed = each.bracket if each.bracket >= start else -1
            yield LogicalLine(start, each.end, code_start, each.code_end, _depth(text, start, code_start), unclosed)
        start = each.end


def _begins_beside(text: str, line: int, other: int) -> bool:
    """Whether a name begins the line at `line`, and stands no deeper than what begins at `other`."""
    begin, beside = _indented(text, line, len(text)), _indented(text, other, len(text))
    return text[begin : begin + 1].isidentifier() and _depth(text, line, begin) <= _depth(text, other, beside)


def _indented(text: str, start: int, end: int) -> int:
    """The offset of the first character between `start` and `end` that is no white space, or the end."""
    found = _NO_SPACE.search(text, start, end)
    return found.start() if found is not None else end


def _depth(text: str, start: int, code_start: int) -> int:
    return len(text[start:code_start].rpartition("\f")[2].expandtabs(8))


def continues_block(text: str, position: int) -> bool:
    """Whether the line at `position` is an `else`, `elif`, `except` or `finally`."""
    return _CONTINUES_BLOCK.match(text, position) is not None


def scan_comments(text: str) -> Iterator[tuple[int, str]]:
    """Every comment of `text` with its code-point offset; a `#` in a string is none."""
    if "#" not in text:
        return
    for token in _COMMENT_TOKEN.finditer(text):
        if token.lastgroup is not None:
            yield token.start(), token.group()
