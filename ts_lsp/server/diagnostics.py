"""Diagnostics as the protocol writes them.

Owns `diagnostic_items`. Invariant: plain data, ready to be written as JSON: a keystroke goes through here. What a
client did not say it can show is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from ts_lsp.server.documents import Cell, Document
from ts_lsp.text import Range

if TYPE_CHECKING:
    from ts_lsp.ide.faded import Faded
    from ts_lsp.rules.diagnostics import Diagnostic
    from ts_lsp.server.view import View

SOURCE = "ts-lsp"
RULE_PAGES = "https://github.com/ts-lsp/ts-lsp/blob/main/docs/rules.md"
"""Each rule is a heading of this page."""
_UNNECESSARY = 1
_SEVERITIES = {"error": 1, "warning": 2, "information": 3, "hint": 4}

Json: TypeAlias = "dict[str, object]"


def diagnostic_items(view: View) -> list[Json]:
    """What is to be said of a view's document."""
    return [*(_item(each, view) for each in view.diagnostics), *(_faded(each, view) for each in view.faded)]


def published(uri: str, version: int | None, items: Sequence[Json]) -> Json:
    """The message that tells diagnostics of a version of a document."""
    params: Json = {"uri": uri, "diagnostics": items}
    if version is not None:
        params["version"] = version
    return {"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params}


def line_item(line: int, message: str, source: str) -> Json:
    """An error that is known by its line only."""
    place = {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}}
    return {"range": place, "severity": _SEVERITIES["error"], "source": source, "message": message}


def _item(diagnostic: Diagnostic, view: View) -> Json:
    item: Json = {
        "range": range_item(view.document, diagnostic.range, view.cell),
        "severity": _SEVERITIES[diagnostic.severity],
        "code": diagnostic.code,
        "source": SOURCE,
        "message": diagnostic.message,
    }
    if view.client.shows_code_descriptions:
        item["codeDescription"] = {"href": f"{RULE_PAGES}#{diagnostic.code}"}
    if view.client.keeps_data:
        item["data"] = {"definition": diagnostic.definition}
    if diagnostic.related and view.client.shows_related_information:
        item["relatedInformation"] = list(_related(diagnostic, view))
    return item


def _faded(each: Faded, view: View) -> Json:
    return {
        "range": range_item(view.document, each.range, view.cell),
        "severity": _SEVERITIES["hint"],
        "code": each.code,
        "source": SOURCE,
        "message": each.message,
        "tags": [_UNNECESSARY],
    }


def _related(diagnostic: Diagnostic, view: View) -> list[Json]:
    found: list[Json] = []
    for each in diagnostic.related:
        document = view.document if each.path == view.document.path else view.text_of(each.path)
        if document is not None:
            cell = document.cell_at(each.range.line)
            uri = cell.document.uri if cell is not None else view.address(each.path)
            location = {"uri": uri, "range": range_item(document, each.range, cell)}
            found.append({"location": location, "message": each.message})
    return found


def range_item(document: Document, place: Range, cell: Cell | None = None) -> Json:
    """A place in a document, or in a cell of it, as the client counts."""
    (line, column), (end_line, end_column) = document.units(place.start), document.units(place.end)
    first_line = cell.first_line if cell is not None else 0
    return {
        "start": {"line": line - first_line, "character": column},
        "end": {"line": end_line - first_line, "character": end_column},
    }
