"""The format for people: the source with carets, why it is refused, what else is involved, and the fix."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

import click

from ts_lsp.cli.results import FileResult, Found, FoundFix, FoundRelated, Outcome, Span
from ts_lsp.rules.registry import reason
from ts_lsp.text import apply_edits

_COLOUR = {"error": "red", "warning": "yellow", "information": "blue", "hint": "cyan"}
_LONGEST_EXCERPT = 6


def full(outcome: Outcome) -> str:
    """The outcome as text with ANSI colours; the printer drops them where stdout is no terminal."""
    texts = {file.path: file.text for file in outcome.files}
    return "".join(f"{_finding(found, file, texts)}\n" for file in outcome.files for found in file.findings)


def _finding(found: Found, file: FileResult, texts: Mapping[str, str]) -> str:
    lines = _lines(file.text)
    margin = len(str(found.span.end_line))
    parts = [_headline(found)]
    if lines:
        parts += _excerpt(lines, found.span, margin, _COLOUR[found.severity])
    why = reason(found.code)
    if why:
        parts += _note(margin, "why", why)
    for related in found.related:
        parts += _related(related, texts, margin)
    for fix in found.fixes[:1]:
        parts += _fix(fix, file, margin)
    return "\n".join(parts) + "\n"


def _headline(found: Found) -> str:
    place = click.style(f"{found.path}:{found.span.line}:{found.span.column}", bold=True)
    label = click.style(f"{found.severity}[{found.code}]", fg=_COLOUR[found.severity], bold=True)
    return f"{place}: {label} {click.style(' '.join(found.message.split()), bold=True)}"


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _excerpt(lines: list[str], span: Span, margin: int, colour: str) -> list[str]:
    """The lines of the span, each with carets below what it marks; the middle of a long one is left out."""
    shown = [_gutter("", margin)]
    last = span.end_line - (1 if span.end_column == 1 and span.end_line > span.line else 0)
    numbers = range(span.line, min(last, len(lines)) + 1)
    for number in numbers:
        if len(numbers) > _LONGEST_EXCERPT and span.line + 2 < number < last:
            if number == span.line + 3:
                shown.append(_gutter("...", margin))
            continue
        line = lines[number - 1]
        start = span.column - 1 if number == span.line else len(line) - len(line.lstrip())
        end = span.end_column - 1 if number == span.end_line else len(line.rstrip())
        shown.append(f"{_gutter(str(number), margin)} {line.expandtabs(4)}".rstrip())
        if line.strip():
            carets = "^" * max(1, _width(line[:end]) - _width(line[:start]))
            shown.append(
                f"{_gutter('', margin)} {' ' * _width(line[:start])}{click.style(carets, fg=colour, bold=True)}"
            )
    return shown


def _width(text: str) -> int:
    """Columns that the text takes on a terminal."""
    return sum(_character_width(character) for character in text.expandtabs(4))


def _character_width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _gutter(label: str, margin: int) -> str:
    return click.style(f"{label:>{margin}} |", fg="blue")


def _note(margin: int, label: str, text: str) -> list[str]:
    """A labelled paragraph below the excerpt, wrapped to the usual width of a page."""
    import textwrap

    hanging = " " * (margin + 3)
    body = textwrap.fill(
        " ".join(text.split()),
        width=110,
        initial_indent="",
        subsequent_indent=f"{hanging}{' ' * (len(label) + 2)}",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [f"{' ' * margin} = {click.style(label, bold=True)}: {body}"]


def _related(related: FoundRelated, texts: Mapping[str, str], margin: int) -> list[str]:
    where = f"{related.path}:{related.span.line}:{related.span.column}"
    note = _note(margin, "see", f"{where}: {related.message}")
    lines = _lines(texts.get(related.path, ""))
    if related.span.line <= len(lines) and lines[related.span.line - 1].strip():
        note.append(f"{' ' * margin}   {lines[related.span.line - 1].strip()}")
    return note


def _fix(fix: FoundFix, file: FileResult, margin: int) -> list[str]:
    """The fix's title and the lines that it changes."""
    label = "fix" if fix.applicability == "safe" else "fix (unsafe)"
    shown = _note(margin, label, fix.title)
    own_edits = [each.edit for each in dict.fromkeys(fix.edits) if each.path == file.path]
    for sign, line in _changed_lines(file.text, apply_edits(file.text, own_edits)):
        shown.append(f"{' ' * margin}   {click.style(f'{sign} {line}', fg='red' if sign == '-' else 'green')}")
    return shown


def _changed_lines(before: str, after: str) -> list[tuple[str, str]]:
    import difflib

    compared = difflib.unified_diff(_lines(before), _lines(after), lineterm="", n=0)
    return [(line[0], line[1:]) for line in list(compared)[2:] if line[:1] in "+-"]
