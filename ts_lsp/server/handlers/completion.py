"""Completion: what `ide` offers, as plain data, since it may be a thousand names."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from lsprotocol import types as lsp

from ts_lsp.ide.completion import Completions, complete, operator_documentation
from ts_lsp.ide.completion_items import UNSUPPORTED, Completion
from ts_lsp.ide.python_names import documented
from ts_lsp.ide.snippets import call_snippet
from ts_lsp.records import dataclass
from ts_lsp.server.transport import Encoded, encoded
from ts_lsp.server.view import View
from ts_lsp.torchdata.loader import TorchData
from ts_lsp.weakcache import cached_weakly

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
_ENDS_SOON = 3
"""The rank of what torch deprecates: behind private names."""
_ORDINARY = 1
"""The rank of names that are sorted by their label."""
_ORDER = {0: " ", 2: "~", _ENDS_SOON: "~~", UNSUPPORTED: "~~~"}
_SNIPPET = 2
_LONG = 200
_MOST_LISTS = 16
_OPERATOR = re.compile(r"\w+::\w+")
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Style:
    """How the client takes items. `tags`: it strikes through by tags; `snippets`: calls are written as templates."""

    tags: bool
    snippets: bool


def completion(view: View, params: lsp.CompletionParams) -> Encoded | None:
    found = complete(view.snapshot, view.from_lsp(params.position), view.settings.complete_unsupported)
    if found is None:
        return None
    place = view.to_lsp(found.range)
    stretch = {
        "start": {"line": place.start.line, "character": place.start.character},
        "end": {"line": place.end.line, "character": place.end.character},
    }
    shared: Json = {"editRange": stretch, "data": {"uri": view.uri, "of": found.owner}}
    items = _items(view, found)
    if shared.keys() <= view.client.completion_defaults:
        head = encoded({"isIncomplete": False, "itemDefaults": shared}).body
    else:
        items = encoded([_placed(each, shared) for each in json.loads(items.body)])
        head = encoded({"isIncomplete": False}).body
    return Encoded(b'%s,"items":%s}' % (head[:-1], items.body))


def _placed(item: Json, shared: Json) -> Json:
    """An item that says itself where its text goes, and what it needs to be resolved."""
    text = item.pop("textEditText", item["label"])
    return {**item, "textEdit": {"range": shared["editRange"], "newText": text}, "data": shared["data"]}


def _items(view: View, found: Completions) -> Encoded:
    """The items as JSON. The long lists, of torch's names, are the same each time, and made once."""
    snippets = view.settings.complete_calls and view.client.writes_snippets and not found.is_called
    style = _Style(view.client.strikes_through, snippets)
    deprecated = view.python.deprecated(found.owner) if found.owner.startswith("torch") else {}
    if len(found.items) < _LONG:
        return encoded([_item(each, style, deprecated) for each in found.items])
    made = _made(view.snapshot.torch)
    key = id(found.items), style, id(deprecated)
    kept = made.get(key)
    if kept is None:
        if len(made) >= _MOST_LISTS:
            made.clear()
        items = encoded([_item(each, style, deprecated) for each in found.items])
        kept = made[key] = (found.items, deprecated, items)
    return kept[2]


@cached_weakly
def _made(torch: TorchData) -> dict[tuple[int, _Style, int], tuple[object, object, Encoded]]:
    """Items by the lists that they were made of, which live as long as these."""
    return {}


def _item(completion: Completion, style: _Style, deprecated: Mapping[str, str]) -> Json:
    ending = deprecated.get(completion.label, "")
    rank = _ENDS_SOON if ending and not completion.why_not else completion.rank
    item: Json = {"label": completion.label, "kind": _KINDS[completion.kind]}
    if rank != _ORDINARY:
        item["sortText"] = f"{_ORDER[rank]}{completion.label}"
    if completion.why_not:
        item["detail"] = f"not supported: {completion.why_not}"
    elif completion.detail:
        item["detail"] = completion.detail
    if completion.why_not or ending:
        item.update({"tags": [_DEPRECATED]} if style.tags else {"deprecated": True})
    elif style.snippets and completion.is_callable:
        item["textEditText"] = call_snippet(completion)
        item["insertTextFormat"] = _SNIPPET
    return item


def resolve(view: View, params: lsp.CompletionItem) -> lsp.CompletionItem:
    """The item with what torch says of it, and all schemas of its operator."""
    if params.documentation is not None:
        return params
    told = params.data if isinstance(params.data, dict) else {}
    owner = told.get("of")
    path, own = documented(view.snapshot, owner if isinstance(owner, str) else "", params.label)
    operator = _OPERATOR.match(params.detail or "")
    schemas = operator_documentation(view.snapshot.torch, operator.group()) if operator is not None else ""
    is_markdown = view.client.writes_markdown("completion")
    parts = [f"```\n{schemas}\n```" if schemas and is_markdown else schemas, own]
    if path:
        parts += [view.python.deprecated_note(path), view.python.documentation(path)]
    text = "\n\n".join(each for each in parts if each)
    if text:
        params.documentation = view.client.documentation(text, "completion")
    return params
