"""What a call in compiled code is matched against, and which of that the compiler takes.

Owns `schemas_at`. Invariant: costs one check of the definition around; nothing of it is kept.
"""

from __future__ import annotations

import ast

from ts_lsp.ide.cursor import Cursor
from ts_lsp.ide.half_typed import probe_text
from ts_lsp.records import replace
from ts_lsp.semantic.offered import Candidates, schemas_of
from ts_lsp.semantic.overloads import Arguments, Match, match
from ts_lsp.semantic.probing import Probed
from ts_lsp.semantic.sugared import UNKNOWN_VALUE, NamedArgument, Simple
from ts_lsp.types.schema import Schema


def schemas_at(cursor: Cursor, callee: ast.expr) -> tuple[Schema, ...]:
    """What calling an expression may match, without what nobody writes: what the call around it matches comes first."""
    call = next((each for each in cursor.nodes if isinstance(each, ast.Call) and each.func is callee), None)
    given = [*call.args, *(each.value for each in call.keywords)] if call is not None else []
    probed = probe_text(cursor, [callee, *given])
    sight = probed.seen.get(callee) if probed is not None else None
    found = schemas_of(probed.context, sight.value, callee) if probed is not None and sight is not None else None
    if found is None or probed is None:
        return ()
    matched = match(found.schemas, written_arguments(probed, call, found)) if call is not None else None
    chosen = [matched.schema] if isinstance(matched, Match) else []
    return tuple(_as_written(each, found) for each in dict.fromkeys((*chosen, *found.schemas)))


def _as_written(schema: Schema, found: Candidates) -> Schema:
    is_method = found.is_bound and not found.is_operator
    return replace(schema, arguments=schema.arguments[1:]) if is_method else schema


def written_arguments(probed: Probed, call: ast.Call, found: Candidates, unwritten: ast.AST | None = None) -> Arguments:
    """The arguments of a call with what is known of them, but for one that stands for what is not written yet."""
    positional = [NamedArgument(_value(probed, each), each) for each in call.args if each is not unwritten]
    keywords = [
        NamedArgument(_value(probed, each.value), each.value, each.arg)
        for each in call.keywords
        if each.arg is not None and each is not unwritten
    ]
    if found.is_bound and found.receiver is None:
        positional.insert(0, NamedArgument(UNKNOWN_VALUE, call.func))
    complete = not any(isinstance(each, ast.Starred) for each in call.args)
    return Arguments(tuple(positional), tuple(keywords), found.receiver, complete)


def _value(probed: Probed, node: ast.expr) -> Simple:
    sight = probed.seen.get(node)
    return sight.value if sight is not None and isinstance(sight.value, Simple) else UNKNOWN_VALUE
