"""Codes of rules in comments, which lead to the pages of the rules.

Owns `rule_links`. Invariant: read off the comments alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.rules.registry import codes
from ts_lsp.text import Range


def rule_links(snapshot: Snapshot) -> Iterator[tuple[Range, str]]:
    """The places of rule codes in suppressions, each with the code."""
    known = frozenset(codes())
    for unit in snapshot.units:
        for suppression in unit.chunk.suppressions:
            for code, place in suppression.codes or ():
                if code in known:
                    yield place.moved(unit.first_line), code
