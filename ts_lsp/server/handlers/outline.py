"""Symbols of documents and of the workspace: the outline of `ide` as the client shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types as lsp

from ts_lsp.ide import outline
from ts_lsp.server.session import Session
from ts_lsp.server.view import View
from ts_lsp.server.worker import CancelToken

_KINDS = {
    "function": lsp.SymbolKind.Function,
    "method": lsp.SymbolKind.Method,
    "class": lsp.SymbolKind.Class,
    "module": lsp.SymbolKind.Class,
    "interface": lsp.SymbolKind.Interface,
    "attribute": lsp.SymbolKind.Field,
}


def document_symbols(
    view: View, params: lsp.DocumentSymbolParams
) -> list[lsp.DocumentSymbol] | list[lsp.SymbolInformation]:
    found = [each for each in outline.document_symbols(view.snapshot) if view.holds(each.spot.full)]
    if view.client.nests_symbols:
        return [_symbol(view, each) for each in found]
    return list(_flat(view, found, None))


def _symbol(view: View, each: outline.Outlined) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        each.name,
        _KINDS[each.kind],
        view.to_lsp(each.spot.full),
        view.to_lsp(each.spot.range),
        detail=each.detail or None,
        children=[_symbol(view, child) for child in each.children],
    )


def _flat(view: View, found: Iterable[outline.Outlined], around: str | None) -> Iterator[lsp.SymbolInformation]:
    for each in found:
        location = view.location(each.spot.path, each.spot.full)
        if location is not None:
            yield lsp.SymbolInformation(location, each.name, _KINDS[each.kind], container_name=around)
        yield from _flat(view, each.children, each.name)


def workspace_symbols(
    session: Session, params: lsp.WorkspaceSymbolParams, token: CancelToken
) -> list[lsp.SymbolInformation]:
    found = []
    for project in session.projects:
        files = [facts.definitions for facts in project.analysis.refresh(token.check).values()]
        for each, around in outline.workspace_symbols(files, params.query):
            location = session.location(each.spot.path, each.spot.range)
            if location is not None:
                found.append(
                    lsp.SymbolInformation(location, each.name, _KINDS[each.kind], container_name=around or None)
                )
    return found
