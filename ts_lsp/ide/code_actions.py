"""What can be done about the code at a place: fixes of findings, annotations that are missing, and whole-file actions.

Owns `code_actions`. Invariant: edits keep comments and formatting, and those of one action do not overlap. Findings are
matched by their place, so that nothing needs to come back from the client. What a whole-file action changes is worked
out when it is chosen (`edits_of`).
"""

from __future__ import annotations

import ast
import builtins
import copy
import re
from collections.abc import Callable, Iterator, Sequence

from ts_lsp.ide.cursor import cursor_at
from ts_lsp.ide.inferred import inferred_annotations
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.ide.whole_file import FIX_ALL, ORGANIZE_TYPES, has_work, mended, touch
from ts_lsp.records import dataclass
from ts_lsp.rules.context import FixContext
from ts_lsp.rules.diagnostics import Diagnostic, fixes_of
from ts_lsp.rules.edits import header_colon, write_annotation
from ts_lsp.rules.model import Edit
from ts_lsp.syntax.typecomments import SignatureComment, signature_comment
from ts_lsp.text import Range
from ts_lsp.types.display import annotation_form

QUICK_FIX = "quickfix"
REWRITE = "refactor.rewrite"
KINDS = (QUICK_FIX, REWRITE, FIX_ALL, ORGANIZE_TYPES)
_MODULES_OF_COMMENTS = ("torch", "typing")
_NAMES_OF_COMMENTS = {
    "Tensor": "torch",
    "Future": "torch.jit",
    **dict.fromkeys(("List", "Dict", "Optional", "Tuple", "Union", "Any"), "typing"),
}
"""What the compiler knows in a type comment by itself, and where Python has it from."""
_TYPE_COMMENT = re.compile(r"#\s*type:(?!\s*ignore)")
_WHOLE_FILE = {FIX_ALL: "Apply all safe fixes", ORGANIZE_TYPES: "Write all inferred annotations"}


@dataclass(frozen=True, eq=False, slots=True)
class Action:
    """One thing to do. `edits` is None where that is still to be worked out; `diagnostic` is what a quick fix mends."""

    title: str
    kind: str
    edits: tuple[Edit, ...] | None
    diagnostic: Diagnostic | None = None
    is_preferred: bool = False


def code_actions(snapshot: Snapshot, stretch: Range, only: Sequence[str] = ()) -> list[Action]:
    """What can be done in a stretch of the file; of some kinds alone where those are named."""
    found: list[Action] = []
    if _wanted(QUICK_FIX, only):
        found.extend(_quick_fixes(snapshot, stretch))
    if _wanted(REWRITE, only):
        found.extend(_rewrites(snapshot, stretch))
    found.extend(_whole_file(snapshot, stretch, only))
    return found


def _whole_file(snapshot: Snapshot, stretch: Range, only: Sequence[str]) -> Iterator[Action]:
    """Actions on the file that are asked for by their kind; otherwise those that have something to do at the place."""
    for kind, title in _WHOLE_FILE.items():
        if _wanted(kind, only) and has_work(snapshot, kind, None if only else stretch):
            yield Action(title, kind, None)


def edits_of(snapshot: Snapshot, action: Action, pause: Callable[[], None] = lambda: None) -> tuple[Edit, ...]:
    """What an action changes. For `pause` see `mended`."""
    return action.edits if action.edits is not None else mended(snapshot, action.kind, pause)


def _wanted(kind: str, only: Sequence[str]) -> bool:
    return not only or any(kind == each or kind.startswith(f"{each}.") for each in only)


def _quick_fixes(snapshot: Snapshot, stretch: Range) -> Iterator[Action]:
    near = [each for each in snapshot.diagnostics if each.path == snapshot.path and touch(each.range, stretch)]
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
    if len(_TYPE_COMMENT.findall(context.text_of(node))) != 1:
        return None  # one for each parameter
    try:
        edits = _annotated(context, node, comment)
    except _Unknown:
        return None
    if edits is None:
        return None
    return Action("Turn the type comment into annotations", REWRITE, (*edits, _removed(context, comment.place)))


def _annotated(context: FixContext, node: ast.FunctionDef, comment: SignatureComment) -> list[Edit] | None:
    arguments = [*node.args.args, *node.args.kwonlyargs]
    bare = arguments[len(arguments) - len(comment.parameters) :]
    if len(arguments) - len(comment.parameters) not in (0, 1) or any(each.annotation for each in arguments):
        return None
    edits: list[Edit] = []
    for each, type_ in zip(bare, comment.parameters, strict=True):
        text, imports = _as_annotation(context, type_.tree)
        edits += [*write_annotation(context, each, text), *imports]
    colon = header_colon(context, node) if comment.returns is not None and node.returns is None else None
    if comment.returns is not None:
        if colon is None:
            return None
        text, imports = _as_annotation(context, comment.returns.tree)
        edits += [context.insert(*colon, f" -> {text}"), *imports]
    return list(dict.fromkeys(edits))


class _Unknown(Exception):
    """A name of a type comment means nothing in Python's code."""


def _as_annotation(context: FixContext, written: ast.expr) -> tuple[str, list[Edit]]:
    """A type of a comment as Python would evaluate it, and the imports that takes: a comment needs none."""
    tree, edits = copy.deepcopy(written), []
    for each in ast.walk(tree):
        if isinstance(each, ast.Name) and not (hasattr(builtins, each.id) or context.binds(each.id)):
            if each.id in _MODULES_OF_COMMENTS:
                edits.append(context.insert_at_top(f"import {each.id}"))
            elif each.id in _NAMES_OF_COMMENTS:
                each.id, imports = context.spell(_NAMES_OF_COMMENTS[each.id], each.id)
                edits += imports
            else:
                raise _Unknown(each.id)
    return ast.unparse(tree), edits


def _removed(context: FixContext, place: Range) -> Edit:
    """A comment gone, with its line where nothing else stands there."""
    line = context.lines.line(place.line)
    if line.strip().startswith("#"):
        return context.replace(Range(place.line, 0, place.line + 1, 0), "")
    start = len(line[: place.column].rstrip())
    return context.replace(Range(place.line, start, place.line, place.end_column), "")
