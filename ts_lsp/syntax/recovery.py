"""What can be saved of a text that Python does not parse.

Owns recovery: the statement at fault is turned into a comment and the rest parsed again, so that every well-formed
statement keeps its tree at its place. Where a statement was lost a `pass` stands in for it.
Invariant: never raises; at least one problem comes with a text that does not parse.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right

from ts_lsp.syntax.split import LogicalLine, continues_block, logical_lines
from ts_lsp.syntax.tree import SyntaxProblem
from ts_lsp.syntax.walking import walk_blocks
from ts_lsp.text import Lines, Range

BYTE_ORDER_MARK = "\ufeff"
_FOREIGN = re.compile("[\0\ud800-\udfff]")
_LINE_START = re.compile(r"(?:\A|(?<=[\r\n]))[^\r\n]")
_PLACEHOLDER = "0"
_DECORATED = ("def ", "class ", "async ", _PLACEHOLDER)
_FORBIDDEN = "Python allows no such character here"
_TOO_DEEP = "nested too deeply for Python"
# No shorter statement can overflow Python's parser.
_LEAST_DEEP = 100
# Each round parses the text again: long texts get fewer rounds.
_MOST_ROUNDS = 40
_LINES_OF_ALL_ROUNDS = 40_000
_NEVER_CLOSED = "this bracket is never closed"
_MESSAGES = (
    ("was never closed", _NEVER_CLOSED),
    ("unmatched", "this bracket closes nothing"),
    ("does not match opening", "this bracket does not fit the one it closes"),
    ("unterminated", "this string is never closed"),
    ("expected an indented block", "an indented block is missing here"),
    ("unexpected indent", "this line is indented for no reason"),
    ("unindent", "this line's indentation fits no block around it"),
    ("tabs and spaces", "tabs and spaces are mixed in this indentation"),
    ("too many nested", _TOO_DEEP),
    ("too many levels", _TOO_DEEP),
    ("expected ':'", "a colon is missing here"),
    ("invalid character", _FORBIDDEN),
    ("non-printable", _FORBIDDEN),
    ("cannot assign", "nothing can be assigned to this"),
    ("cannot delete", "this cannot be deleted"),
    ("outside loop", "outside a loop"),
    ("not properly in loop", "outside a loop"),
    ("outside async function", "outside an async function"),
    ("outside function", "outside a function"),
    ("duplicate argument", "two parameters have one name"),
    ("perhaps you forgot a comma", "invalid syntax: is a comma missing?"),
)


def parse_tolerantly(text: str, refusal: SyntaxError | None = None) -> tuple[ast.Module, tuple[SyntaxProblem, ...]]:
    """The tree of what is well formed in `text`, and the places that are not; `refusal` is Python's, where known."""
    lines = Lines(text)
    problems = [SyntaxProblem(_character(lines, match.start()), _FORBIDDEN) for match in _FOREIGN.finditer(text)]
    source = _FOREIGN.sub(lambda match: " " if match.group() == "\0" else "\ufffd", text)
    marked = source.startswith(BYTE_ORDER_MARK)
    first = refusal if source is text and not marked else None
    tree, found = _Recovery(source[1:] if marked else source, lines, int(marked)).run(first)
    if marked:
        _shift_first_line(tree, len(BYTE_ORDER_MARK.encode()))
    return tree, tuple(problems + found)


def _character(lines: Lines, offset: int) -> Range:
    line, column = lines.position(offset)
    return Range(line, column, line, column + 1)


def problem_of(error: SyntaxError, lines: Lines, shift: int = 0) -> SyntaxProblem:
    """What Python found in the text of `lines`, of which it was given all but `shift` characters in front."""
    line = (error.lineno or 1) - 1
    column = max(0, (error.offset or 1) - 1) + (shift if line == 0 else 0)
    length = 1
    if error.end_lineno == error.lineno and error.end_offset and error.offset:
        length = max(1, error.end_offset - error.offset)
    return _problem_at(lines, line, column, length, _message_of(error))


def _problem_at(lines: Lines, line: int, column: int, length: int, message: str) -> SyntaxProblem:
    """A problem on one line, `length` code points long at most; it covers a character where there is one."""
    line = min(line, len(lines) - 1)
    text = lines.line(line)
    column = min(column, max(0, len(text) - 1))
    return SyntaxProblem(Range(line, column, line, min(len(text), column + length)), message)


class _Recovery:
    """One text on its way to being parsable. `shift` is what its first line lacks on the left.

    Every repair keeps the line of everything, and the column of everything that is kept.
    """

    def __init__(self, source: str, lines: Lines, shift: int) -> None:
        self._source = source
        self._lines = lines
        self._shift = shift
        self._placeholders: set[tuple[int, int]] = set()
        self._dropped_lines: set[int] = set()
        self._problems: list[SyntaxProblem] = []

    def run(self, refusal: SyntaxError | None) -> tuple[ast.Module, list[SyntaxProblem]]:
        """The tree and the problems. `refusal` is what Python says of the text as it is, where that is known."""
        rounds = min(_MOST_ROUNDS, 2 + _LINES_OF_ALL_ROUNDS // len(self._lines))
        for _ in range(rounds):
            outcome = refusal or self._parse()
            refusal = None
            if isinstance(outcome, ast.Module):
                self._put_passes(outcome)
                return outcome, self._problems
            self._scan()
            if not (self._repair(outcome) if isinstance(outcome, SyntaxError) else self._drop_the_deepest()):
                break
        if not self._problems:
            self._report(0, 0, len(self._source), "Python cannot read this")
        return ast.Module(body=[], type_ignores=[]), self._problems

    def _parse(self) -> ast.Module | SyntaxError | None:
        """The tree, or why there is none; None where the text is too much for Python."""
        try:
            return ast.parse(self._source)
        except SyntaxError as error:
            return error
        except (ValueError, RecursionError, MemoryError):
            return None

    def _scan(self) -> None:
        self._index = Lines(self._source)
        self._statements = logical_lines(self._source)
        self._starts = [statement.start for statement in self._statements]

    def _repair(self, error: SyntaxError) -> bool:
        """Take away what `error` complains of; False if nothing was left to take."""
        if not self._statements:
            return False
        line = (error.lineno or 1) - 1
        offset = self._index.offset(line, len(self._index.line(line)))
        number = max(0, bisect_right(self._starts, offset) - 1)
        if "expected an indented block" in error.msg:
            header = self._header_before(number, line)
            if header is not None:
                self._report_statement(header, _message_of(error))
                self._fill_block(self._statements[header])
                return True
        culprit = self._left_open_before(number)
        if culprit != number:
            number = culprit
            self._report(*self._index.position(self._statements[number].unclosed), 1, _NEVER_CLOSED)
        elif not self._follows_a_gap(number):
            self._report_error(error)
        self._drop(number, placeholder=not isinstance(error, IndentationError))
        return True

    def _left_open_before(self, number: int) -> int:
        """The statement whose bracket nothing closes, where Python takes this one for what stands in it."""
        for candidate in range(number, -1, -1):
            if self._statements[candidate].unclosed >= 0:
                return candidate
        return number

    def _follows_a_gap(self, number: int) -> bool:
        """Whether what went before this statement was dropped, so that its error may be only an echo."""
        line = self._line_of(number)
        before = self._line_of(number - 1) if number else 0
        return any(before <= dropped < line for dropped in self._dropped_lines)

    def _line_of(self, number: int) -> int:
        return self._index.position(self._statements[number].code_start)[0]

    def _header_before(self, number: int, error_line: int) -> int | None:
        """The header that lacks its block: the statement before the one at fault, or the text's last one."""
        candidates = (number - 1, number) if self._line_of(number) >= error_line else (number, number - 1)
        for candidate in candidates:
            if candidate >= 0 and self._source[self._statements[candidate].code_end - 1] == ":":
                return candidate
        return None

    def _fill_block(self, header: LogicalLine) -> None:
        end = header.code_end
        line, column = self._index.position(end)
        self._placeholders.add((line, self._index.byte_column(line, column)))
        rest = end + 1 if self._source[end : end + 1] in (" ", "\t") else end
        self._source = self._source[:end] + _PLACEHOLDER + self._source[rest:]

    def _drop(self, number: int, placeholder: bool) -> None:
        """Turn a statement into a comment, with its block, its other branches and a definition's decorators."""
        statements = self._statements
        depth = statements[number].indentation
        first, end = number, number + 1
        while end < len(statements) and (
            statements[end].indentation > depth
            or (statements[end].indentation == depth and continues_block(self._source, statements[end].start))
        ):
            end += 1
        if self._source.startswith(_DECORATED, statements[number].code_start):
            while (
                first > 0
                and statements[first - 1].indentation == depth
                and self._source.startswith("@", statements[first - 1].code_start)
            ):
                first -= 1
        start, stop = statements[first].code_start, statements[end - 1].code_end
        text = _as_comment(self._source[start:stop])
        if placeholder:
            line, column = self._index.position(start)
            self._placeholders.add((line, self._index.byte_column(line, column)))
            text = _PLACEHOLDER + _as_comment(self._source[start + 1 : stop])
        self._dropped_lines.update(range(self._line_of(first), self._line_of(end - 1) + 1))
        self._source = self._source[:start] + text + self._source[stop:]

    def _drop_the_deepest(self) -> bool:
        """Drop the first statement that Python's parser cannot hold; False if it is none of them alone."""
        for number, statement in enumerate(self._statements):
            if statement.code_end - statement.code_start < _LEAST_DEEP:
                continue
            try:
                ast.parse(self._source[statement.code_start : statement.code_end])
            except SyntaxError:
                continue
            except (ValueError, RecursionError, MemoryError):
                self._report_statement(number, _TOO_DEEP)
                self._drop(number, placeholder=True)
                return True
        self._report(0, 0, len(self._source), _TOO_DEEP)
        return False

    def _put_passes(self, tree: ast.Module) -> None:
        """Replace the placeholders by `pass`."""
        if not self._placeholders:
            return
        for node in walk_blocks(tree):
            for field in ("body", "orelse", "finalbody"):
                block = getattr(node, field, None)
                if not isinstance(block, list):
                    continue
                for at, statement in enumerate(block):
                    if (
                        isinstance(statement, ast.Expr)
                        and (statement.lineno - 1, statement.col_offset) in self._placeholders
                    ):
                        block[at] = ast.copy_location(ast.Pass(), statement)

    def _report_statement(self, number: int, message: str) -> None:
        statement = self._statements[number]
        self._report(*self._index.position(statement.code_start), statement.code_end - statement.code_start, message)

    def _report_error(self, error: SyntaxError) -> None:
        self._problems.append(problem_of(error, self._lines, self._shift))

    def _report(self, line: int, column: int, length: int, message: str) -> None:
        column += self._shift if line == 0 else 0
        self._problems.append(_problem_at(self._lines, line, column, length, message))


def _as_comment(text: str) -> str:
    """`text` with every line of it a comment, as long as before."""
    return _LINE_START.sub("#", text)


def _message_of(error: SyntaxError) -> str:
    """What is wrong, in our own words."""
    return next((message for sign, message in _MESSAGES if sign in error.msg.lower()), "invalid syntax")


def _shift_first_line(tree: ast.Module, amount: int) -> None:
    for node in ast.walk(tree):
        if getattr(node, "lineno", 0) == 1:
            node.col_offset += amount  # type: ignore[attr-defined]
        if getattr(node, "end_lineno", 0) == 1:
            node.end_col_offset += amount  # type: ignore[attr-defined]
