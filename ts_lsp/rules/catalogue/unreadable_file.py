"""File that cannot be read as Python source.

## What it does
Finds files that are missing, not readable, binary, or not in the encoding that they declare.

## Why TorchScript refuses it
There is no text to check.
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    reason = plain(finding, "reason")
    return f"This file cannot be read: {reason}." if reason else "This file cannot be read."


RULE = Rule(
    code="unreadable-file",
    summary="file that cannot be read as Python source",
    category="meta",
    message=message,
)
