"""What of Python the compiler's front end refuses.

Owns the language subset: every construct that is refused before any type is looked at, in the order in which the
compiler converts a function, so that the first refusal is the one it would raise.
Invariant: pure functions of a tree and its chunk; nothing is reported twice, nor inside what is refused as a whole.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable, Container, Iterable, Mapping
from types import MappingProxyType

from ts_lsp.records import dataclass, field
from ts_lsp.syntax.quiet import without_warnings
from ts_lsp.syntax.ranges import CompilerRanges
from ts_lsp.syntax.source import FunctionNode, aligned_source, end_line_of, first_line_of
from ts_lsp.syntax.tree import Chunk
from ts_lsp.syntax.typecomments import CommentProblem, SignatureComment, read_type_comments, signature_comment
from ts_lsp.syntax.walking import children
from ts_lsp.text import Range, range_of

__all__ = ["Refusal", "SignatureComment", "class_refusals", "refusals", "signature_comment"]

_RESERVED_PREFIX = "__jit"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A construct outside the subset. `place` is for people; it starts on the line that the compiler names.

    Where the compiler names no line, it is the construct's own.
    """

    code: str
    node: ast.AST
    place: Range
    data: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))


# Refused as a whole: nothing inside is looked at.
_REFUSED: dict[str, str] = {
    "FunctionDef": "nested-function",
    "AsyncFunctionDef": "async-function",
    "ClassDef": "nested-class",
    "Import": "local-import",
    "ImportFrom": "local-import",
    "Global": "global-statement",
    "Nonlocal": "global-statement",
    "Try": "try-statement",
    "Match": "match-statement",
    "TryStar": "unsupported-statement",
    "TypeAlias": "unsupported-statement",
    "AsyncFor": "async-statement",
    "AsyncWith": "async-statement",
    "Await": "async-statement",
    "Lambda": "lambda-expression",
    "Yield": "yield-expression",
    "YieldFrom": "yield-expression",
    "NamedExpr": "walrus-expression",
    "Set": "set-literal",
    "SetComp": "set-literal",
    "TemplateStr": "unsupported-expression",
}
# Of a block only the first words are shown.
_HEADS = re.compile(r"(?:async\s+)?(?:(?:def|class)\s+\w+|\w+)")
_BLOCKS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.AsyncFor, ast.AsyncWith, ast.Try, ast.Match)
_COMPOUND_NAMES = frozenset({"TryStar"})
_Visit = Callable[[ast.AST], None]
_AUGMENTED_REFUSED: dict[type[ast.operator], str] = {ast.FloorDiv: "//=", ast.MatMult: "@="}


def refusals(
    function: FunctionNode | ast.Lambda,
    chunk: Chunk,
    *,
    is_method: bool = False,
    is_unused: bool = False,
) -> tuple[Refusal, ...]:
    """All refusals in the conversion of `function`, the compiler's first one first.

    `is_method`: compiled as a method of a module or class, whose first parameter no type comment counts.
    `is_unused`: marked with `torch.jit.unused`, of which only the signature is read.
    """
    if not isinstance(function, ast.FunctionDef):
        place = range_of(function, chunk.lines)
        if isinstance(function, ast.AsyncFunctionDef):
            place = _head(function, chunk)
        return (Refusal("not-a-function", function, place, {"kind": type(function).__name__}),)
    unaligned = _unaligned(function, chunk)
    if unaligned is not None:
        return (unaligned,)
    visitor = _Visitor(chunk, function.name, CompilerRanges(chunk, function))
    try:
        visitor.convert(function, is_method, is_unused)
    except RecursionError:
        visitor.refuse("nested-too-deeply", function, _head(function, chunk))
    return visitor.result()


def init_refusal(init: ast.FunctionDef, chunk: Chunk) -> Refusal | None:
    """The refusal of a module's `__init__`, whose text is dedented and parsed, but not converted.

    Lines of nothing but a comment are dropped before that, so that theirs may stand anywhere.
    """
    return _undedented(init, chunk, without_comments=True)


def class_refusals(
    definition: ast.ClassDef, chunk: Chunk, compiled: Container[str] | None = None
) -> tuple[Refusal, ...]:
    """All refusals in the conversion of a class that is compiled as a script class (not an `nn.Module`).

    Methods (only the `compiled` ones, if given) go in alphabetical order, then properties, then the assignments of the
    class body.
    """
    unaligned = _undedented(definition, chunk)
    if unaligned is not None:
        return (unaligned,)
    found: list[Refusal] = []
    for method in _methods(definition):
        if compiled is not None and method.name not in compiled:
            continue
        found += refusals(method, chunk, is_method=True, is_unused=_is_decorated(method, "unused"))
    for statement in definition.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            found += _class_assignment(statement, chunk)
    return tuple(found)


class _Visitor:
    """Walks a function as the compiler does. `name` is the function's, None in a class body."""

    def __init__(self, chunk: Chunk, name: str | None, ranges: CompilerRanges | None) -> None:
        self._chunk = chunk
        self._name = name
        self._ranges = ranges
        self._found: dict[tuple[str, Range], Refusal] = {}
        self._visits: dict[type[ast.AST], _Visit] = {}

    def result(self) -> tuple[Refusal, ...]:
        return tuple(self._found.values())

    def refuse(self, code: str, node: ast.AST, place: Range, **data: object) -> None:
        self._found.setdefault((code, place), Refusal(code, node, place, data))

    def convert(self, function: ast.FunctionDef, is_method: bool, is_unused: bool) -> None:
        comment, problems = read_type_comments(function, self._chunk)
        self._refuse_comments(function, [problem for problem in problems if problem.early])
        self._signature(function, is_unused)
        self._refuse_comments(function, [problem for problem in problems if not problem.early])
        if comment is not None:
            self._count(function, comment, is_method)
        if not is_unused:
            for statement in function.body:
                self.visit(statement)

    def _refuse_comments(self, function: ast.FunctionDef, problems: list[CommentProblem]) -> None:
        for problem in problems:
            text = self._chunk.lines.slice(problem.place)
            self.refuse(problem.code, function, problem.place, reason=problem.reason, text=text)

    def _signature(self, function: ast.FunctionDef, is_unused: bool) -> None:
        arguments = function.args
        for stars, variadic in (("**", arguments.kwarg), ("*", arguments.vararg)):
            if variadic is not None and not is_unused:
                place = self._place(variadic)
                self.refuse("variadic-parameter", variadic, place, name=variadic.arg, stars=stars)
        for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if default is not None:
                self.visit(default)
                self.refuse("keyword-only-default", default, self._converted_place(default), name=parameter.arg)
        if not is_unused:
            for parameter in (*arguments.args, *arguments.kwonlyargs):
                if parameter.annotation is not None:
                    self.visit(parameter.annotation)
        if function.returns is not None:
            self.visit(function.returns)

    def _count(self, function: ast.FunctionDef, comment: SignatureComment, is_method: bool) -> None:
        expected = len(function.args.args) + len(function.args.kwonlyargs) - is_method
        if len(comment.parameters) != expected and expected >= 0 and self._ranges is not None:
            place = self._ranges.header(function)
            data = {"expected": expected, "found": len(comment.parameters), "comment": comment.place}
            self.refuse("type-comment-count", function, place, **data)

    def visit(self, node: ast.AST) -> None:
        kind = type(node)
        if kind not in self._visits:
            self._visits[kind] = self._visit_of(kind.__name__)
        self._visits[kind](node)

    def _visit_of(self, kind: str) -> _Visit:
        found: _Visit = getattr(self, f"visit_{kind}", self.generic_visit)
        return self._visit_refused if kind in _REFUSED else found

    def generic_visit(self, node: ast.AST) -> None:
        self._visit_all(children(node))

    def _visit_refused(self, node: ast.AST) -> None:
        code = _REFUSED[type(node).__name__]
        place = self._place(node)
        if isinstance(node, _BLOCKS) or type(node).__name__ in _COMPOUND_NAMES:
            place = _head(node, self._chunk)
        data = {"kind": type(node).__name__}
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            data["name"] = node.name
        self.refuse(code, node, place, **data)

    # Statements

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        self._visit_all(node.targets)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        target = node.target
        if node.value is None:
            self.refuse("bare-annotation", node, self._place(node), target=ast.unparse(target))
            return
        if isinstance(target, ast.Attribute) and not isinstance(target.value, ast.Name):
            self.refuse("annotated-target", node, self._place(target))
        elif isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self" and self._name != "__init__":
            start, end = self._place(target), self._place(node.annotation)
            place = Range(start.line, start.column, end.end_line, end.end_column)
            self.refuse("annotated-attribute", node, place, name=target.attr)
        self.visit(node.value)
        self.visit(target)
        self.visit(node.annotation)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.target)
        self.visit(node.value)
        operator = _AUGMENTED_REFUSED.get(type(node.op))
        if operator is not None:
            self.refuse("augmented-operator", node, self._operator_place(node, operator), operator=operator)

    def visit_While(self, node: ast.While) -> None:
        self._refuse_else(node)
        self.visit(node.test)
        self._visit_all(node.body)

    def visit_For(self, node: ast.For) -> None:
        self._refuse_else(node)
        self.visit(node.target)
        self.visit(node.iter)
        self._visit_all(node.body)

    def visit_Raise(self, node: ast.Raise) -> None:
        if node.exc is None:
            self.refuse("bare-raise", node, self._place(node))
        else:
            self.visit(node.exc)

    def visit_With(self, node: ast.With) -> None:
        ignored = _ignored_block(node)
        if ignored is not None:
            for keyword in ignored.keywords:
                if not _declares_a_variable(keyword):
                    self.refuse("malformed-ignored-block", keyword, self._place(keyword), name=keyword.arg)
            return
        for item in node.items:
            self.visit(item.context_expr)
            target = item.optional_vars
            if target is not None:
                self.visit(target)
                if not isinstance(target, ast.Name):
                    self.refuse("with-target", target, self._place(target))
        self._visit_all(node.body)

    # Expressions

    def visit_Name(self, node: ast.Name) -> None:
        if node.id.startswith(_RESERVED_PREFIX):
            self.refuse("reserved-name", node, self._place(node), name=node.id)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bytes):
            self.refuse("bytes-literal", node, self._place(node))
        elif isinstance(node.value, str) and not _is_encodable(node.value):
            self.refuse("lone-surrogate", node, self._place(node))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        self.visit(node.operand)
        if isinstance(node.op, ast.UAdd):
            self.refuse("unary-plus", node, self._place(node))

    def visit_Call(self, node: ast.Call) -> None:
        self.visit(node.func)
        self._visit_all(node.args)
        for keyword in node.keywords:
            self.visit(keyword.value)
            if keyword.arg is None:
                self.refuse("keyword-unpacking", keyword, self._converted_place(keyword.value))

    def visit_Dict(self, node: ast.Dict) -> None:
        # Unpacking in front is refused at once; later in the row, when the conversion of the keys comes to it.
        for at, key in enumerate(node.keys):
            if key is not None:
                self.visit(key)
            elif node.keys.index(None) == at:
                place = self._place(node if at == 0 else node.values[at])
                self.refuse("dict-unpacking", node, place, leading=at == 0)
        self._visit_all(node.values)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._comprehension(node, [node.elt])

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._comprehension(node, [node.elt])

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehension(node, [node.key, node.value])

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        for piece in node.values:
            if isinstance(piece, ast.FormattedValue):
                if piece.conversion != -1 or piece.format_spec is not None:
                    conversion = None if piece.conversion == -1 else chr(piece.conversion)
                    specified = piece.format_spec is not None
                    data = {"conversion": conversion, "format_spec": specified}
                    self.refuse("fstring-format", node, self._place(piece), **data)
                self.visit(piece.value)
        texts = [piece.value for piece in node.values if isinstance(piece, ast.Constant)]
        if not all(_is_encodable(str(text)) for text in texts):
            self.refuse("lone-surrogate", node, self._place(node))

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.DictComp, elements: list[ast.expr]) -> None:
        first = node.generators[0]
        if len(node.generators) > 1:
            self.refuse("nested-comprehension", node, self._place(node))
        elif first.ifs:
            self.refuse("filtered-comprehension", node, self._place(node))
        self._visit_all(elements)
        for generator in node.generators:
            self.visit(generator.target)
            self.visit(generator.iter)

    # Places

    def _visit_all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def _place(self, node: ast.AST) -> Range:
        return range_of(node, self._chunk.lines)

    def _converted_place(self, node: ast.expr) -> Range:
        """The whole of `node`, from the line where its converted form starts (parentheses may open above it)."""
        place = self._place(node)
        if self._ranges is None:
            return place
        own = self._ranges.of(node)
        return place if own.line == place.line else Range(own.line, own.column, place.end_line, place.end_column)

    def _refuse_else(self, node: ast.For | ast.While) -> None:
        if node.orelse:
            keyword = _keyword_before(node.body[-1], node.orelse[0], "else", self._chunk)
            self.refuse("loop-else", node, _head(node, self._chunk), keyword=keyword)

    def _operator_place(self, node: ast.AugAssign, operator: str) -> Range:
        """The operator, unless the compiler finds another `=`: it searches backwards from the value by characters."""
        between = _keyword_before(node.target, node.value, operator, self._chunk)
        if self._ranges is None:
            return between
        found = self._ranges.equals_sign_before(node.value)
        return between if found.line == between.line else found


def _is_encodable(value: str) -> bool:
    """Whether a string can be handed to the compiler, which keeps UTF-8."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _head(node: ast.AST, chunk: Chunk) -> Range:
    """The keyword of a block, with the name behind it for a definition."""
    place = range_of(node, chunk.lines)
    match = _HEADS.match(chunk.lines.line(place.line), place.column)
    return place if match is None else Range(place.line, place.column, place.line, match.end())


def _keyword_before(before: ast.AST, after: ast.AST, word: str, chunk: Chunk) -> Range:
    """Where `word` stands between two nodes, outside comments."""
    first = range_of(before, chunk.lines)
    last = range_of(after, chunk.lines)
    comments = {comment.range.line: comment.range.column for comment in chunk.comments}
    for number in range(first.end_line, last.line + 1):
        line = chunk.lines.line(number)[: comments.get(number)]
        start = first.end_column if number == first.end_line else 0
        found = line.find(word, start, last.column if number == last.line else len(line))
        if found >= 0:
            return Range(number, found, number, found + len(word))
    return last


def _ignored_block(node: ast.With) -> ast.Call | None:
    """The call of `with torch.jit._IgnoreContextManager(...)`, written exactly so."""
    call = node.items[0].context_expr
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        return call if ast.unparse(call.func) == "torch.jit._IgnoreContextManager" else None
    return None


def _declares_a_variable(keyword: ast.keyword) -> bool:
    """Whether `name="inp:T"` has the one colon that the compiler splits at."""
    value = keyword.value
    return isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value.count(":") == 1


def _unaligned(function: ast.FunctionDef, chunk: Chunk) -> Refusal | None:
    """The refusal of a function whose lines, aligned to its `def`, no longer parse."""
    source = aligned_source(function, chunk)
    found = next((number for number in range(len(source.inserted)) if _starts_with_def(source.line_text(number))), 0)
    taken_for_def = found + source.first_line
    mistaken = taken_for_def != function.lineno - 1
    moved = any(lacking and source.line_text(number).strip() for number, lacking in enumerate(source.inserted))
    if not (mistaken or moved or b"\f" in source.text):
        return None
    line = _line_out_of_place(function, source.text.decode("utf-8", "surrogatepass"))
    if line is None:
        return None
    return _unaligned_at(taken_for_def if mistaken else source.first_line + line, function, chunk)


def _starts_with_def(line: str) -> bool:
    return line.lstrip().startswith("def")


def _undedented(
    definition: ast.FunctionDef | ast.ClassDef, chunk: Chunk, *, without_comments: bool = False
) -> Refusal | None:
    """The refusal of an indented definition with a line left of it: its text is dedented without being aligned."""
    if definition.col_offset == 0:
        return None
    first = first_line_of(definition)
    lines = [chunk.lines.line(number) + "\n" for number in range(first, end_line_of(definition, chunk.lines))]
    if without_comments:
        lines = ["\n" if _is_mere_comment(line) else line for line in lines]
    line = _line_out_of_place(definition, "".join(lines))
    if line is None:
        return None
    indentation = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    outside = (number for number, text in enumerate(lines) if text.strip() and not text.startswith(indentation))
    return _unaligned_at(first + next(outside, line), definition, chunk)


def _is_mere_comment(line: str) -> bool:
    stripped = line.lstrip()
    return stripped.startswith("#") and not stripped.startswith("# type:")


def _line_out_of_place(definition: ast.FunctionDef | ast.ClassDef, text: str) -> int | None:
    """The line at which the dedented text of a definition fails to be that definition; None if it is."""
    try:
        with without_warnings():
            body = ast.parse(textwrap.dedent(text)).body
    except SyntaxError as error:
        return min(max(0, (error.lineno or 1) - 1), text.count("\n") - 1)
    except (ValueError, RecursionError, MemoryError):
        return 0
    return None if len(body) == 1 and isinstance(body[0], type(definition)) else 0


def _unaligned_at(line: int, definition: ast.AST, chunk: Chunk) -> Refusal:
    code = chunk.lines.line(line)
    place = Range(line, len(code) - len(code.lstrip()), line, len(code.rstrip()))
    return Refusal("unaligned-source", definition, place)


def _methods(definition: ast.ClassDef) -> list[FunctionNode]:
    """The functions of a class in the order of their conversion: methods, then getters and setters of properties."""
    methods: dict[str, FunctionNode] = {}
    properties: dict[str, list[FunctionNode]] = {}
    for statement in definition.body:
        if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if statement.name == "__new__" or _is_decorated(statement, "staticmethod"):
            continue
        if _is_decorated(statement, "property"):
            methods.pop(statement.name, None)
            properties[statement.name] = [statement]
        elif _is_decorated(statement, "setter"):
            properties.setdefault(statement.name, []).append(statement)
        else:
            properties.pop(statement.name, None)
            methods[statement.name] = statement
    ordered = [methods[name] for name in sorted(methods)]
    for name in sorted(properties):
        ordered += properties[name]
    return ordered


def _is_decorated(function: FunctionNode, name: str) -> bool:
    """Whether a decorator ends in `name`, as written."""
    for decorator in function.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        written = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", None)
        if written == name:
            return True
    return False


# What stops a class although refusals of the subset in its assignments do not.
_FATAL_IN_CLASS_BODY = frozenset(
    {"bytes-literal", "unary-plus", "annotated-attribute", "annotated-target", "class-level-division"}
)


class _ClassBodyVisitor(_Visitor):
    """In a class body the compiler believes division to be Python 2's, and refuses it."""

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.visit(node.left)
        self.visit(node.right)
        if isinstance(node.op, ast.Div):
            self.refuse("class-level-division", node, self._place(node))


def _class_assignment(statement: ast.Assign | ast.AnnAssign, chunk: Chunk) -> list[Refusal]:
    """What the compiler refuses of a class body's assignment: most refusals only make it forget the assignment."""
    visitor = _ClassBodyVisitor(chunk, None, None)
    try:
        visitor.visit(statement)
    except RecursionError:
        return []
    first = next(iter(visitor.result()), None)
    if first is None:
        return []
    fatal = first.code in _FATAL_IN_CLASS_BODY or (first.code == "dict-unpacking" and not first.data["leading"])
    return [first] if fatal else []
