"""Smaller programs with the same difference.

Owns `shrunk`. Invariant: the result differs in the same sort and for the same finding and message as the program given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from scripts.fuzz.generation import Program
from scripts.fuzz.judging import Difference, Judges


def shrunk(difference: Difference, judges: Judges) -> Difference:
    """Statements, the result's annotation and unused parameters left out, one after the other, as far as it goes."""
    for smaller in _smaller(difference.program):
        found, _ = judges.differences([smaller])
        if found and _alike(found[0], difference):
            return shrunk(found[0], judges)
    return difference


def _smaller(program: Program) -> Iterator[Program]:
    for index in range(len(program.statements)):
        rest = program.statements[:index] + program.statements[index + 1 :]
        if rest:
            yield replace(program, statements=rest)
    for index, (name, _) in enumerate(program.parameters):
        if not re.search(rf"\b{name}\b", "\n".join(program.statements)):
            yield replace(program, parameters=program.parameters[:index] + program.parameters[index + 1 :])
    if program.result is not None:
        yield replace(program, result=None)


def _alike(one: Difference, other: Difference) -> bool:
    if one.sort == "schema":
        return other.sort == "schema"
    return one.kind == other.kind
