"""The compiler's own source ranges.

Owns the range that the compiler gives to each node of a function, which is what its messages underline and what its
graph's values carry: it is built from starts of tokens and lengths of names and values, so closing brackets and quotes
are often outside, and lengths counted in characters fall short on text that is not ASCII.
Invariant: a pure function of the chunk's text and the node; every node has a range, unsupported ones their own extent.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property

from ts_lsp.syntax.quiet import without_warnings
from ts_lsp.syntax.source import AlignedSource, FunctionNode, aligned_source
from ts_lsp.syntax.tree import Chunk
from ts_lsp.syntax.typecomments import signature_comment
from ts_lsp.text import Range

_Span = tuple[int, int]

_KEYWORD_LENGTHS: dict[type[ast.AST], int] = {
    ast.Delete: len("del"),
    ast.Return: len("return"),
    ast.Raise: len("raise"),
    ast.Assert: len("assert"),
    ast.If: len("if"),
    ast.While: len("while"),
    ast.For: len("for"),
    ast.With: len("with"),
    ast.Pass: len("pass"),
    ast.Break: len("break"),
    ast.Continue: len("continue"),
    ast.FunctionDef: len("def"),
    ast.List: 1,
    ast.Tuple: 1,
    ast.Dict: 1,
    ast.Starred: 1,
    ast.JoinedStr: 1,
    ast.ListComp: 0,
    ast.GeneratorExp: 0,
    ast.DictComp: 0,
}
_OPERATOR_LENGTHS: dict[type[ast.unaryop], int] = {ast.Not: len("not"), ast.USub: 1, ast.Invert: 1}
_WITH_ITEM_LENGTH = len("with statements")
_UNCONVERTED = (
    ast.Lambda,
    ast.Set,
    ast.SetComp,
    ast.NamedExpr,
    ast.Yield,
    ast.YieldFrom,
    ast.Await,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.AsyncFor,
    ast.AsyncWith,
    ast.Try,
    ast.Import,
    ast.ImportFrom,
    ast.Global,
    ast.Nonlocal,
)


class CompilerRanges:
    """The ranges of the nodes of one function."""

    def __init__(self, chunk: Chunk, function: FunctionNode) -> None:
        self._chunk = chunk
        self._function = function
        self._spans: dict[ast.AST, _Span] = {}

    @cached_property
    def _source(self) -> AlignedSource:
        return aligned_source(self._function, self._chunk)

    def of(self, node: ast.AST) -> Range:
        """The compiler's range of `node`, relative to the chunk, in code points."""
        return self._source.range(*self._span(node), self._chunk.lines)

    def header(self, function: FunctionNode | None = None) -> Range:
        """`def` through the last parameter or the return annotation."""
        function = function or self._function
        parts: list[ast.AST] = list(_parameters(function))
        if function.returns is not None:
            parts.append(function.returns)
        return self._source.range(*_union([self._at(function, len("def")), *map(self._span, parts)]), self._chunk.lines)

    def equals_sign_before(self, value: ast.expr) -> Range:
        """Where the compiler believes the operator of an augmented assignment to be.

        It takes the byte offset of the value for a count of characters, and the character found for a byte.
        """
        text = self._source.text.decode("utf-8", "surrogatepass")
        found = text.rfind("=", 0, self._span(value)[0])
        return self._source.range(found - 1, found + 1, self._chunk.lines)

    def _span(self, root: ast.AST) -> _Span:
        """Children first, without recursion: expressions may be nested deeper than Python's stack."""
        spans = self._spans
        pending = [root]
        while pending:
            node = pending[-1]
            missing = [part for part in _parts(node) if part not in spans]
            if missing:
                pending.extend(missing)
                continue
            pending.pop()
            if node not in spans:
                spans[node] = self._combined(node)
        return spans[root]

    def _combined(self, node: ast.AST) -> _Span:
        """The union of the node's seed and the spans of its parts, which are known."""
        spans = [self._spans[part] for part in _parts(node)]
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.Slice):
            # Only inside its subscript does a slice have a base; see `_subscript`.
            return _union([*spans, self._extent(node)])
        if node is self._function:
            spans += self._commented_start()
        seed = self._seed(node)
        if seed is not None:
            spans.append(seed)
        return _union(spans) if spans else self._extent(node)

    def _commented_start(self) -> list[_Span]:
        """A signature comment's types bring offsets in the comment, which are taken for offsets in the source."""
        comment = signature_comment(self._function, self._chunk)
        if comment is None or comment.first_type is None:
            return []
        return [(comment.first_type, comment.first_type)]

    def _seed(self, node: ast.AST) -> _Span | None:
        if isinstance(node, ast.Name):
            return self._at(node, len(node.id))
        if isinstance(node, ast.Constant):
            return self._at(node, self._constant_length(node))
        if isinstance(node, ast.Attribute):
            return self._attribute_name(node)
        if isinstance(node, ast.arg):
            return self._at(node, len(node.arg))
        if isinstance(node, ast.UnaryOp):
            return self._at(node, _OPERATOR_LENGTHS.get(type(node.op), 1))
        if isinstance(node, ast.withitem):
            return self._at(node.context_expr, _WITH_ITEM_LENGTH)
        length = _KEYWORD_LENGTHS.get(type(node))
        return None if length is None else self._at(node, length)

    def _at(self, node: ast.AST, length: int) -> _Span:
        start = self._source.offset(node.lineno - 1, node.col_offset)  # type: ignore[attr-defined]
        return start, start + length

    def _extent(self, node: ast.AST) -> _Span:
        """The whole of a node that the compiler does not convert."""
        end_line = getattr(node, "end_lineno", None)
        if end_line is None:
            return self._at(self._function, len("def"))
        start, _ = self._at(node, 0)
        return start, self._source.offset(end_line - 1, node.end_col_offset)  # type: ignore[attr-defined]

    def _attribute_name(self, node: ast.Attribute) -> _Span:
        """One byte is taken for the dot, wherever the base's range ends, then blanks are skipped."""
        text = self._source.text
        start = self._spans[node.value][1] + 1
        while start < len(text) and text[start] in b" \t\n\r\x0b\x0c":
            start += 1
        return start, start + len(node.attr)

    def _subscript(self, node: ast.Subscript) -> _Span:
        base = self._spans[node.value]
        indices = []
        for index in _indices(node):
            if isinstance(index, ast.Slice):
                self._spans[index] = _union([base, *(self._spans[bound] for bound in _bounds(index))])
            indices.append(self._spans[index])
        if not indices:
            start = self._source.offset(node.lineno - 1, node.slice.col_offset)
            indices.append((start, start + len("()")))
        inside = _union(indices)
        return _union([(base[0], inside[1] + 1), base, inside])

    def _constant_length(self, node: ast.Constant) -> int:
        value = node.value
        if isinstance(value, str):
            return len(self._aligned_value(node, value)) + 1
        if value is Ellipsis:
            return len("...")
        try:
            return len(str(value))
        except ValueError:  # more digits than Python agrees to print
            return 1

    def _aligned_value(self, node: ast.Constant, value: str) -> str:
        """The value of a string in the compiler's text, where the lines of a long one are dedented with the code."""
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        if first == last:
            return value
        source = self._source
        literal = source.text[
            source.offset(first, node.col_offset) : source.offset(last, node.end_col_offset or 0)
        ].decode("utf-8", "surrogatepass")
        head, *tail = literal.split("\n")
        dedented = "\n".join([head, *(line[len(source.indentation) :] if line.strip(" \t") else "" for line in tail)])
        try:
            with without_warnings():
                known = ast.literal_eval(f"({dedented})")
        except (SyntaxError, ValueError):
            return value
        return known if isinstance(known, str) else value


def _union(spans: Iterable[_Span]) -> _Span:
    starts, ends = zip(*spans, strict=True)
    return min(starts), max(ends)


def _parameters(function: FunctionNode) -> Iterator[ast.arg]:
    """The parameters that the compiler converts: positional-only ones are none of them."""
    yield from function.args.args
    yield from function.args.kwonlyargs


def _indices(node: ast.Subscript) -> list[ast.expr]:
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _bounds(node: ast.Slice) -> list[ast.expr]:
    return [bound for bound in (node.lower, node.upper, node.step) if bound is not None]


def _parts(node: ast.AST) -> list[ast.AST]:
    """The nodes whose ranges go into the range of `node`, as the compiler converts it."""
    if isinstance(node, _UNCONVERTED):
        return []
    if isinstance(node, ast.Subscript):
        parts: list[ast.AST] = [node.value]
        for index in _indices(node):
            parts += _bounds(index) if isinstance(index, ast.Slice) else [index]
        return parts
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        return [node.elt, node.generators[0].target, node.generators[0].iter]
    if isinstance(node, ast.DictComp):
        return [node.key, node.value, node.generators[0].target, node.generators[0].iter]
    if isinstance(node, ast.JoinedStr):
        return [piece.value for piece in node.values if isinstance(piece, ast.FormattedValue)]
    if isinstance(node, ast.FunctionDef):
        returns = [] if node.returns is None else [node.returns]
        return [*_parameters(node), *returns, *node.body]
    if isinstance(node, (ast.For, ast.While)):
        head = [node.target, node.iter] if isinstance(node, ast.For) else [node.test]
        return [*head, *node.body]
    if isinstance(node, ast.Raise):
        return [] if node.exc is None else [node.exc]
    return [child for child in ast.iter_child_nodes(node) if not isinstance(child, _PLAIN)]


_PLAIN = (
    ast.expr_context,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
)
