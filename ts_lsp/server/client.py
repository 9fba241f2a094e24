"""What the client said of itself when it came.

Owns `Client`. Invariant: nothing raises, whatever the client said; a capability that it did not name is one it does not
have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from lsprotocol import types as lsp

from ts_lsp.records import dataclass, field
from ts_lsp.server.units import Encoding, choose_encoding
from ts_lsp.server.uris import path_of

_Answer = TypeVar("_Answer")
_LAST_RESORT: Encoding = "utf-16"
_NO_MARKUP: Mapping[str, lsp.MarkupKind] = MappingProxyType({})


class Said:
    """A JSON object, read as lsprotocol's classes are: by names in snake case, None for what is not there.

    Capabilities have hundreds of classes, of which a server looks at a few fields: making the objects takes longer than
    everything else that an `initialize` asks for, and fails as a whole where one field is odd. Enumerations are their
    plain values.
    """

    __slots__ = ("_data",)

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            first, *rest = name.split("_")
            value = self._data.get(first + "".join(map(str.capitalize, rest)))
            return Said(value) if isinstance(value, dict) else value


def _question(otherwise: _Answer) -> Callable[[Callable[[Client], _Answer]], cached_property[_Answer]]:
    """A question to a client's capabilities; where those are not as the protocol has them there is another answer."""

    def decorate(ask: Callable[[Client], _Answer]) -> cached_property[_Answer]:
        @wraps(ask)
        def answer(client: Client) -> _Answer:
            try:
                return ask(client)
            except (AttributeError, TypeError, ValueError):
                return otherwise

        return cached_property(answer)

    return decorate


@dataclass(frozen=True, eq=False)
class Client:
    """A client's folders, first settings, and capabilities: those also as the questions that are asked most."""

    capabilities: lsp.ClientCapabilities = field(default_factory=lambda: cast("lsp.ClientCapabilities", Said({})))
    folders: tuple[str, ...] = ()
    """Paths."""
    settings: Mapping[str, object] = field(default_factory=dict)
    process: int | None = None
    """The process whose end is the server's end."""
    trace: str = "off"
    counts_in: str | None = None
    """The encoding that the client's columns are in whatever it says: ALE takes them for bytes without a word."""

    @_question(_LAST_RESORT)
    def encoding(self) -> Encoding:
        general = self.capabilities.general
        offered = (general and general.position_encodings) or ()
        return choose_encoding((self.counts_in,) if self.counts_in else offered)

    @_question(False)
    def pulls_diagnostics(self) -> bool:
        document = self.capabilities.text_document
        return bool(document and document.diagnostic)

    @_question(False)
    def refreshes_diagnostics(self) -> bool:
        workspace = self.capabilities.workspace
        return bool(workspace and workspace.diagnostics and workspace.diagnostics.refresh_support)

    @_question(lsp.MarkupKind.PlainText)
    def hover_markup(self) -> lsp.MarkupKind:
        """The client's first choice of how documentation is written."""
        document = self.capabilities.text_document
        formats = (document and document.hover and document.hover.content_format) or ()
        return _first_known(formats)

    @_question(_NO_MARKUP)
    def _markup(self) -> Mapping[str, lsp.MarkupKind]:
        """By feature how documentation in its answers is written."""
        document = self.capabilities.text_document
        completion, signature = document and document.completion, document and document.signature_help
        item, information = completion and completion.completion_item, signature and signature.signature_information
        every = {"completion": item, "signature_help": information}
        return {name: _first_known((each and each.documentation_format) or ()) for name, each in every.items()}

    def writes_markdown(self, feature: str) -> bool:
        """Whether the client shows Markdown in the documentation of `completion` or `signature_help`."""
        return self._markup.get(feature) == lsp.MarkupKind.Markdown

    @_question(frozenset[str]())
    def completion_defaults(self) -> frozenset[str]:
        """What a list of completions may say once for all its items."""
        document = self.capabilities.text_document
        told = document and document.completion and document.completion.completion_list
        return frozenset((told and told.item_defaults) or ())

    @_question(False)
    def writes_snippets(self) -> bool:
        """Whether completions may be templates."""
        document = self.capabilities.text_document
        item = document and document.completion and document.completion.completion_item
        return bool(item and item.snippet_support)

    @_question(False)
    def strikes_through(self) -> bool:
        """Whether completions are marked as deprecated by a tag."""
        document = self.capabilities.text_document
        item = document and document.completion and document.completion.completion_item
        tags = item and item.tag_support
        return bool(tags and lsp.CompletionItemTag.Deprecated in (tags.value_set or ()))

    def documentation(self, text: str, feature: str) -> lsp.MarkupContent | str:
        """Markdown for `completion` or `signature_help`; who takes plain text alone gets it as it is."""
        return lsp.MarkupContent(lsp.MarkupKind.Markdown, text) if self.writes_markdown(feature) else text

    @_question(False)
    def has_configuration(self) -> bool:
        """Whether settings are asked of the client."""
        workspace = self.capabilities.workspace
        return bool(workspace and workspace.configuration)

    @_question(False)
    def shows_progress(self) -> bool:
        window = self.capabilities.window
        return bool(window and window.work_done_progress)

    @_question(False)
    def has_notebooks(self) -> bool:
        return bool(self.capabilities.notebook_document)

    @_question(False)
    def registers_configuration(self) -> bool:
        """Whether the client wants to be told that changes of its settings matter."""
        workspace = self.capabilities.workspace
        changes = workspace and workspace.did_change_configuration
        return bool(changes and changes.dynamic_registration)

    @_question(False)
    def watches_files(self) -> bool:
        workspace = self.capabilities.workspace
        watching = workspace and workspace.did_change_watched_files
        return bool(watching and watching.dynamic_registration)

    @_question(False)
    def shows_related_information(self) -> bool:
        return self._shows("related_information")

    @_question(False)
    def shows_code_descriptions(self) -> bool:
        return self._shows("code_description_support")

    @_question(False)
    def keeps_data(self) -> bool:
        """Whether data of a diagnostic come back with the code actions asked for it."""
        return self._shows("data_support")

    @_question(frozenset[int]())
    def shown_tags(self) -> frozenset[int]:
        """The tags of diagnostics that the client shows."""
        tags = [each for each in self._diagnostics("tag_support") if each is not None]
        return frozenset(int(tag) for each in tags for tag in each.value_set or () if isinstance(tag, int))

    @_question(False)
    def takes_document_changes(self) -> bool:
        """Whether edits may say which version of a document they are made for."""
        workspace = self.capabilities.workspace
        edits = workspace and workspace.workspace_edit
        return bool(edits and edits.document_changes)

    @_question(False)
    def shows_documents(self) -> bool:
        """Whether the client shows a place when it is asked to."""
        window = self.capabilities.window
        return bool(window and window.show_document and window.show_document.support)

    @_question(tuple[str, ...]())
    def refreshed(self) -> tuple[str, ...]:
        """The requests by which the client asks again for what it shows in the text."""
        workspace = self.capabilities.workspace
        every = {
            lsp.WORKSPACE_CODE_LENS_REFRESH: workspace and workspace.code_lens,
            lsp.WORKSPACE_INLAY_HINT_REFRESH: workspace and workspace.inlay_hint,
            lsp.WORKSPACE_SEMANTIC_TOKENS_REFRESH: workspace and workspace.semantic_tokens,
        }
        return tuple(method for method, each in every.items() if each and each.refresh_support)

    @_question(False)
    def wants_projects(self) -> bool:
        """Whether the client shows which projects there are: nothing of the protocol, our own extensions ask for it."""
        experimental = self.capabilities.experimental
        return bool(experimental and experimental.ts_lsp_projects)

    @_question(False)
    def applies_edits(self) -> bool:
        """Whether the client makes edits that it is sent."""
        workspace = self.capabilities.workspace
        return bool(workspace and workspace.apply_edit)

    @_question(False)
    def takes_actions(self) -> bool:
        """Whether code actions may be more than commands."""
        document = self.capabilities.text_document
        return bool(document and document.code_action and document.code_action.code_action_literal_support)

    @_question(False)
    def resolves_action_edits(self) -> bool:
        """Whether the client asks for the edit of a code action when that is chosen."""
        document = self.capabilities.text_document
        action = document and document.code_action
        resolved = action and action.resolve_support and action.resolve_support.properties
        return bool(action and action.data_support and "edit" in (resolved or ()))

    @_question(False)
    def takes_token_changes(self) -> bool:
        """Whether the client may be told what changed in semantic tokens."""
        document = self.capabilities.text_document
        full = document and document.semantic_tokens and document.semantic_tokens.requests.full
        return bool(full and not isinstance(full, bool) and full.delta)

    @_question(False)
    def nests_symbols(self) -> bool:
        document = self.capabilities.text_document
        symbols = document and document.document_symbol
        return bool(symbols and symbols.hierarchical_document_symbol_support)

    @_question(False)
    def prepares_renames(self) -> bool:
        document = self.capabilities.text_document
        return bool(document and document.rename and document.rename.prepare_support)

    @_question(frozenset[str]())
    def _links(self) -> frozenset[str]:
        document = self.capabilities.text_document
        every = {
            "definition": document and document.definition,
            "type_definition": document and document.type_definition,
            "implementation": document and document.implementation,
        }
        return frozenset(name for name, each in every.items() if each and each.link_support)

    def takes_links(self, request: str) -> bool:
        """Whether the answer to `definition`, `type_definition` or `implementation` may tell more than places."""
        return request in self._links

    def _shows(self, capability: str) -> bool:
        return any(self._diagnostics(capability))

    def _diagnostics(self, capability: str) -> Sequence[Any]:
        """What the client says of diagnostics, for those that come to it and those that it asks for."""
        document = self.capabilities.text_document
        ways = (document.publish_diagnostics, document.diagnostic) if document else ()
        return [getattr(each, capability) for each in ways if each]


def _first_known(formats: Sequence[object]) -> lsp.MarkupKind:
    known = [kind for each in formats for kind in lsp.MarkupKind if kind == each]
    return known[0] if known else lsp.MarkupKind.PlainText


def client_of(params: Mapping[str, Any]) -> Client:
    """The client that sent these parameters of `initialize`."""
    capabilities, options, process = (
        params.get("capabilities"),
        params.get("initializationOptions"),
        params.get("processId"),
    )
    return Client(
        cast("lsp.ClientCapabilities", Said(capabilities if isinstance(capabilities, dict) else {})),
        tuple(_folders(params)),
        settings_in(options),
        process if isinstance(process, int) else None,
        str(params.get("trace") or "off"),
        options.get("positionEncoding") if isinstance(options, dict) else None,
    )


def _folders(params: Mapping[str, Any]) -> list[str]:
    given = params.get("workspaceFolders")
    if isinstance(given, list):
        return [path_of(each["uri"]) for each in given if isinstance(each, dict) and isinstance(each.get("uri"), str)]
    root, path = params.get("rootUri"), params.get("rootPath")
    if isinstance(root, str):
        return [path_of(root)]
    return [path] if isinstance(path, str) and path else []


def settings_in(options: object) -> Mapping[str, object]:
    """The table of settings in what a client sends: its own, or below the server's name, or below `settings`."""
    for name in ("settings", "ts-lsp"):
        if isinstance(options, dict) and isinstance(options.get(name), dict):
            options = options[name]
    return options if isinstance(options, dict) else {}
