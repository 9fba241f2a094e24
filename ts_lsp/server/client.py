"""What the client can do.

Owns `Client`. Invariant: a capability that the client did not name is one it does not have.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lsprotocol import types as lsp

from ts_lsp.server.units import Encoding, choose_encoding


@dataclass(frozen=True, eq=False)
class Client:
    """A client's capabilities, as questions."""

    capabilities: lsp.ClientCapabilities

    @cached_property
    def encoding(self) -> Encoding:
        general = self.capabilities.general
        return choose_encoding([str(each) for each in (general and general.position_encodings) or ()])

    @cached_property
    def pulls_diagnostics(self) -> bool:
        document = self.capabilities.text_document
        return bool(document and document.diagnostic)

    @cached_property
    def refreshes_diagnostics(self) -> bool:
        workspace = self.capabilities.workspace
        return bool(workspace and workspace.diagnostics and workspace.diagnostics.refresh_support)

    @cached_property
    def hover_markup(self) -> lsp.MarkupKind:
        """The client's first choice of how documentation is written."""
        document = self.capabilities.text_document
        formats = (document and document.hover and document.hover.content_format) or ()
        return formats[0] if formats else lsp.MarkupKind.PlainText

    @cached_property
    def has_configuration(self) -> bool:
        """Whether settings are asked of the client."""
        workspace = self.capabilities.workspace
        return bool(workspace and workspace.configuration)

    @cached_property
    def shows_related_information(self) -> bool:
        document = self.capabilities.text_document
        shown = document and (document.publish_diagnostics, document.diagnostic)
        return any(each.related_information for each in shown or () if each is not None)

    @cached_property
    def shows_code_descriptions(self) -> bool:
        document = self.capabilities.text_document
        shown = document and (document.publish_diagnostics, document.diagnostic)
        return any(each.code_description_support for each in shown or () if each is not None)
