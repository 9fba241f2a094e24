"""What torch says of its builtins: the texts that `torch/_torch_docs.py` and others hand to `_add_docstr`.

Owns `TorchDocs`. Invariant: the files are read as text and never run. Of each only the piece that is asked for is
parsed, and the expression that makes a text is worked out from its tree: strings, their sum, and `format` with the
tables at the file's head.
"""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Mapping
from typing import Any

from ts_lsp.pybridge.sources import PythonSources

_FILES = ("torch._torch_docs", "torch._tensor_docs", "torch._size_docs", "torch._storage_docs")
_ENTRY = re.compile(r"^add_docstr(_all)?\(\s*(?:(torch[\w.]*)|[\"'](\w+)[\"'])\s*,", re.MULTILINE)
_ADDING = re.compile(r"\badd_docstr(_all)?\Z|_add_docstr\Z")
_PARAGRAPH = re.compile(r"\n\s{4}(?!\s)")
_TENSOR = "torch.Tensor"
Table = Mapping[str, str]


class TorchDocs:
    """The documentation of builtins by their public path: `torch.add`, `torch.Tensor.add_`."""

    def __init__(self, sources: PythonSources) -> None:
        self._sources = sources
        self._pieces: dict[str, tuple[str, str]] | None = None
        self._tables: dict[str, Mapping[str, Table]] = {}

    def of(self, path: str) -> str:
        """The text for a path; empty where torch has none."""
        piece = self._index().get(path)
        if piece is None:
            return ""
        module, text = piece
        return self.made_by(_call(text), module)

    def made_by(self, call: ast.expr | None, module: str) -> str:
        """The text that a call of `_add_docstr` in a module of torch gives; empty for any other expression."""
        if not isinstance(call, ast.Call) or len(call.args) < 2 or not _ADDING.search(ast.unparse(call.func)):
            return ""
        return _Making(self._tables_of(module)).text(call.args[1]) or ""

    def paths_whose_source_has(self, word: str) -> list[str]:
        """The paths in the source of whose text a word stands."""
        return [path for path, (_, text) in self._index().items() if word in text]

    def _index(self) -> Mapping[str, tuple[str, str]]:
        if self._pieces is None:
            self._pieces = {}
            for module in _FILES:
                file = self._sources.file(module)
                text = self._sources.text(file) if file is not None else ""
                entries = list(_ENTRY.finditer(text))
                ends = [*(each.start() for each in entries[1:]), len(text)]
                for match, end in zip(entries, ends, strict=False):
                    path = match[2] if match[2] else f"{_TENSOR}.{match[3]}"
                    self._pieces.setdefault(_public(path), (module, text[match.start() : end]))
        return self._pieces

    def _tables_of(self, module: str) -> Mapping[str, Table]:
        """The dicts of texts that a file of torch defines before its first entry, and those of `_torch_docs`."""
        if module not in self._tables:
            shared = self._tables_of(_FILES[0]) if module != _FILES[0] else {}
            file = self._sources.file(module)
            text = self._sources.text(file) if file is not None and module in _FILES else ""
            first = _ENTRY.search(text)
            making = _Making(dict(shared))
            for statement in _statements(text[: first.start()] if first else ""):
                making.assign(statement)
            self._tables[module] = making.tables
        return self._tables[module]


def _public(path: str) -> str:
    return path.replace("torch._C.TensorBase", _TENSOR).replace("torch._C._TensorBase", _TENSOR)


def _statements(text: str) -> list[ast.stmt]:
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _call(text: str) -> ast.expr | None:
    first = next(iter(_statements(text)), None)
    return first.value if isinstance(first, ast.Expr) else None


class _Making:
    """Expressions that make texts, and tables of texts."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self.tables: dict[str, Table] = dict(tables)

    def assign(self, statement: ast.stmt) -> None:
        target: ast.expr | None = None
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
        elif isinstance(statement, ast.AnnAssign):
            target = statement.target
        value = getattr(statement, "value", None)
        table = self.table(value) if isinstance(value, ast.expr) else None
        if isinstance(target, ast.Name) and table is not None:
            self.tables[target.id] = table

    def table(self, node: ast.expr) -> Table | None:
        if isinstance(node, ast.Name):
            return self.tables.get(node.id)
        if isinstance(node, ast.Dict):
            pairs = [
                (self.text(key), self.text(value)) for key, value in zip(node.keys, node.values, strict=True) if key
            ]
            return {key: value for key, value in pairs if key is not None and value is not None}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "parse_kwargs" and len(node.args) == 1:
                return _by_first_word(self.text(node.args[0]) or "")
            if node.func.id == "merge_dicts":
                return {key: value for each in node.args for key, value in (self.table(each) or {}).items()}
        return None

    def text(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = self.text(node.left), self.text(node.right)
            return left + right if left is not None and right is not None else None
        if isinstance(node, ast.JoinedStr):
            parts = [self.text(each.value if isinstance(each, ast.FormattedValue) else each) for each in node.values]
            return "".join(part or "" for part in parts)
        if isinstance(node, ast.Subscript):
            return (self.table(node.value) or {}).get(self.text(node.slice) or "")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            template = self.text(node.func.value)
            return self._formatted(template, node) if template is not None else None
        return None

    def _formatted(self, template: str, call: ast.Call) -> str:
        values: dict[str, str] = {}
        for each in call.keywords:
            if each.arg is None:
                values.update(self.table(each.value) or {})
            else:
                values[each.arg] = self.text(each.value) or ""
        try:
            return _Lenient().vformat(template, (), values)
        except (ValueError, IndexError, AttributeError):
            return template


class _Lenient(string.Formatter):
    """Formatting that leaves out what is not known."""

    def get_value(self, key: int | str, args: Any, kwargs: Mapping[str, Any]) -> Any:
        return kwargs.get(str(key), "")


def _by_first_word(text: str) -> Table:
    sections = (section.strip() for section in _PARAGRAPH.split(text))
    return {section.split(" ")[0]: section for section in sections if section}
