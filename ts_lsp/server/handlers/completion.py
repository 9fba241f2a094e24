"""Completion: what `ide` offers, as plain data, since it may be a thousand names."""

from __future__ import annotations

import re
from typing import Any

from lsprotocol import types as lsp

from ts_lsp.ide.completion import Completion, complete, documentation_of
from ts_lsp.server.client import Client
from ts_lsp.server.view import View

_KINDS = {
    "method": 2,
    "function": 3,
    "field": 5,
    "variable": 6,
    "class": 7,
    "module": 9,
    "property": 10,
    "enum-member": 20,
    "constant": 21,
}
_DEPRECATED = 1
_OPERATOR = re.compile(r"\w+::\w+")


def completion(view: View, params: lsp.CompletionParams) -> dict[str, Any] | None:
    found = complete(view.snapshot, view.from_lsp(params.position), view.settings.complete_unsupported)
    if found is None:
        return None
    place = view.to_lsp(found.range)
    stretch = {
        "start": {"line": place.start.line, "character": place.start.character},
        "end": {"line": place.end.line, "character": place.end.character},
    }
    defaults = _understood_defaults(view.client)
    shared: dict[str, Any] = {}
    if "editRange" in defaults:
        shared["editRange"] = stretch
    data = {"uri": view.document.uri}
    if "data" in defaults:
        shared["data"] = data
    struck = _strikes_through(view.client)
    items = [_item(each, struck) for each in found.items]
    for item in items:
        if "editRange" not in defaults:
            item["textEdit"] = {"range": stretch, "newText": item["label"]}
        if "data" not in defaults:
            item["data"] = data
    answer: dict[str, Any] = {"isIncomplete": False, "items": items}
    if shared:
        answer["itemDefaults"] = shared
    return answer


def resolve(view: View, params: lsp.CompletionItem) -> lsp.CompletionItem:
    """The item with all schemas of its operator."""
    operator = _OPERATOR.match(params.detail or "")
    if operator is not None and params.documentation is None:
        params.documentation = documentation_of(view.snapshot.torch, operator.group())
    return params


def _item(completion: Completion, struck: bool) -> dict[str, Any]:
    item: dict[str, Any] = {
        "label": completion.label,
        "kind": _KINDS[completion.kind],
        "sortText": f"{completion.rank}{completion.label}",
    }
    if completion.why_not:
        item["detail"] = f"not supported: {completion.why_not}"
        if struck:
            item["tags"] = [_DEPRECATED]
        else:
            item["deprecated"] = True
    elif completion.detail:
        item["detail"] = completion.detail
    return item


def _understood_defaults(client: Client) -> frozenset[str]:
    document = client.capabilities.text_document
    told = document and document.completion and document.completion.completion_list
    return frozenset((told and told.item_defaults) or ())


def _strikes_through(client: Client) -> bool:
    document = client.capabilities.text_document
    item = document and document.completion and document.completion.completion_item
    tags = item and item.tag_support
    return bool(tags and _DEPRECATED in (tags.value_set or ()))
