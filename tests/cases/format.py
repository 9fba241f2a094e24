"""The case format: Markdown suites of TorchScript programs whose assertions are comments.

Owns `Section` (one program to judge) and `read_sections`. Invariant: the text of a section's files is exactly what
both the twin and the compiler get, and every line of it knows which line of the Markdown file it came from.
The format itself is described in README.md beside this file.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MAIN = "main.py"
SEVERITIES = ("error", "warning", "information", "hint")

_FENCE = re.compile(r"^```(\w*)[ \t]*(.*)$")
_HEADING = re.compile(r"^(#{1,6}) (.+)$")
_FILE_NAME = re.compile(r"^`([\w./-]+)`:$")
_FIXED = re.compile(r'^fixed="([\w-]+)"$')
_FINDING = re.compile(r'(error|warning|information|hint): \[([\w-]+)\]((?: \((?:no place|later)\))*)(?: "([^"]*)")?')
_TRAILING = re.compile(r"#(?: ~)? (?=(?:error|warning|information|hint): \[)")
_CARETS = re.compile(r"^(\s*# *)(\^+) (.+)$")
_SCHEMA = re.compile(r"# schema: (.+)$")
_LOOSE = re.compile(r"#\s*(?:\^+\s*)?(?:error|warning|information|hint|revealed|schema|dropped)\s*:?\s*\[?")
_EDITOR = re.compile(r"([a-z][a-z-]*):(?: (.*))?")
_SETTINGS: Mapping[str, type] = {"python": str, "scope": str, "pending": str, "half-typed": bool, "recomputed": list}
EDITOR_FEATURES = frozenset(
    [
        "action",
        "call-hierarchy",
        "code-lens",
        "complete",
        "definition",
        "faded",
        "folding",
        "highlight",
        "hover",
        "implementation",
        "inlay",
        "link",
        "references",
        "rename",
        "selection",
        "signature-help",
        "symbol",
        "token",
        "type-definition",
    ]
)
"""What an editor may ask at a place; `tests/ide` holds the answers against the markers of these names."""


def compiler_wording() -> dict[str, list[str]]:
    """By rule code, regular expressions for the first line of the compiler's messages."""
    wording: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("wording.toml").read_text(encoding="utf-8"))
    return wording


class FormatError(Exception):
    """A case file that does not follow the format."""


@dataclass(frozen=True)
class Marker:
    """One assertion. `line` is the 0-based line it speaks of; `columns` are set where carets underline a place."""

    file: str
    line: int
    kind: str  # a severity, "revealed", "dropped", "schema" or "editor" (`code` is then the feature)
    code: str = ""
    text: str = ""
    placed: bool = True  # False: the compiler gives no listing
    later: bool = False  # True: the compiler stops at an earlier error and never says this one
    columns: tuple[int, int] | None = None


@dataclass(frozen=True)
class Fixed:
    """A corrected version of some definitions of the section: the whole main file with them replaced."""

    code: str
    text: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Section:
    """One program: its files, what is asserted about them, and where its lines stand in the Markdown file."""

    path: Path
    title: str
    files: Mapping[str, str]
    markers: tuple[Marker, ...]
    fixed: tuple[Fixed, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    origins: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # per file: 1-based Markdown line of each line
    steps: tuple[str, ...] = ()  # the main file after an edit, each from the one before it

    @property
    def scope(self) -> str:
        return str(self.settings.get("scope", "scripted"))

    @property
    def is_half_typed(self) -> bool:
        """Whether the program does not parse: only editors see it, and no compiler could judge it."""
        return bool(self.settings.get("half-typed", False))

    @property
    def pending(self) -> str | None:
        """The part of the compiler that the twin lacks and the section needs; None where the twin is held to it."""
        found = self.settings.get("pending")
        return None if found is None else str(found)

    @property
    def runs_here(self) -> bool:
        """Whether this Python is one that the section speaks of (setting `python = ">=3.12"` or `"<3.12"`)."""
        wanted = self.settings.get("python")
        if wanted is None:
            return True
        match = re.fullmatch(r"(>=|<)(\d+)\.(\d+)", str(wanted))
        if match is None:
            raise FormatError(f"{self.path}: python = {wanted!r} is not understood")
        version = (int(match[2]), int(match[3]))
        return sys.version_info[:2] >= version if match[1] == ">=" else sys.version_info[:2] < version

    def where(self, file: str, line: int) -> str:
        """The place in the Markdown file of a 0-based line of one of the files."""
        origins = self.origins.get(file, ())
        return (
            f"{self.path.name}:{origins[line]}" if 0 <= line < len(origins) else f"{self.path.name}:{file}:{line + 1}"
        )


@dataclass
class _Block:
    language: str
    info: str
    file: str
    first_line: int  # 1-based, of the first line inside the fence
    lines: list[str]


@dataclass
class _Heading:
    level: int
    title: str
    blocks: list[_Block]


def read_sections(path: Path) -> tuple[Section, ...]:
    """Every section of a case file that holds a program, in order."""
    sections: list[Section] = []
    above: list[_Heading] = []
    for heading in _headings(path):
        above = [outer for outer in above if outer.level < heading.level]
        above.append(heading)
        if any(block.language == "py" and block.info != "preamble" for block in heading.blocks):
            sections.append(_section(path, above))
    titles = [section.title for section in sections]
    for title in titles:
        if titles.count(title) > 1:
            raise FormatError(f"{path}: two sections are called {title!r}")
    return tuple(sections)


def _headings(path: Path) -> Iterator[_Heading]:
    """The headings of a Markdown file with the fenced blocks under each."""
    heading = _Heading(0, path.stem, [])
    block: _Block | None = None
    name = MAIN
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if block is not None:
            if line == "```":
                heading.blocks.append(block)
                block = None
            else:
                block.lines.append(line)
        elif match := _FENCE.match(line):
            block = _Block(match[1], match[2].strip(), name, number + 1, [])
            name = MAIN
        elif match := _HEADING.match(line):
            if heading.level or heading.blocks:
                yield heading
            heading = _Heading(len(match[1]), match[2].strip(), [])
        elif match := _FILE_NAME.match(line):
            name = match[1]
        elif line.strip():
            name = MAIN
    if block is not None:
        raise FormatError(f"{path}:{block.first_line}: the block is not closed")
    yield heading


def _section(path: Path, above: list[_Heading]) -> Section:
    title = " > ".join(heading.title for heading in above[1:]) or above[0].title
    texts: dict[str, list[str]] = {MAIN: []}
    origins: dict[str, list[int]] = {MAIN: []}
    settings: dict[str, object] = {}
    fixes: list[tuple[str, str]] = []
    steps: list[str] = []

    def add(block: _Block) -> None:
        texts.setdefault(block.file, []).extend([*block.lines, "", ""])
        origins.setdefault(block.file, []).extend(range(block.first_line, block.first_line + len(block.lines) + 2))

    for heading in above:
        for block in heading.blocks:
            if block.language == "toml":
                settings |= _settings(path, block)
            elif block.language == "py" and block.info == "preamble":
                add(block)
            elif block.language == "py" and heading is above[-1]:
                if block.info == "step":
                    steps.append("\n".join(block.lines))
                elif fixed := _FIXED.match(block.info):
                    fixes.append((fixed[1], "\n".join(block.lines)))
                elif block.info:
                    raise FormatError(f"{path}:{block.first_line}: unknown block kind {block.info!r}")
                else:
                    add(block)
    files = {name: "\n".join(lines).rstrip("\n") + "\n" for name, lines in texts.items()}
    markers = tuple(
        marker
        for name in files
        for marker in _markers(name, texts[name], f"{path}:{origins[name][0] if origins[name] else 0}")
    )
    return Section(
        path,
        title,
        files,
        markers,
        tuple(_fixed(files[MAIN], code, text) for code, text in fixes),
        settings,
        {name: tuple(lines) for name, lines in origins.items()},
        tuple(_fixed(files[MAIN], "", text).text for text in steps),
    )


def _settings(path: Path, block: _Block) -> dict[str, object]:
    settings: dict[str, object] = tomllib.loads("\n".join(block.lines))
    for key, value in settings.items():
        if not isinstance(value, _SETTINGS.get(key, type(None))):
            raise FormatError(f"{path}:{block.first_line}: setting {key} = {value!r} is not understood")
    return settings


def _markers(file: str, lines: list[str], where: str) -> Iterator[Marker]:
    code_line = -1
    for number, line in enumerate(lines):
        if carets := _CARETS.match(line):
            yield _caret_marker(file, code_line, carets, f"{where}: {line.strip()}")
            continue
        code_line = number
        found = list(_trailing_markers(file, number, line))
        if not found and _LOOSE.search(line) and "# ts-lsp:" not in line:
            raise FormatError(f"{where}: looks like a marker but is none: {line.strip()}")
        yield from found


def _trailing_markers(file: str, number: int, line: str) -> Iterator[Marker]:
    if schema := _SCHEMA.search(line):
        yield Marker(file, number, "schema", text=schema[1].strip())
    for start in _TRAILING.finditer(line):
        match = _FINDING.match(line, start.end())
        assert match is not None
        yield _finding_marker(file, number, match)


def _caret_marker(file: str, line: int, match: re.Match[str], where: str) -> Marker:
    columns = (match.start(2), match.end(2))
    if match[3].startswith("revealed: "):
        return Marker(file, line, "revealed", text=match[3].removeprefix("revealed: ").strip(), columns=columns)
    if match[3] == "dropped":
        return Marker(file, line, "dropped", columns=columns)
    if found := _FINDING.fullmatch(match[3]):
        return _finding_marker(file, line, found, columns)
    editor = _EDITOR.fullmatch(match[3])
    if editor is not None and editor[1] in EDITOR_FEATURES:
        return Marker(file, line, "editor", editor[1], (editor[2] or "").strip(), columns=columns)
    raise FormatError(f"{where}: unknown marker")


def _finding_marker(file: str, line: int, match: re.Match[str], columns: tuple[int, int] | None = None) -> Marker:
    notes = match[3]
    return Marker(
        file, line, match[1], match[2], match[4] or "", "(no place)" not in notes, "(later)" in notes, columns
    )


def _fixed(text: str, code: str, block: str) -> Fixed:
    """The main file with the definitions of `block` in the place of those of the same names."""
    replacements = dict(_definitions(block))
    lines = text.splitlines()
    for name, (first, last) in sorted(_definitions(text), key=lambda item: -item[1][0]):
        if name in replacements:
            start, end = replacements[name]
            lines[first:last] = block.splitlines()[start:end]
    missing = set(replacements) - {name for name, _ in _definitions(text)}
    if missing:
        raise FormatError(f"the fixed block defines {sorted(missing)}, which the section does not")
    others = [line for line in block.splitlines() if re.match(r"(import|from) ", line)]
    return Fixed(code, "\n".join([*others, *lines]) + "\n", tuple(replacements))


def _definitions(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Top-level definitions with their 0-based half-open lines, decorators included."""
    for node in ast.parse(text).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield node.name, (first - 1, node.end_lineno or node.lineno)
