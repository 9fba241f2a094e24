"""The client's documents as they come, change and go.

Owns `Syncing`, the handlers of what is told of documents. Invariant: parameters are read as they are: a keystroke goes
through here. A message that makes no sense is logged, and the texts stay as they were.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from ts_lsp.server.documents import Change, Document, Documents, open_lines
from ts_lsp.server.units import Encoding, joined_pairs
from ts_lsp.server.uris import path_of

log = logging.getLogger(__name__)
Params = Mapping[str, Any]


class Syncing:
    """Keeps documents as the client has them; `changed` is told of each new state, `closed` of each that goes."""

    def __init__(
        self,
        documents: Documents,
        encoding: Encoding,
        changed: Callable[[Document], None],
        closed: Callable[[Document], None],
    ) -> None:
        self._documents = documents
        self._encoding = encoding
        self._tell_changed = changed
        self._tell_closed = closed

    def opened(self, params: Params) -> None:
        item = params["textDocument"]
        uri, text, version = item["uri"], item["text"], item.get("version")
        language = str(item.get("languageId", "python"))
        document = Document(uri, path_of(uri), version, open_lines(joined_pairs(text)), self._encoding, language)
        self._put(document)

    def changed(self, params: Params) -> None:
        uri, version = params["textDocument"]["uri"], params["textDocument"].get("version")
        changes = [change_of(each) for each in params["contentChanges"]]
        document = self._documents.get(uri)
        if document is None:
            log.error("a change of %s, which is not open", uri)
            return
        if isinstance(version, int) and document.version is not None and version <= document.version:
            log.warning("version %d of %s after version %d", version, uri, document.version)
        self._put(document.changed(changes, version))

    def closed(self, params: Params) -> None:
        document = self._documents.remove(params["textDocument"]["uri"])
        if document is not None:
            self._tell_closed(document)

    def _put(self, document: Document) -> None:
        self._documents.put(document)
        self._tell_changed(document)


def change_of(change: Params) -> Change:
    """A change as the protocol writes it."""
    text = change["text"]
    if not isinstance(text, str):
        raise TypeError("the text of a change must be a string")
    place = change.get("range")
    return Change(None, (0, 0), text) if place is None else Change(_place(place["start"]), _place(place["end"]), text)


def _place(position: Params) -> tuple[int, int]:
    return int(position["line"]), int(position["character"])
