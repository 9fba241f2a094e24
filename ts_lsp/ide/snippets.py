"""Calls with their required arguments to fill in, as editors write templates.

Owns `call_snippet`. Invariant: what is written compiles as far as the number of arguments goes, by the schema that the
completion shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ts_lsp.ide.completion_items import Completion

_OPENING, _CLOSING = "([{", ")]}"
_NESTED = re.compile(r"[(\[{\"][^)\]}]*,")
"""A comma that may be no border between two parameters."""


def call_snippet(item: Completion) -> str:
    """The template of a call: `name(${1:first}, key=${2:key})$0`; without a schema the cursor stands in the call."""
    if "(" not in item.detail:
        return f"{item.label}($0)"
    stops = []
    for number, (name, keyword_only) in enumerate(_required(item), 1):
        stop = f"${{{number}:{name}}}"
        stops.append(f"{name}={stop}" if keyword_only else stop)
    return f"{item.label}({', '.join(stops)})$0"


def _required(item: Completion) -> Iterator[tuple[str, bool]]:
    """The parameters that an argument must be written for, and whether only by keyword."""
    keyword_only = False
    for number, written in enumerate(_parameters(item.detail)):
        if written == "*":
            keyword_only = True
        elif "=" not in written and written != "...":
            name = written.rpartition(" ")[2]
            is_receiver = number == 0 and name == "self"
            if not (is_receiver and item.kind == "method" and item.operator):
                yield "input" if is_receiver else name, keyword_only


def _parameters(schema: str) -> list[str]:
    """The texts between the commas of a schema's parentheses."""
    begin = schema.index("(") + 1
    end = schema.find(") -> ", begin)
    inside = schema[begin:end]
    if end >= 0 and not _NESTED.search(inside):
        return [each for each in inside.split(", ") if each]
    found, depth = [], 0
    for place in range(begin - 1, len(schema)):
        each = schema[place]
        if each in _OPENING:
            depth += 1
        elif each in _CLOSING:
            depth -= 1
        if (each == "," and depth == 1) or depth == 0:
            found.append(schema[begin:place].strip())
            begin = place + 1
        if depth == 0:
            break
    return [each for each in found if each]
