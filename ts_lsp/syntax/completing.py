"""Half-typed text made whole: a name is put where the cursor stands, and what is open there is closed.

Owns `complete_text`. Invariant: never raises; every line stays on its number, and nothing before the cursor's word
changes its place.
"""

from __future__ import annotations

import ast
import re

from ts_lsp.records import dataclass
from ts_lsp.syntax.quiet import without_warnings
from ts_lsp.syntax.recovery import parse_tolerantly
from ts_lsp.syntax.split import logical_lines
from ts_lsp.syntax.tree import Chunk

PLACEHOLDER = "_name_at_the_cursor_"
_WORD_BEFORE = re.compile(r"\w*\Z")
_WORD_BEHIND = re.compile(r"\w*")
_HEADER = re.compile(r"[ \t\f]*(?:if|elif|while|for|with|def|class)\b")
_PIECE = re.compile(
    r'"""(?:\\[\s\S]|(?!""")[^\\])*(?:"""|\Z)'
    r"|'''(?:\\[\s\S]|(?!''')[^\\])*(?:'''|\Z)"
    r'|"(?:\\[\s\S]|[^"\\\r\n])*(?:"|\Z)'
    r"|'(?:\\[\s\S]|[^'\\\r\n])*(?:'|\Z)"
    r"|#[^\r\n]*|[(\[{}\])]"
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Typed:
    """What stands before a place in its statement.

    `start` and `end` are the word around the place, as offsets; `statement` is the statement's text up to the word.
    `string` is where the string starts that the place is in, or -1; `open` are the brackets that are not closed.
    """

    start: int
    end: int
    statement: str
    open: str = ""
    string: int = -1
    in_comment: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class CompletedText:
    """A chunk whose text was completed, and the nodes from the placeholder's own to the module."""

    chunk: Chunk
    nodes: tuple[ast.AST, ...]


def typed_before(text: str, offset: int) -> Typed:
    """What stands before `offset`."""
    word = _WORD_BEFORE.search(text, 0, offset)
    start = word.start() if word is not None else offset
    behind = _WORD_BEHIND.match(text, offset)
    end = behind.end() if behind is not None else offset
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    statements = logical_lines(text[:start])
    begin = statements[-1].start if statements and statements[-1].end > line else line
    brackets: list[str] = []
    for piece in _PIECE.finditer(text, begin, start):
        found = piece.group()
        if found in _CLOSING:
            brackets.append(found)
        elif found in ")]}":
            if brackets:
                brackets.pop()
        elif piece.end() == start and not _is_closed(found):
            string = -1 if found[0] == "#" else piece.start()
            return Typed(start, end, text[begin:start], "".join(brackets), string, found[0] == "#")
    return Typed(start, end, text[begin:start], "".join(brackets))


def _is_closed(piece: str) -> bool:
    """Whether a string ends before the place that touches it; a comment goes on to the line's end."""
    if piece[0] == "#":
        return False
    quote = piece[:3] if piece[:3] in ('"""', "'''") else piece[0]
    return len(piece) >= 2 * len(quote) and piece.endswith(quote)


def complete_text(text: str, typed: Typed, word: str = PLACEHOLDER) -> CompletedText | None:
    """The chunk with `word` in the place of the typed one; None where nothing makes that parse.

    Without a word the nodes are those of the module alone.
    """
    start, end = typed.start, typed.end
    if typed.string >= 0:
        quote = text[typed.string]
        start, end = typed.string, end + (text[end : end + 1] == quote)
    whole = text[:start] + word + text[end:]
    found = _parsed(whole, word)
    if found is not None:
        return found
    line_end = re.compile(r"[\r\n]|\Z").search(text, end)
    rest = text[line_end.start() if line_end is not None else len(text) :]
    closed = text[:start] + word + "".join(_CLOSING[each] for each in reversed(typed.open)) + _colon(typed, rest)
    found = _parsed(closed + rest, word)
    if found is None and word and typed.open.endswith("("):  # behind keywords only a keyword can stand
        keyword = f"{word}={word}"
        behind = text[end:]
        found = _parsed(text[:start] + keyword + behind, word)
        found = found or _parsed(text[:start] + keyword + closed[start + len(word) :] + rest, word)
    return found or _recovered(closed + rest, word)


def _colon(typed: Typed, rest: str) -> str:
    """What ends a header whose block may be missing."""
    if not _HEADER.match(typed.statement):
        return ""
    below = next((line for line in rest.splitlines() if line.strip()), "")
    depth = len(typed.statement) - len(typed.statement.lstrip())
    return ":" if len(below) - len(below.lstrip()) > depth else ": pass"


def _parsed(text: str, word: str) -> CompletedText | None:
    try:
        with without_warnings():
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _with_nodes(Chunk(text, tree), word)


def _recovered(text: str, word: str) -> CompletedText | None:
    with without_warnings():
        tree, problems = parse_tolerantly(text)
    return _with_nodes(Chunk(text, tree, problems), word)


def _with_nodes(chunk: Chunk, word: str) -> CompletedText | None:
    if not word:
        return CompletedText(chunk, (chunk.tree,))
    nodes = _way_to(chunk.tree, word)
    return CompletedText(chunk, nodes) if nodes else None


def _way_to(node: ast.AST, word: str) -> tuple[ast.AST, ...]:
    """The nodes from that of a word outwards; empty where it is not below `node`."""
    names = (getattr(node, "id", None), getattr(node, "attr", None), getattr(node, "arg", None))
    if word in names and not isinstance(node, ast.arguments):
        return (node,)
    for child in ast.iter_child_nodes(node):
        found = _way_to(child, word)
        if found:
            return (*found, node)
    return ()
