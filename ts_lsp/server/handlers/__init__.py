"""One module for each feature: from the protocol's question to `ide`, and back.

Owns the table of features. A handler is a function `(view, params) -> answer` that runs in the worker's thread; its
answer is made of lsprotocol's types, or of plain data as JSON has it. Its module is imported when it is first asked.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from ts_lsp.records import dataclass
from ts_lsp.server.token_data import TOKEN_MODIFIERS, TOKEN_TYPES

if TYPE_CHECKING:
    from ts_lsp.server.client import Client

_Announced = Callable[["Client"], object]


def _always(client: Client) -> bool:
    return True


def _to_who_pulls(client: Client) -> bool | None:
    return True if client.pulls_diagnostics else None


def _renaming(client: Client) -> object:
    return {"prepareProvider": True} if client.prepares_renames else True


def _acting(client: Client) -> object:
    if not client.takes_actions:
        return True if client.applies_edits else None
    kinds = ["quickfix", "refactor.rewrite", "source.fixAll.ts-lsp", "source.organizeTypes"]
    return {"codeActionKinds": kinds, "resolveProvider": client.resolves_action_edits}


def _colouring(client: Client) -> object:
    legend = {"tokenTypes": list(TOKEN_TYPES), "tokenModifiers": list(TOKEN_MODIFIERS)}
    return {"legend": legend, "full": {"delta": True} if client.takes_token_changes else True, "range": True}


def _completes(client: Client) -> object:
    return {"triggerCharacters": [".", '"', "'"], "resolveProvider": True}


def _helps_with_signatures(client: Client) -> object:
    return {"triggerCharacters": ["(", ","], "retriggerCharacters": ["=", ")"]}


@dataclass(frozen=True, slots=True)
class Feature:
    """A request, who answers it, and how it is announced.

    `handler` is `module:function` in this package. `provider` is the field of the server's capabilities that announces
    it, empty for requests that need none (those that resolve); `announced` is what stands there for a client. None
    announces nothing, and requests are refused. `needs_all`: the answer may rest on what depends on the last edit.
    """

    method: str
    handler: str
    provider: str = ""
    announced: _Announced = _always
    needs_all: bool = False

    def announced_to(self, client: Client) -> object:
        """What a client is told; None also where its capabilities are not as the protocol has them."""
        try:
            return self.announced(client)
        except (AttributeError, TypeError, ValueError):
            return None

    def answer(self) -> Callable[..., object]:
        """The function that answers."""
        module, _, name = self.handler.partition(":")
        found: Callable[..., object] = getattr(importlib.import_module(f"{__name__}.{module}"), name)
        return found


DOCUMENT_FEATURES: tuple[Feature, ...] = (
    # Handlers get the `View` of the document in question: that of `params.text_document`, of `params.item` in a
    # hierarchy, or of `params.data["uri"]` where something is resolved. In a notebook only what the view `holds` can be
    # told.
    Feature(lsp.TEXT_DOCUMENT_HOVER, "hover:hover", "hover_provider"),
    Feature(lsp.TEXT_DOCUMENT_INLAY_HINT, "inlay_hint:hints", "inlay_hint_provider"),
    Feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        "code_action:actions",
        "code_action_provider",
        announced=_acting,
        needs_all=True,
    ),
    Feature(lsp.CODE_ACTION_RESOLVE, "code_action:resolve", needs_all=True),
    Feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE, "structure:folding", "folding_range_provider"),
    Feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE, "structure:selections", "selection_range_provider"),
    Feature(lsp.TEXT_DOCUMENT_CODE_LENS, "code_lens:lenses", "code_lens_provider", lambda client: {}, True),
    Feature(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        "semantic_tokens:whole",
        "semantic_tokens_provider",
        announced=_colouring,
    ),
    Feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, "semantic_tokens:changes"),
    Feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, "semantic_tokens:stretch"),
    Feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK, "document_link:links", "document_link_provider", lambda client: {}),
    Feature(lsp.TEXT_DOCUMENT_COMPLETION, "completion:completion", "completion_provider", _completes),
    Feature(lsp.COMPLETION_ITEM_RESOLVE, "completion:resolve"),
    Feature(
        lsp.TEXT_DOCUMENT_SIGNATURE_HELP, "signature_help:signature", "signature_help_provider", _helps_with_signatures
    ),
    Feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, "diagnostic:document_diagnostic", announced=_to_who_pulls, needs_all=True),
    Feature(lsp.TEXT_DOCUMENT_DEFINITION, "navigation:definition", "definition_provider"),
    Feature(lsp.TEXT_DOCUMENT_TYPE_DEFINITION, "navigation:type_definition", "type_definition_provider"),
    Feature(lsp.TEXT_DOCUMENT_IMPLEMENTATION, "navigation:implementation", "implementation_provider", needs_all=True),
    Feature(lsp.TEXT_DOCUMENT_REFERENCES, "navigation:references", "references_provider", needs_all=True),
    Feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, "navigation:highlight", "document_highlight_provider"),
    Feature(lsp.TEXT_DOCUMENT_RENAME, "rename:rename", "rename_provider", _renaming, needs_all=True),
    Feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME, "rename:prepare_rename", needs_all=True),
    Feature(
        lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, "call_hierarchy:prepare", "call_hierarchy_provider", needs_all=True
    ),
    Feature(lsp.CALL_HIERARCHY_INCOMING_CALLS, "call_hierarchy:incoming", needs_all=True),
    Feature(lsp.CALL_HIERARCHY_OUTGOING_CALLS, "call_hierarchy:outgoing", needs_all=True),
    Feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, "outline:document_symbols", "document_symbol_provider"),
)
WORKSPACE_FEATURES: tuple[Feature, ...] = (
    # Handlers get the `Session`, and a `CancelToken` as their third argument.
    Feature(lsp.WORKSPACE_SYMBOL, "outline:workspace_symbols", "workspace_symbol_provider"),
)
FEATURES = (*DOCUMENT_FEATURES, *WORKSPACE_FEATURES)
