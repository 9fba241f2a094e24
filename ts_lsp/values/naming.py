"""Sets of names written as running text.

Owns `name_set`, which keeps long tables readable.
"""

from __future__ import annotations


def name_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())
