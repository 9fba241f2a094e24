"""What stands in a definition if its text were another one: half-typed text, made whole.

Owns `Probe` and `probe_definition`. Invariant: what the program has compiled, and what needs what, stays as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from ts_lsp.records import dataclass, field, replace
from ts_lsp.semantic import functions
from ts_lsp.semantic.class_definitions import ClassDefinition
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.functions import Compiled
from ts_lsp.semantic.modules import ModuleDefinition
from ts_lsp.semantic.program import Program
from ts_lsp.semantic.reach import Reach
from ts_lsp.semantic.sugared import Sugared
from ts_lsp.syntax.tree import Chunk
from ts_lsp.types.model import Type
from ts_lsp.values.model import Unit


@dataclass(frozen=True, eq=False, slots=True)
class Sight:
    """A watched expression: what it stands for, which type its surroundings want, and the names in scope there."""

    value: Sugared
    hint: Type | None
    names: Mapping[str, Sugared]


@dataclass(eq=False, slots=True)
class Probe:
    """The expressions that are watched, and what was seen of them. What the compiler never looks at is not seen."""

    watched: frozenset[ast.AST]
    seen: dict[ast.AST, Sight] = field(default_factory=dict)

    @property
    def is_done(self) -> bool:
        """Whether everything was seen: then the statements that follow do not matter."""
        return len(self.seen) == len(self.watched) > 0

    def see(self, ctx: FunctionContext, node: ast.AST, hint: Type | None, value: Sugared) -> None:
        """An expression has been evaluated."""
        if node not in self.watched:
            return
        names: dict[str, Sugared] = {}
        for frame in ctx.environment.frame.chain():
            for name in (*frame.sugar, *frame.slots):
                found = frame.own(name)
                if found is not None:
                    names.setdefault(name, found)
        self.seen[node] = Sight(value, hint, names)


@dataclass(frozen=True, eq=False, slots=True)
class Probed:
    """What was seen, and a context of the definition in which to ask more."""

    seen: Mapping[ast.AST, Sight]
    context: FunctionContext


def probe_definition(
    program: Program, compiled: Compiled, node: ast.FunctionDef, chunk: Chunk, watched: Iterable[ast.AST]
) -> Probed:
    """Check the definition as `node`, of the changed `chunk`, has it."""
    before = compiled.value
    unit = Unit(before.unit.path, before.unit.module, chunk, before.unit.first_line, before.unit.base)
    value = replace(before, site=unit.site(node))
    trial = _trial_of(program, Probe(frozenset(watched)))
    owner = compiled.owner
    attempt = Compiled(value, owner, compiled.declaration, is_apart=True, unfinished=compiled.unfinished)
    kept = (owner.state, owner.failure) if owner is not None else None
    attributes = dict(owner.attributes) if owner is not None else {}
    unfinished = owner.unfinished if isinstance(owner, ModuleDefinition) else frozenset()
    try:
        if owner is not None:
            owner.state = "running"
        if isinstance(owner, ClassDefinition):
            owner.failure = None
        if isinstance(owner, ModuleDefinition):
            owner.unfinished = compiled.unfinished
        functions.check_function(trial, value, attempt, owner, compiled.declaration)
    except Exception:  # half-typed text may be stranger than any program: what was seen so far counts
        attempt.saw_unknown = True
    finally:
        if owner is not None and kept is not None:
            owner.state, owner.failure = kept
        if isinstance(owner, ClassDefinition):
            owner.attributes.clear()
            owner.attributes.update(attributes)
        if isinstance(owner, ModuleDefinition):
            owner.unfinished = unfinished
    seen = trial.probe.seen if trial.probe is not None else {}
    trial.probe = None  # what is compiled from now on is compiled to its end
    return Probed(seen, trial.context_of(value, owner))


def _trial_of(program: Program, probe: Probe) -> Program:
    """A program that knows what this one does; what compiles in it is forgotten with it."""
    return replace(
        program,
        functions=dict(program.functions),
        module_definitions=dict(program.module_definitions),
        module_types={name: list(known) for name, known in program.module_types.items()},
        classes=dict(program.classes),
        enums=dict(program.enums),
        refused_enums=dict(program.refused_enums),
        named_tuples=dict(program.named_tuples),
        class_names=dict(program.class_names),
        named_tuple_names=dict(program.named_tuple_names),
        interfaces=dict(program.interfaces),
        contexts=dict(program.contexts),
        custom=dict(program.custom),
        uncompilable=dict(program.uncompilable),
        refused={},
        refused_entries={},
        faults=[],
        reach=Reach(),
        probe=probe,
    )
