"""Where a class stands: its first decorator's line, else the line of `class`.

Two classes of one file may share a qualified name; the lines of a class's own methods say which of them it is.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType


@dataclass(frozen=True)
class _Span:
    qualname: str
    first_line: int
    last_line: int


def class_line(cls: type) -> tuple[str, int] | None:
    """File and line of a class, None where its source cannot be found."""
    try:
        path = inspect.getsourcefile(cls)
    except (TypeError, OSError):
        return None
    if path is None or not Path(path).is_file():
        return None
    own_lines = [code.co_firstlineno for code in _own_code(cls) if code.co_filename == path]
    spans = [span for span in _class_spans(path) if span.qualname == cls.__qualname__]
    holding = [span for span in spans if any(span.first_line <= line <= span.last_line for line in own_lines)]
    candidates = holding or spans
    return (path, candidates[0].first_line) if candidates else None


def _own_code(cls: type) -> Iterator[CodeType]:
    for value in vars(cls).values():
        function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        code = getattr(function, "__code__", None)
        if isinstance(code, CodeType) and code.co_name != "<lambda>":
            yield code


@functools.lru_cache(maxsize=64)
def _class_spans(path: str) -> tuple[_Span, ...]:
    tree = ast.parse(Path(path).read_bytes())
    return tuple(_spans_inside(tree, ""))


def _spans_inside(node: ast.AST, prefix: str) -> Iterator[_Span]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
            yield _Span(prefix + child.name, first, child.end_lineno or child.lineno)
            yield from _spans_inside(child, f"{prefix}{child.name}.")
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _spans_inside(child, f"{prefix}{child.name}.<locals>.")
        else:
            yield from _spans_inside(child, prefix)
