"""Where a dotted path of an installed package is defined, found by the text of the package's files.

Owns `Definition` and `PythonSources`. Invariant: nothing is imported or run, and of a file only the piece that defines
the name is parsed: reading a whole package as a tree, as jedi does, takes seconds and 60 MiB for torch.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ts_lsp.records import dataclass
from ts_lsp.text import Range

_MOST_STEPS = 12
"""How many imports are followed from the public name of an object to its definition."""
_MOST_ENDS = 40
_DEFINED = re.compile(
    r"^(?:(?:async[ \t]+)?def[ \t]+|class[ \t]+)(\w+)|^(\w+)[ \t]*(?::[^=\n]+)?=(?!=)"
    r"|^    (?:def[ \t]+(\w+)|(\w+)[ \t]*=(?!=))",
    re.MULTILINE,
)
_BLOCK = re.compile(r"(?:if|elif|else|try|except|finally|with)\b")
_STATEMENT = re.compile(r"^(?=[^\s#)\]}\"'])", re.MULTILINE)
_IMPORT = re.compile(r"^from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|(?:[^\n\\]|\\\n)*)", re.MULTILINE)
_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, eq=False, slots=True)
class Definition:
    """What defines a name: a function or class, or the statement that assigns it.

    `name` is where the name stands, `full` the whole definition; `first_line` is that of the piece `node` is of.
    """

    path: str
    name: Range
    full: Range
    node: ast.stmt
    module: str


class PythonSources:
    """Packages in folders, in the order in which they are looked for. Answers are kept; files are read when asked."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._texts: dict[Path, str] = {}
        self._found: dict[str, Definition | None] = {}
        self._imports: dict[Path, Mapping[str, Sequence[str]]] = {}
        self._margins: dict[Path, Mapping[str, Sequence[int]]] = {}
        self._defined: dict[tuple[Path, str], tuple[int, ast.stmt] | None] = {}

    def definition(self, path: str) -> Definition | None:
        """Where a path such as `torch.nn.Linear.forward` is defined; None where the text does not show it."""
        if path not in self._found:
            self._found[path] = self._look(path.split("."), _MOST_STEPS)
        return self._found[path]

    def text(self, file: Path) -> str:
        """A file's text; empty where it cannot be read."""
        if file not in self._texts:
            try:
                self._texts[file] = file.read_text(encoding="utf-8", errors="replace")
            except OSError:
                self._texts[file] = ""
        return self._texts[file]

    def file(self, module: str) -> Path | None:
        """The source file of a module or package."""
        parts = module.split(".")
        for folder in self._folders:
            base = folder.joinpath(*parts)
            for each in (base / "__init__.py", base.with_name(f"{base.name}.py")):
                if each.is_file():
                    return each
        return None

    def _look(self, parts: Sequence[str], steps: int) -> Definition | None:
        for length in range(len(parts) - 1, 0, -1):
            module = ".".join(parts[:length])
            file = self.file(module)
            if file is not None:
                return self._in_module(module, file, parts[length:], steps)
        return None

    def _in_module(self, module: str, file: Path, names: Sequence[str], steps: int) -> Definition | None:
        text = self.text(file)
        key = file, names[0]
        if key not in self._defined:
            self._defined[key] = _defined(text, self._places(file).get(names[0], ()))
        found = self._defined[key]
        if found is not None:
            first_line, node = found
            inner = _member(node, names[1:])
            return _definition(str(file), text, first_line, inner, names[-1], module) if inner is not None else None
        if steps:
            for target in self._imported(module, file, names[0]):
                if target != f"{module}.{names[0]}":
                    followed = self._look([*target.split("."), *names[1:]], steps - 1)
                    if followed is not None:
                        return followed
        return None

    def _places(self, file: Path) -> Mapping[str, Sequence[int]]:
        """Where the definitions of a file begin, by the name that they give: at the margin, or in a block there."""
        if file not in self._margins:
            found: dict[str, list[int]] = {}
            text = self.text(file)
            for match in _DEFINED.finditer(text):
                if text[match.start()] != " " or _stands_in_block(text, match.start()):
                    found.setdefault(match[match.lastindex or 0], []).append(match.start())
            self._margins[file] = found
        return self._margins[file]

    def _imported(self, module: str, file: Path, name: str) -> Iterator[str]:
        """The paths that imports of a module may give a name, those that name it before stars."""
        if file not in self._imports:
            package = module if file.name == "__init__.py" else module.rpartition(".")[0]
            self._imports[file] = _imports_of(self.text(file), package)
        named = self._imports[file]
        yield from named.get(name, ())
        yield from (f"{origin}.{name}" for origin in named.get("*", ()))


def _imports_of(text: str, package: str) -> Mapping[str, Sequence[str]]:
    """The paths that each name is imported from; behind `*` the modules of which everything is."""
    found: dict[str, list[str]] = {}
    for match in _IMPORT.finditer(text):
        origin = _absolute(match[1], package)
        for each in re.split(r"[,()\n\\]", re.sub(r"#[^\n]*", "", match[2])):
            written, _, alias = each.strip().partition(" as ")
            if written == "*":
                found.setdefault("*", []).append(origin)
            elif written:
                found.setdefault(alias.strip() or written, []).append(f"{origin}.{written}")
    return found


def _absolute(origin: str, package: str) -> str:
    name = origin.lstrip(".")
    up = len(origin) - len(name)
    if not up:
        return name
    parts = package.split(".")
    base = parts[: len(parts) - up + 1]
    return ".".join([*base, *([name] if name else [])])


def _defined(text: str, places: Sequence[int]) -> tuple[int, ast.stmt] | None:
    """The last of some definitions that can be read, and the 0-based line on which its text begins."""
    for place in reversed(places):
        start = _with_decorators(text, place)
        node = _statement(text, start, text.find("\n", place) + 1 or len(text))
        if node is not None:
            return text.count("\n", 0, start) - (text[start] == " "), node
    return None


def _stands_in_block(text: str, place: int) -> bool:
    """Whether an indented line belongs to a condition at the margin, and not to a function or class."""
    while place > 0:
        start = text.rfind("\n", 0, place - 1) + 1
        if not text[start].isspace() and text[start] not in "#)]}":
            return bool(_BLOCK.match(text, start))
        place = start
    return False


def _with_decorators(text: str, start: int) -> int:
    """Where the lines without a gap above a definition begin, if they are its decorators."""
    above = text.rfind("\n\n", 0, start)
    begin = above + 2 if above >= 0 else 0
    decorators = re.compile(r"^@", re.MULTILINE).search(text, begin, start)
    return decorators.start() if decorators is not None else start


def _statement(text: str, start: int, behind: int) -> ast.stmt | None:
    """The statement that begins at `start`; where it ends is tried at each statement that may follow."""
    for number, match in enumerate(_STATEMENT.finditer(text, behind)):
        node = _parsed(text[start : match.start()])
        if node is not None or number > _MOST_ENDS:
            return node
    return _parsed(text[start:])


def _parsed(text: str) -> ast.stmt | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body if text[:1] != " " else ast.parse(f"if 1:\n{text}").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    first = body[0] if body else None
    return first.body[0] if isinstance(first, ast.If) and text[:1] == " " else first


def _member(node: ast.stmt, names: Sequence[str]) -> ast.stmt | None:
    for name in names:
        if not isinstance(node, ast.ClassDef):
            return None
        found = [each for each in node.body if isinstance(each, _DEFINING) and each.name == name]
        if not found:
            return None
        node = found[-1]
    return node


def _definition(path: str, text: str, first_line: int, node: ast.stmt, name: str, module: str) -> Definition:
    line, end_line = node.lineno - 1 + first_line, (node.end_lineno or node.lineno) - 1 + first_line
    first, last = _line(text, line), _line(text, end_line)
    start = len(first) - len(first.lstrip())
    column = max(first.find(name, start), start)
    full = Range(line, start, end_line, len(last.rstrip("\r")))
    return Definition(path, Range(line, column, line, column + len(name)), full, node, module)


def _line(text: str, number: int) -> str:
    start = 0
    for _ in range(number):
        start = text.find("\n", start) + 1
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)]
