"""What can be done about the code at a place: fixes of findings, annotations that are missing, and whole-file actions.

Owns `code_actions`. Invariant: edits keep comments and formatting, and those of one action do not overlap. Findings are
matched by their place, so that nothing needs to come back from the client.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from ts_lsp.ide.cursor import cursor_at
from ts_lsp.ide.inferred import inferred_annotations
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.records import dataclass
from ts_lsp.rules.context import FixContext
from ts_lsp.rules.diagnostics import Diagnostic, fixes_of
from ts_lsp.rules.model import Edit, Fix
from ts_lsp.syntax.typecomments import SignatureComment, signature_comment
from ts_lsp.text import Range
from ts_lsp.types.display import annotation_form

QUICK_FIX = "quickfix"
REWRITE = "refactor.rewrite"
FIX_ALL = "source.fixAll.ts-lsp"
ORGANIZE_TYPES = "source.organizeTypes"
KINDS = (QUICK_FIX, REWRITE, FIX_ALL, ORGANIZE_TYPES)


@dataclass(frozen=True, eq=False, slots=True)
class Action:
    """One thing to do. `diagnostic` is what a quick fix mends."""

    title: str
    kind: str
    edits: tuple[Edit, ...]
    diagnostic: Diagnostic | None = None
    is_preferred: bool = False


def code_actions(snapshot: Snapshot, stretch: Range, only: Sequence[str] = ()) -> list[Action]:
    """What can be done in a stretch of the file; of some kinds alone where those are named."""
    found: list[Action] = []
    if _wanted(QUICK_FIX, only):
        found.extend(_quick_fixes(snapshot, stretch))
    if _wanted(REWRITE, only):
        found.extend(_rewrites(snapshot, stretch))
    if only and _wanted(FIX_ALL, only):
        found.extend(_as_one(FIX_ALL, "Apply all safe fixes", safe_fixes(snapshot)))
    if only and _wanted(ORGANIZE_TYPES, only):
        found.extend(_as_one(ORGANIZE_TYPES, "Write all inferred annotations", missing_annotations(snapshot)))
    return found


def _wanted(kind: str, only: Sequence[str]) -> bool:
    return not only or any(kind == each or kind.startswith(f"{each}.") for each in only)


def _quick_fixes(snapshot: Snapshot, stretch: Range) -> Iterator[Action]:
    near = [each for each in snapshot.diagnostics if each.path == snapshot.path and _touch(each.range, stretch)]
    for diagnostic in near:
        fixes = fixes_of(diagnostic, snapshot.text, snapshot.source)
        for number, fix in enumerate(sorted(fixes, key=lambda each: each.applicability != "safe")):
            is_preferred = number == 0 and fix.applicability == "safe"
            yield Action(fix.title, QUICK_FIX, fix.edits, diagnostic, is_preferred)
    for diagnostic in near:
        suppressed = _suppression(snapshot, diagnostic)
        if suppressed is not None:
            yield suppressed


def _suppression(snapshot: Snapshot, diagnostic: Diagnostic) -> Action | None:
    """A comment that silences a finding, where its line has none yet and no string goes on behind it."""
    unit = snapshot.unit_at(diagnostic.range.line)
    if unit is None or diagnostic.finding is None or diagnostic.code == "syntax-error":
        return None
    number = diagnostic.range.line - unit.first_line
    line = unit.chunk.lines.line(number)
    if "# ts-lsp:" in line or line.rstrip().endswith("\\") or _is_in_text(unit.chunk.tree, number + 1):
        return None
    end = len(line.rstrip())
    place = Range(diagnostic.range.line, end, diagnostic.range.line, end)
    edit = Edit(snapshot.path, place, f"  # ts-lsp: ignore[{diagnostic.code}]")
    return Action(f"Silence `{diagnostic.code}` here", QUICK_FIX, (edit,), diagnostic)


def _is_in_text(tree: ast.AST, line: int) -> bool:
    """Whether a string goes over the end of a line."""
    texts = (each for each in ast.walk(tree) if isinstance(each, (ast.Constant, ast.JoinedStr)))
    return any(each.lineno <= line < (each.end_lineno or each.lineno) for each in texts)


def _rewrites(snapshot: Snapshot, stretch: Range) -> Iterator[Action]:
    for each in inferred_annotations(snapshot, stretch):
        if each.fix is not None and stretch.line <= each.place.line <= stretch.end_line:
            sign = f"{each.name}:" if each.name else "->"
            title = f"Write the inferred annotation `{sign} {annotation_form(each.type)}`"
            yield Action(title, REWRITE, each.fix.edits)
    converted = _without_comment(snapshot, stretch)
    if converted is not None:
        yield converted


def _without_comment(snapshot: Snapshot, stretch: Range) -> Action | None:
    """The annotations that a type comment of the function around says, in its place."""
    cursor = cursor_at(snapshot, stretch.start)
    functions = (each for each in cursor.nodes if isinstance(each, ast.FunctionDef)) if cursor is not None else ()
    node = next(iter(functions), None)
    comment = signature_comment(node, cursor.unit.chunk) if cursor is not None and node is not None else None
    if cursor is None or node is None or comment is None or comment.place.line != comment.place.end_line:
        return None
    context = FixContext(cursor.unit, snapshot.text, snapshot.source)
    edits = _annotated(context, node, comment)
    if edits is None:
        return None
    return Action("Turn the type comment into annotations", REWRITE, (*edits, _removed(context, comment.place)))


def _annotated(context: FixContext, node: ast.FunctionDef, comment: SignatureComment) -> list[Edit] | None:
    arguments = [*node.args.args, *node.args.kwonlyargs]
    bare = arguments[len(arguments) - len(comment.parameters) :]
    if len(arguments) - len(comment.parameters) not in (0, 1) or any(each.annotation for each in arguments):
        return None
    edits = [
        context.insert_after(each, f": {ast.unparse(type_.tree)}")
        for each, type_ in zip(bare, comment.parameters, strict=True)
    ]
    if comment.returns is not None:
        line = context.lines.line(comment.place.line - 1)
        colon = line.rstrip().rfind(":")
        if colon < 0 or "#" in line:
            return None
        edits.append(context.insert(comment.place.line - 1, colon, f" -> {ast.unparse(comment.returns.tree)}"))
    return edits


def _removed(context: FixContext, place: Range) -> Edit:
    """A comment gone, with its line where nothing else stands there."""
    line = context.lines.line(place.line)
    if line.strip().startswith("#"):
        return context.replace(Range(place.line, 0, place.line + 1, 0), "")
    start = len(line[: place.column].rstrip())
    return context.replace(Range(place.line, start, place.line, place.end_column), "")


def safe_fixes(snapshot: Snapshot) -> Iterator[Fix]:
    """The first safe fix of each finding of the file."""
    for diagnostic in snapshot.diagnostics:
        fixes = fixes_of(diagnostic, snapshot.text, snapshot.source)
        yield from [each for each in fixes if each.applicability == "safe"][:1]


def missing_annotations(snapshot: Snapshot) -> Iterator[Fix]:
    """All annotations of parameters and results that the compiler infers."""
    whole = Range(0, 0, len(snapshot.lines), 0)
    for each in inferred_annotations(snapshot, whole):
        if each.fix is not None and each.kind != "variable-types":
            yield each.fix


def _as_one(kind: str, title: str, fixes: Iterable[Fix]) -> Iterator[Action]:
    edits: list[Edit] = []
    for fix in fixes:
        fresh = [each for each in fix.edits if each not in edits]
        if not any(_touch(each.range, other.range) and each.path == other.path for each in fresh for other in edits):
            edits.extend(fresh)
    if edits:
        yield Action(title, kind, tuple(edits))


def _touch(one: Range, other: Range) -> bool:
    return one.start <= other.end and other.start <= one.end
