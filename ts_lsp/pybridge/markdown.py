"""reStructuredText as docstrings of torch have it, as Markdown.

Owns `as_markdown`. Invariant: what is not known passes as it is; nothing raises.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

_ROLE = re.compile(r":[\w:+-]+:`(?:~?\.?)([^`<]*?)(?:\s*<([^`>]*)>)?`")
_LINK = re.compile(r"`([^`<]+?)\s*<([^`>]+)>`_{1,2}")
_LITERAL = re.compile(r"``([^`]+)``")
_REFERENCE = re.compile(r"(?<!`)`([^`\n]+)`_\b|\.\. _[^\n]*:\s*\n?")
_DIRECTIVE = re.compile(r"(\s*)\.\. ([\w:-]+)::\s*(.*)")
_SECTION = re.compile(
    r"(Args|Arguments|Keyword args|Keyword Arguments|Keyword arguments|Returns|Return|Shape|Examples?|"
    r"Note|Raises|Attributes|Inputs|Outputs|Variables)\s*(::?)\s*"
)
_ITEM = re.compile(r"(\s{2,})(\*{0,2}\w[\w, *]*?)(\s*\([^\n]*?\))?:(?:\s+(.*))?")
_NOTES = {"note": "Note", "warning": "Warning", "deprecated": "Deprecated", "versionadded": "Since", "tip": "Tip"}


def as_markdown(text: str) -> str:
    """A docstring as Markdown: its signature and examples as Python, its notes as paragraphs."""
    lines = inspect.cleandoc(text).split("\n")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(_written(lines))).strip()


def _written(lines: list[str]) -> Iterator[str]:
    number = 0
    while number < len(lines):
        line = lines[number]
        directive = _DIRECTIVE.fullmatch(line)
        if directive is not None:
            number, block = _block(lines, number + 1, len(directive[1]))
            yield from _directive(directive[2], directive[3], block)
            continue
        if line.lstrip().startswith(">>>"):
            end = next((each for each in range(number, len(lines)) if not lines[each].strip()), len(lines))
            yield from _fenced(lines[number:end])
            number = end
            continue
        section = _SECTION.fullmatch(line)
        if section is not None:
            yield from ("", f"**{section[1]}**", "")
        elif line.endswith("::") and line.strip() != "::":
            yield _inline(line[:-1])
        elif number == 0 and "->" in line and "(" in line:
            yield from _fenced([line])
        else:
            item = _ITEM.fullmatch(line)
            is_item = item is not None and len(item[1]) <= 4
            kind = (item[3] or "") if item is not None else ""
            yield (
                f"- `{item[2]}`{_inline(kind)}: {_inline(item[4] or '')}".rstrip()
                if is_item and item
                else _inline(line.strip())
            )
        number += 1


def _block(lines: list[str], number: int, depth: int) -> tuple[int, list[str]]:
    """The lines that belong to a directive, and the number of the line behind them."""
    start = number
    while number < len(lines) and (not lines[number].strip() or _depth(lines[number]) > depth):
        number += 1
    return number, lines[start:number]


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _directive(name: str, argument: str, block: list[str]) -> Iterator[str]:
    body = inspect.cleandoc("\n".join(["", *block])).split("\n")
    if name == "math":
        yield from ("", "```latex", *([argument] if argument else []), *body, "```", "")
    elif name in ("code-block", "code", "sourcecode"):
        yield from ("", "```python", *body, "```", "")
    elif name in _NOTES:
        yield from ("", f"**{_NOTES[name]}**: {_inline(argument)}".rstrip(), *_written(body), "")


def _fenced(lines: list[str]) -> Iterator[str]:
    yield from ("", "```python", *inspect.cleandoc("\n".join(["", *lines])).split("\n"), "```", "")


def _inline(text: str) -> str:
    text = _LINK.sub(r"[\1](\2)", text)
    text = _ROLE.sub(lambda match: f"`{match[1].strip() or match[2]}`", text)
    text = _LITERAL.sub(r"`\1`", text)
    return _REFERENCE.sub(lambda match: match[1] or "", text)
