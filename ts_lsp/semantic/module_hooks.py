"""The forward hooks of a module: they compile after its methods, and have to go with the types of `forward`.

Owns the check of their signatures. Invariant: a hook that does not fit is reported where it is defined, and nothing is
said where `forward` or the hook is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ts_lsp.semantic.facts import Finding
from ts_lsp.semantic.functions import Compiled
from ts_lsp.semantic.modules import ModuleDefinition
from ts_lsp.types.model import NONE, TupleType, Type
from ts_lsp.types.relations import contains_unknown
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import FunctionValue

if TYPE_CHECKING:
    from ts_lsp.semantic.program import Program


def check_hooks(program: Program, definition: ModuleDefinition, forward: Sequence[Schema]) -> Iterator[Compiled]:
    """Compile the hooks in the compiler's order, those behind `forward` first; `forward` are its possible schemas."""
    schema = forward[0] if len(forward) == 1 else None
    result = schema.returns[0].type if schema is not None else None
    for hook in definition.object.hooks:
        if isinstance(hook, FunctionValue):
            compiled = program.compile_function(hook, definition)
            _check(program, definition, compiled, _misfit(compiled.schema, schema, result, is_early=False))
            result = compiled.schema.returns[0].type if compiled.schema is not None else None
            yield compiled
    for hook in definition.object.pre_hooks:
        if isinstance(hook, FunctionValue):
            compiled = program.compile_function(hook, definition)
            _check(program, definition, compiled, _misfit(compiled.schema, schema, None, is_early=True))
            yield compiled


def _misfit(hook: Schema | None, forward: Schema | None, result: Type | None, *, is_early: bool) -> tuple[str, Type] | None:
    """Why the signature of a hook does not go with `forward`, and the type that would."""
    if hook is None or forward is None:
        return None
    wanted = TupleType(tuple(each.type for each in forward.arguments[1:]))
    types = [each.type for each in hook.arguments]
    if any(contains_unknown(each) for each in (wanted, *types, *([result] if result is not None else []))):
        return None
    if len(types) != (2 if is_early else 3):
        return "parameters", wanted
    if types[1] != wanted:
        return "input", wanted
    if not is_early:
        return ("output", result) if result is not None and types[2] != result else None
    allowed = (NONE, wanted, *(wanted.elements if len(wanted.elements) == 1 else ()))
    return ("return", wanted) if hook.returns[0].type not in allowed else None


def _check(
    program: Program, definition: ModuleDefinition, compiled: Compiled, misfit: tuple[str, Type] | None
) -> None:
    """A signature that does not fit comes before anything of the hook's body."""
    facts, hook = compiled.facts, compiled.value
    if misfit is None and not _lacks_return(definition, hook):
        return
    if facts is None or any(each.code == "invalid-hook" for each in facts.findings):
        return
    reason, expected = misfit if misfit is not None else ("no-return", None)
    place = program.context_of(hook, definition).place(hook.node)
    data = {"name": hook.name, "reason": reason, "expected": expected}
    finding = Finding("invalid-hook", place, hook.qualname, data, (), hook.node)
    compiled.failure, compiled.failure_unit = finding, hook.unit
    compiled.facts = replace(
        facts, verdict="error", first_error=finding, first_error_unit=hook.unit, findings=(finding, *facts.findings)
    )


def _lacks_return(definition: ModuleDefinition, hook: FunctionValue) -> bool:
    return hook in definition.object.pre_hooks and getattr(hook.node, "returns", None) is None
