"""What `nn.Sequential` does: each element's result is the next one's argument.

Owns the types along the chain and the first element that does not fit. Invariant: only what is certain counts as a
fault.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ts_lsp.records import dataclass, replace
from ts_lsp.semantic.modules import ModuleDefinition
from ts_lsp.semantic.overloads import Arguments, Match, Mismatch, match
from ts_lsp.semantic.sugared import NamedArgument, Simple
from ts_lsp.types.model import TENSOR, UNKNOWN, InterfaceType, Type
from ts_lsp.types.relations import contains_unknown
from ts_lsp.types.schema import Argument, Schema

if TYPE_CHECKING:
    from ts_lsp.semantic.program import Program


@dataclass(frozen=True, slots=True)
class Fault:
    """An element that cannot take what the one before it gives, and why no variant of it does."""

    element: str
    argument: Type
    mismatches: Sequence[Mismatch]


def result(program: Program, sequence: ModuleDefinition, argument: Type = TENSOR) -> Type | Fault | None:
    """What the sequence gives for an argument, which is a Tensor where it compiles; None where that is not known."""
    outcome: Type | Fault | None = argument if not sequence.saw_unknown else None
    for child in sequence.submodules.values():
        outcome = _step(program, child, outcome) if isinstance(outcome, Type) else outcome
    return outcome


def _step(program: Program, child: ModuleDefinition | InterfaceType | None, argument: Type) -> Type | Fault | None:
    if not isinstance(child, ModuleDefinition) or contains_unknown(argument):
        return None
    if is_sequence(child):
        return result(program, child, argument)
    schemas = program.forward_schemas(child)
    if not schemas or child.object.hooks or child.object.pre_hooks:
        return None
    name = child.type.qualname.rpartition(".")[2]
    arguments = Arguments([NamedArgument(Simple(argument), ast.Name("input", ast.Load()))])
    outcome = match([replace(each, name=name, arguments=each.arguments[1:]) for each in schemas], arguments)
    return outcome.result if isinstance(outcome, Match) else Fault(name, argument, outcome)


def is_sequence(definition: ModuleDefinition) -> bool:
    """Whether calling the module runs its elements one after the other."""
    return definition.container == "torch.nn.Sequential" and definition.member("forward") is None


def forward_schema(program: Program, definition: ModuleDefinition) -> Schema:
    """The schema of a sequence's own `forward`: one Tensor goes in."""
    found = result(program, definition)
    returned = found if isinstance(found, Type) else UNKNOWN
    formals = (Argument("self", definition.type), Argument("input", TENSOR))
    return Schema("forward", "", formals, (Argument("", returned),))
