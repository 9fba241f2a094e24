"""The facts that checking a definition yields: frozen data without text.

Owns `Finding` and `DefinitionFacts`. Invariant: every place inside is relative to the first line of the chunk that
holds the definition, so facts survive edits elsewhere in the file.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ts_lsp.records import dataclass, field
from ts_lsp.text import Range
from ts_lsp.types.model import Type
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import Unit


@dataclass(frozen=True, slots=True)
class Place:
    """A range in a unit (another file's, where a callee lives elsewhere)."""

    unit: Unit
    range: Range


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that explains a finding; `role` names it (`true-branch`, `declared`, `first-return`, ...)."""

    role: str
    place: Place
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """One mistake. `code` names the rule, `data` what its message and fixes need (types as `Type`, names as str).

    `place` is for people; its first line is the compiler's. `node` is the tree node it was found at, for fixes.
    """

    code: str
    place: Range
    definition: str
    data: Mapping[str, object] = field(default_factory=dict)
    related: tuple[Related, ...] = ()
    node: ast.AST | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TypedNode:
    """The type of one expression or statement node.

    `role`: `self` for the node's own value; `callee` where the compiler records a call's result at what stands before
    the parenthesis (`node` is that callee); `module` where a name or an index picks a module, which is no value.
    """

    node: ast.AST
    type: Type
    role: str = "self"


@dataclass(frozen=True, slots=True)
class Binding:
    """A name bound in a definition, where, and with which type."""

    name: str
    node: ast.AST
    type: Type
    declared: bool


@dataclass(frozen=True, slots=True)
class Refinement:
    """What a condition taught about a name: from which type to which, by which condition."""

    name: str
    before: Type
    after: Type
    condition: ast.AST


@dataclass(frozen=True, slots=True)
class Conversion:
    """What the compiler puts around an expression, without a word in the source, to make it fit."""

    node: ast.AST
    before: Type
    after: Type


@dataclass(frozen=True, slots=True)
class DroppedBranch:
    """Statements the compiler never looks at, and the condition that decides it."""

    statements: tuple[ast.stmt, ...]
    condition: ast.AST


@dataclass(frozen=True, slots=True)
class AttributeFact:
    """An attribute that objects of a class have in compiled code.

    `kind` is `parameter`, `buffer`, `module`, `constant`, `function` or `attribute`; a `dropped` one is not seen by
    compiled code, and `why` says why.
    """

    name: str
    kind: str
    type: Type | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class DefinitionFacts:
    """Everything known of one definition."""

    qualname: str
    kind: str  # function | method | class | module | interface
    unit: Unit
    node: ast.AST
    verdict: str  # ok | error | unknown
    first_error: Finding | None
    schema: Schema | None
    findings: tuple[Finding, ...] = ()
    typed: tuple[TypedNode, ...] = ()
    bindings: tuple[Binding, ...] = ()
    refinements: tuple[Refinement, ...] = ()
    dropped: tuple[DroppedBranch, ...] = ()
    conversions: tuple[Conversion, ...] = ()
    first_error_unit: Unit | None = None
    """Where the first error stands when it is a callee's."""
    unknown_reason: str = ""
    """What the source does not show, where the verdict is unknown."""
    attributes: tuple[AttributeFact, ...] = ()
    """Of a class: what its objects have. A class of several types shows those of the first."""
