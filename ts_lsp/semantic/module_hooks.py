"""The forward hooks of a module: they compile after its methods, and have to go with the types of `forward`.

Owns the check of their signatures. Invariant: a hook that does not fit is reported where it is defined, and nothing is
said where `forward` or the hook is not known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ts_lsp.records import replace
from ts_lsp.semantic.facts import Finding
from ts_lsp.semantic.functions import Compiled
from ts_lsp.semantic.modules import ModuleDefinition
from ts_lsp.types.model import NONE, TupleType, Type
from ts_lsp.types.relations import contains_unknown
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import FunctionValue

if TYPE_CHECKING:
    from ts_lsp.semantic.program import Program

Misfit = tuple[str, "Type | None"]  # the reason, and the type that would fit


def compile_hooks(program: Program, definition: ModuleDefinition) -> Iterator[Compiled]:
    """Compile the hooks in the compiler's order: those behind `forward`, then those before it."""
    module = definition.object
    if not module.hooks and not module.pre_hooks:
        return
    found = program.forward_schemas(definition)
    forward = found[0] if len(found) == 1 else None
    result = forward.returns[0].type if forward is not None else None
    methods = set(program.module_schemas(definition))
    named: dict[str, FunctionValue] = {}
    for hook in (*module.hooks, *module.pre_hooks):
        if not isinstance(hook, FunctionValue):
            continue
        compiled = program.compile_function(hook, definition)
        misfit = _misplaced(definition, hook, methods, named)
        if misfit is None and forward is not None and compiled.schema is not None:
            is_early = hook in module.pre_hooks
            misfit = _early_misfit(hook, compiled.schema, forward) if is_early else None
            if not is_early:
                misfit = _late_misfit(compiled.schema, forward, result)
                result = compiled.schema.returns[0].type
        if misfit is not None:
            _report(program, definition, compiled, misfit)
        yield compiled


def _misplaced(
    definition: ModuleDefinition, hook: FunctionValue, methods: set[str], named: dict[str, FunctionValue]
) -> Misfit | None:
    """Why there cannot be a hook of that name here."""
    value = definition.value
    has_no_forward = value is not None and definition.member("forward") is None and not definition.schemas
    if has_no_forward and "forward" not in definition.values and not definition.saw_unknown:
        return "no-forward", None
    if hook.name in methods or named.setdefault(hook.name, hook) is not hook:
        return "name", None
    return None


def _late_misfit(hook: Schema, forward: Schema, result: Type | None) -> Misfit | None:
    wanted = TupleType(tuple(each.type for each in forward.arguments[1:]))
    types = [each.type for each in hook.arguments]
    if len(types) != 3:
        return "parameters", wanted
    if _differ(types[1], wanted):
        return "input", wanted
    return ("output", result) if result is not None and _differ(types[2], result) else None


def _early_misfit(hook: FunctionValue, schema: Schema, forward: Schema) -> Misfit | None:
    wanted = TupleType(tuple(each.type for each in forward.arguments[1:]))
    types = [each.type for each in schema.arguments]
    if len(types) != 2:
        return "parameters", wanted
    if _differ(types[1], wanted):
        return "input", wanted
    if getattr(hook.node, "returns", None) is None:
        return "no-return", None
    allowed = (NONE, wanted, *(wanted.elements if len(wanted.elements) == 1 else ()))
    return ("return", wanted) if all(_differ(schema.returns[0].type, each) for each in allowed) else None


def _differ(found: Type, wanted: Type) -> bool:
    return found != wanted and not contains_unknown(found) and not contains_unknown(wanted)


def _report(program: Program, definition: ModuleDefinition, compiled: Compiled, misfit: Misfit) -> None:
    """A signature that does not fit comes before anything of the hook's body."""
    facts, hook = compiled.facts, compiled.value
    if facts is None or any(each.code == "invalid-hook" for each in facts.findings):
        return
    place = program.context_of(hook, definition).place(hook.node)
    data = {"name": hook.name, "reason": misfit[0], "expected": misfit[1]}
    finding = Finding("invalid-hook", place, hook.qualname, data, (), hook.node)
    compiled.failure, compiled.failure_unit, compiled.is_amended = finding, hook.unit, True
    compiled.facts = replace(
        facts, verdict="error", first_error=finding, first_error_unit=hook.unit, findings=(finding, *facts.findings)
    )
