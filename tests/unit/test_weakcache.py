"""`ts_lsp.weakcache`: an answer is worked out once, and is gone with what it was about."""

from __future__ import annotations

import ast
import gc

from ts_lsp.syntax.parser import beyond_parsing, parse_source
from ts_lsp.types.model import INT, ListType
from ts_lsp.weakcache import cached_weakly


def test_equal_arguments_are_answered_once() -> None:
    asked = []

    @cached_weakly
    def answer(about: ListType) -> int:
        asked.append(about)
        return len(asked)

    first = ListType(INT)
    assert answer(first) == answer(ListType(INT)) == 1
    assert answer(ListType(ListType(INT))) == 2


def test_nothing_is_kept_alive() -> None:
    chunk = parse_source("def f():\n    pass\nbreak\n").chunks[-1].chunk
    tree = chunk.tree
    assert beyond_parsing(chunk)
    del chunk
    gc.collect()
    holders = [each for each in gc.get_referrers(tree) if isinstance(each, (dict, ast.AST))]
    assert holders == []
