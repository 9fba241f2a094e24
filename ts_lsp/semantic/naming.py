"""The names under which the compiler keeps classes.

Owns `qualified_name`. Invariant: only a class's module and its own name count, so that classes of one name in different
functions share theirs.
"""

from __future__ import annotations

from ts_lsp.values.model import ClassValue


def qualified_name(value: ClassValue) -> str:
    """The name torch gives a class."""
    return f"__torch__.{value.unit.module}.{value.name}"
