"""`symbol: A(f, x) g`: the outline of the file, what is inside of others in parentheses."""

from __future__ import annotations

from collections.abc import Iterable

from tests.ide.places import Place
from ts_lsp.ide.outline import Outlined, document_symbols


def check(place: Place, text: str) -> list[str]:
    found = _told(document_symbols(place.snapshot), " ")
    return [] if found == text else [f"found {found}"]


def _told(every: Iterable[Outlined], between: str) -> str:
    return between.join(each.name + (f"({_told(each.children, ', ')})" if each.children else "") for each in every)
