"""What a rule is: its declaration, how its findings read, and the edits that mend them.

Owns `Rule`, `Fix` and `Edit`. Invariant: a rule's functions are pure and never fail on missing data, since a finding
may carry less than its rule could use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from ts_lsp.records import dataclass
from ts_lsp.semantic.facts import Finding, Related
from ts_lsp.text import Range

if TYPE_CHECKING:
    from ts_lsp.rules.context import FixContext

Severity = Literal["error", "warning", "information", "hint"]
Applicability = Literal["safe", "unsafe"]
Category = Literal["syntax", "names", "returns", "annotations", "calls", "attributes", "statements", "classes", "meta"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "information", "hint")


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of a stretch of a file; the range counts from the file's start."""

    path: str
    range: Range
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that mends a finding.

    `safe` fixes leave what the program does in eager mode as it was, and are applied without asking; `unsafe` ones may
    change it, or guess what was meant.
    """

    title: str
    applicability: Applicability
    edits: tuple[Edit, ...]


def no_related_message(related: Related) -> str:
    """For rules whose findings have no second place."""
    return related.role.replace("-", " ")


def no_fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    """For rules where no edit is better than any other."""
    return ()


@dataclass(frozen=True, slots=True)
class Rule:
    """The declaration of one rule. Its page is the docstring of its file."""

    code: str
    summary: str
    category: Category
    message: Callable[[Finding], str]
    severity: Severity = "error"
    related_message: Callable[[Related], str] = no_related_message
    fixes: Callable[[Finding, FixContext], tuple[Fix, ...]] = no_fixes
