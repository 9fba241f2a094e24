"""Links from the codes in suppressions to the rules' pages."""

from __future__ import annotations

from lsprotocol import types as lsp

from ts_lsp.ide.document_links import rule_links
from ts_lsp.server.diagnostics import RULE_PAGES
from ts_lsp.server.view import View


def links(view: View, params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
    return [lsp.DocumentLink(view.to_lsp(place), f"{RULE_PAGES}#{code}") for place, code in rule_links(view.snapshot)]
