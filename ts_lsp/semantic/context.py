"""The state of checking one definition.

Owns `FunctionContext`: the environment, the findings and types recorded so far, and what the definition returns.
Invariant: findings are appended in the compiler's own order, so the first one is the error torch would show.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from ts_lsp.records import dataclass, field
from ts_lsp.semantic.environment import Environment
from ts_lsp.semantic.facts import Binding, Conversion, DroppedBranch, Finding, Place, Refinement, Related, TypedNode
from ts_lsp.semantic.sugared import UNKNOWN_VALUE, Simple
from ts_lsp.syntax.walking import walk
from ts_lsp.text import Lines, Range, range_of
from ts_lsp.types.model import NamedTupleType, Type
from ts_lsp.values.model import FunctionValue, Scope, Unit

if TYPE_CHECKING:
    from ts_lsp.semantic.class_definitions import ClassDefinition
    from ts_lsp.semantic.modules import ModuleDefinition
    from ts_lsp.semantic.program import Program


def _whole(node: ast.AST, lines: Lines) -> Range:
    """The node's range; from its first operand on where a parenthesis on an earlier line stands before that.

    The compiler sees no parentheses.
    """
    assert isinstance(node, (ast.expr, ast.stmt, ast.arg, ast.keyword, ast.alias, ast.excepthandler))
    whole = range_of(node, lines)
    first: ast.expr | None = _first_operand(node)
    while first is not None:
        start = range_of(first, lines)
        if start.line != whole.line:
            whole = Range(start.line, start.column, whole.end_line, whole.end_column)
        first = _first_operand(first)
    return whole


def _first_operand(node: ast.AST) -> ast.expr | None:
    """What stands first in a node that has no beginning of its own."""
    if isinstance(node, (ast.BinOp, ast.Compare)):
        return node.left
    if isinstance(node, ast.BoolOp):
        return node.values[0]
    if isinstance(node, ast.IfExp):
        return node.body
    if isinstance(node, ast.Call):
        return node.func
    if isinstance(node, (ast.Attribute, ast.Subscript, ast.Expr)):
        return node.value
    if isinstance(node, ast.Assign):
        return node.targets[0]
    if isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        return node.target
    return None


def _read_names(node: ast.AST) -> Iterator[str]:
    """The names in a body. Python takes those in annotations of locals along, though it never evaluates them."""
    for statement in node.body if isinstance(node, ast.FunctionDef) else [node]:
        for each in walk(statement):
            if isinstance(each, ast.Name):
                yield each.id


MAXIMUM_DEPTH = 150
"""Deeper expressions than this are not looked into: the compiler and Python have limits of their own."""


@dataclass(slots=True)
class FunctionContext:
    """Everything that changes while one definition is checked."""

    program: Program
    function: FunctionValue
    unit: Unit
    scope: Scope
    qualname: str
    environment: Environment = field(default_factory=Environment)
    owner: ClassDefinition | ModuleDefinition | None = None
    declared_return: Type | None = None
    merged_return: Type | None = None
    return_node: ast.AST | None = None
    loop: str = ""
    """`""` outside loops, `"dynamic"` or `"unrolled"` inside."""
    in_init: bool = False
    hypothetical: int = 0
    """Above zero while an expression is typed a second time: nothing is recorded."""
    findings: list[Finding] = field(default_factory=list)
    failure: Finding | None = None
    failure_unit: Unit | None = None
    inherited: bool = False
    saw_unknown: bool = False
    unknown_reason: str = ""
    typed: list[TypedNode] = field(default_factory=list)
    bindings: list[Binding] = field(default_factory=list)
    refinements: list[Refinement] = field(default_factory=list)
    dropped: list[DroppedBranch] = field(default_factory=list)
    conversions: list[Conversion] = field(default_factory=list)
    late: list[tuple[ast.stmt, str, Type, Type]] = field(default_factory=list)
    """Names whose values in a loop cannot be carried round: reported when the body has passed."""
    unfit_deletes: list[tuple[ast.Subscript, Type, Type]] = field(default_factory=list)
    """`del container[index]` that fit no operator: the compiler does not match them, and fails after all else."""
    named_tuples: dict[str, NamedTupleType] = field(default_factory=dict)
    """The named tuples this definition has met, by the name under which the compiler keeps them."""
    comment_refused: bool = False
    """A type comment cannot be read, so the parameters' types are not known."""
    is_broken: bool = False
    """A part of the text does not parse: a name may be bound where nothing is seen."""
    uncertain_flow: bool = False
    stops_early: bool = False
    """Whether the first mistake is the last that matters: nobody is shown the findings."""
    pending: ast.AST | None = None
    """What was begun last of statements and first-class values: there the compiler places what a callee breaks."""
    places_begun: dict[ast.AST, Range] = field(default_factory=dict)
    """A refused statement stands in the body: which paths return or bind a name is not known."""
    depth: int = 0
    seen: set[tuple[str, Range]] = field(default_factory=set)

    _captured: frozenset[str] | None = None

    @property
    def captured(self) -> frozenset[str]:
        """The names in the body, those of the signature left out: what a closure holds of the functions around it."""
        if self._captured is None:
            self._captured = frozenset(_read_names(self.function.node))
        return self._captured

    @property
    def is_over(self) -> bool:
        """Whether nothing of interest can follow."""
        return self.stops_early and self.failure is not None

    def place(self, node: ast.AST) -> Range:
        """The range of `node` for people; a compound statement is shown by its head only."""
        lines = self.unit.chunk.lines
        whole = _whole(node, lines)
        end: ast.AST | None = None
        if isinstance(node, (ast.If, ast.While)):
            end = node.test
        elif isinstance(node, ast.For):
            end = node.iter
        elif isinstance(node, ast.With):
            last = node.items[-1]
            end = last.optional_vars or last.context_expr
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return self.header(node)
        if end is not None:
            last_range = range_of(end, lines)
            return Range(whole.line, whole.column, last_range.end_line, last_range.end_column)
        return whole

    def header(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Range:
        """From `def` to the end of the name."""
        lines = self.unit.chunk.lines
        whole = _whole(node, lines)
        text = lines.line(whole.line)
        at = text.find(node.name, whole.column + 3)
        column = at + len(node.name) if at >= 0 else len(text)
        return Range(whole.line, whole.column, whole.line, column)

    def report(
        self,
        code: str,
        node: ast.AST,
        *,
        place: Range | None = None,
        related: tuple[Related, ...] = (),
        details: Mapping[str, object] | None = None,
        **data: object,
    ) -> Simple:
        """Record a mistake at `node` and give the value that silences what follows from it.

        `data` (and `details`, which are more of it) is what the rule's message and fixes need.
        """
        if details is not None:
            data = {**details, **data}
        where = place if place is not None else self.place(node)
        finding = Finding(code, where, self.qualname, data, related, node)
        if self.failure is None:
            self.failure = finding
            self.failure_unit = self.unit
        if (code, where) not in self.seen:
            self.seen.add((code, where))
            self.findings.append(finding)
        return UNKNOWN_VALUE

    def inherit(self, failure: Finding, unit: Unit, at: ast.AST) -> Simple:
        """What `at` names does not compile, so neither does this definition: its own first error is over there."""
        if self.failure is None:
            self.failure = failure
            self.failure_unit = unit
            self.inherited = True
        if unit.path != self.unit.path:
            where = self.place(at)
            if ("failing-callee", where) not in self.seen:
                self.seen.add(("failing-callee", where))
                related = (Related("callee-error", Place(unit, failure.place), {"code": failure.code}),)
                data = {"callee": failure.definition, "code": failure.code}
                self.findings.append(Finding("failing-callee", where, self.qualname, data, related, at))
        return UNKNOWN_VALUE

    def checkpoint(self) -> Callable[[], None]:
        """What was found so far: calling it forgets what was found since."""
        failure, unit, inherited = self.failure, self.failure_unit, self.inherited
        number, seen = len(self.findings), set(self.seen)

        def restore() -> None:
            self.failure, self.failure_unit, self.inherited = failure, unit, inherited
            del self.findings[number:]
            self.seen = seen

        return restore

    def unknown(self, reason: str = "") -> Simple:
        """A value the source does not show; `reason` says why, for people."""
        self.saw_unknown = True
        self.unknown_reason = self.unknown_reason or reason
        return UNKNOWN_VALUE

    def begun(self, node: ast.AST) -> Range:
        """The place of `node`, or where the compiler has it if that is another line: what was begun last."""
        if node not in self.places_begun:
            where = self.place(node)
            last = self.place(self.pending) if self.pending is not None else where
            self.places_begun[node] = where if where.line == last.line else last
        return self.places_begun[node]

    def related(self, role: str, node: ast.AST, **data: object) -> Related:
        return Related(role, Place(self.unit, self.place(node)), data)

    def record(self, node: ast.AST, type_: Type, role: str = "self") -> None:
        self.typed.append(TypedNode(node, type_, role))

    def bind(self, name: str, node: ast.AST, type_: Type, declared: bool) -> None:
        self.bindings.append(Binding(name, node, type_, declared))
