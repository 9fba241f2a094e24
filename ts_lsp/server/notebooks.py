"""Notebooks: the code cells of one, in their order, are one text to the analysis.

Owns `Notebooks`, the handlers of what is told of notebooks, and the text they make. Invariant: a line of a cell is a
line of the text, and columns are the same: what only IPython understands is made a comment in its place.
"""

from __future__ import annotations

import ast
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ts_lsp.records import dataclass
from ts_lsp.server.documents import Cell, Document, Documents, open_lines
from ts_lsp.server.syncing import change_of
from ts_lsp.server.units import Encoding, joined_pairs
from ts_lsp.server.uris import path_of
from ts_lsp.syntax.quiet import without_warnings

_MAGIC = re.compile(r"\s*(?:[%?]|!(?!=))|\s*[\w.*]+\?{1,2}\s*$")
"""Lines of IPython: `%name`, `!command`, `?name`, `name?`."""
_ASSIGNED_MAGIC = re.compile(r"(\s*[\w.,\s]+=\s*)[%!](.*)", re.DOTALL)
_PYTHON_CELL = re.compile(r"%%(?:time|timeit|capture|prun)\b")
log = logging.getLogger(__name__)
Params = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class _Notebook:
    """A notebook as the client has it: the addresses of its cells in order, and the documents of all cells."""

    uri: str
    version: int | None
    order: tuple[str, ...]
    cells: Mapping[str, Document]


class Notebooks:
    """Keeps notebooks as the client has them; each is put among the documents as the one text of its cells."""

    def __init__(
        self,
        documents: Documents,
        encoding: Encoding,
        changed: Callable[[Document], None],
        closed: Callable[[Document], None],
        cell_closed: Callable[[Document], None],
    ) -> None:
        self._documents = documents
        self._encoding = encoding
        self._tell_changed = changed
        self._tell_closed = closed
        self._tell_cell_closed = cell_closed
        self._notebooks: dict[str, _Notebook] = {}

    def opened(self, params: Params) -> None:
        told = params["notebookDocument"]
        cells = self._documents_of(params["cellTextDocuments"])
        order = tuple(each["document"] for each in told["cells"])
        self._put(_Notebook(told["uri"], told.get("version"), order, cells))

    def changed(self, params: Params) -> None:
        uri, version = params["notebookDocument"]["uri"], params["notebookDocument"].get("version")
        notebook = self._notebooks.get(uri)
        if notebook is None:
            log.error("a change of notebook %s, which is not open", uri)
            return
        told = params["change"].get("cells") or {}
        order, cells = list(notebook.order), dict(notebook.cells)
        structure = told.get("structure")
        if structure:
            array = structure["array"]
            start, end = array["start"], array["start"] + array["deleteCount"]
            order[start:end] = [each["document"] for each in array.get("cells") or ()]
            cells |= self._documents_of(structure.get("didOpen") or ())
            for each in structure.get("didClose") or ():
                cells.pop(each["uri"], None)
        for each in told.get("textContent") or ():
            cell, cell_version = each["document"]["uri"], each["document"].get("version")
            cells[cell] = cells[cell].changed([change_of(change) for change in each["changes"]], cell_version)
        self._put(_Notebook(uri, version, tuple(order), cells))

    def closed(self, params: Params) -> None:
        uri = params["notebookDocument"]["uri"]
        self._notebooks.pop(uri, None)
        document = self._documents.remove(uri)
        if document is not None:
            self._tell_closed(document)

    def _documents_of(self, items: Sequence[Params]) -> dict[str, Document]:
        return {
            item["uri"]: Document(
                item["uri"],
                item["uri"],
                item.get("version"),
                open_lines(joined_pairs(item["text"])),
                self._encoding,
                str(item.get("languageId", "python")),
            )
            for item in items
        }

    def _put(self, notebook: _Notebook) -> None:
        self._notebooks[notebook.uri] = notebook
        before, document = self._documents.remove(notebook.uri), _composed(notebook, self._encoding)
        self._documents.put(document)
        self._tell_changed(document)
        there = {cell.document.uri for cell in document.cells}
        for cell in before.cells if before is not None else ():
            if cell.document.uri not in there:
                self._tell_cell_closed(cell.document)


def _composed(notebook: _Notebook, encoding: Encoding) -> Document:
    """The one document of a notebook's Python cells."""
    lines: list[str] = []
    cells: list[Cell] = []
    for uri in notebook.order:
        document = notebook.cells.get(uri)
        if document is not None and document.is_python:
            cells.append(Cell(document, len(lines)))
            lines += python_lines(document.lines)
    path = path_of(notebook.uri)
    return Document(notebook.uri, path, notebook.version, [*lines, ""], encoding, "python", tuple(cells))


def python_lines(cell: Sequence[str]) -> list[str]:
    """The lines of a cell as Python, each with an end. Magic lines become comments, and cells in other languages."""
    is_foreign = cell[0].startswith("%%") and not _PYTHON_CELL.match(cell[0])
    if _is_python("".join(cell)):
        lines = list(cell)
    else:
        lines = [f"#{line[1:]}" if is_foreign and line.strip() else _python_line(line) for line in cell]
    if not lines[-1].endswith(("\n", "\r")):
        lines[-1] += "\n"
    return lines


def _is_python(text: str) -> bool:
    """Whether a cell is Python as it stands, whatever its lines begin with."""
    try:
        with without_warnings():
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _python_line(line: str) -> str:
    assigned = _ASSIGNED_MAGIC.match(line)
    if assigned:
        return f"{assigned[1]}0#{assigned[2]}"
    if _MAGIC.match(line) and not line.lstrip().startswith("#"):
        indentation = len(line) - len(line.lstrip())
        return f"{line[:indentation]}#{line[indentation + 1 :]}"
    return line
