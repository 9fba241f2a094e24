"""The objects that constructing a class may give.

Owns `instantiate`: runs of the interpreter, one for each way its decisions may go, and the worlds they add up to.
Invariant: total and bounded. Where the runs are too many or too long, one object stands for all, and is not complete.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ts_lsp.records import dataclass, replace
from ts_lsp.values.calls import Arguments
from ts_lsp.values.model import ClassValue, FunctionValue, InstanceValue, ModuleObject, TorchValue, Value
from ts_lsp.values.running.attributes import attribute
from ts_lsp.values.running.calls import call
from ts_lsp.values.running.expressions import evaluate
from ts_lsp.values.running.objects import Freezer, ModuleUnderConstruction, Raised, agreed, doubted, merged_modules
from ts_lsp.values.running.operators import iterated
from ts_lsp.values.running.readiness import made_ready
from ts_lsp.values.running.run import MOST_STEPS, Decision, Exhausted, Frame, Language, Run, World
from ts_lsp.values.running.statements import execute
from ts_lsp.values.scopes import View

MOST_WORLDS = 12
_MOST_RUNS = 48
_UNLIMITED = 1 << 30
_MOST_STEPS = 400_000
LANGUAGE = Language(evaluate, execute, call, attribute, iterated)


class _Nowhere:
    """The scope of what stands in no text."""

    def lookup(self, name: str) -> Value | None:
        return None

    def lookup_global(self, name: str) -> Value | None:
        return None


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What one run gave, and the decisions it took. No object where it raised."""

    object: ModuleObject | None
    decisions: tuple[Decision, ...]


def instantiate(value: InstanceValue | ModuleObject, world: World) -> tuple[ModuleObject, ...]:
    """The objects that the construction of `value` may give; none where that is certainly no module."""
    if not isinstance(value.of, (ClassValue, TorchValue)):
        return ()
    outcomes: list[_Outcome] = []
    given: list[bool] | None = []
    steps = 0
    while given is not None:
        run = Run(world, LANGUAGE, tuple(given))
        made = _run(value, run, Frame(run, _Nowhere(), None))
        steps += run.steps
        if made is None or len(outcomes) >= _MOST_RUNS or steps > _MOST_STEPS:
            return (_unfinished(value, world),)
        outcomes.append(made)
        given = _next(made.decisions)
    worlds = _worlds(outcomes)
    return worlds if 0 < len(worlds) <= MOST_WORLDS else (_unfinished(value, world),)


def module_made(node: ast.expr, at: View, world: World) -> tuple[InstanceValue, ModuleObject | None] | None:
    """What an expression makes, where that is a module, with the object where nothing was left to decide.

    None where it makes something else, or that is not known.
    """
    found: InstanceValue | None = None
    for otherwise in (True, False):
        run = Run(world, LANGUAGE, (), otherwise, _UNLIMITED)
        frame = Frame(run, at, at.unit)
        try:
            made = evaluate(node, frame)
        except Raised:
            continue
        except (Exhausted, RecursionError):
            return None
        if not isinstance(made, ModuleUnderConstruction) or (found is not None and found.of != made.of):
            return None
        freezer = Freezer()
        found = InstanceValue(made.of, freezer.values(made.arguments), freezer.keywords(made.keywords), (node, at))
        if not run.taken:
            outcome = _outcome(made, run, frame)
            return found, outcome.object if outcome is not None and not outcome.decisions else None
    return (found, None) if found is not None else None


def made_by_calling(function: FunctionValue, world: World, most_steps: int) -> tuple[ModuleObject | None, int]:
    """The module that a function makes when it is called without arguments, and the steps that took.

    None where it makes something else, or where anything had to be decided.
    """
    run = Run(world, LANGUAGE, (), True, 0, steps=max(0, MOST_STEPS - most_steps))
    before, frame = run.steps, Frame(run, _Nowhere(), None)
    try:
        outcome = _outcome(call(function, Arguments(), frame), run, frame)
    except (Raised, Exhausted, RecursionError):
        outcome = None
    return outcome.object if outcome is not None else None, run.steps - before


def _run(value: InstanceValue | ModuleObject, run: Run, frame: Frame) -> _Outcome | None:
    """One run; None where it is too long or too deep."""
    try:
        made: Value | None = run.thaw(value, frame)
    except Raised:
        made = None
    except (Exhausted, RecursionError):
        return None
    return _outcome(made, run, frame)


def _outcome(made: Value | None, run: Run, frame: Frame) -> _Outcome | None:
    """What a run that made an object gave; None where getting it ready is too much."""
    if isinstance(made, ModuleUnderConstruction):
        try:
            frozen = Freezer().value(made_ready(made, frame))
        except Raised:
            frozen = None
        except (Exhausted, RecursionError):
            return None
        return _Outcome(frozen if isinstance(frozen, ModuleObject) else None, tuple(run.taken))
    return _Outcome(None, tuple(run.taken))


def _next(decisions: Sequence[Decision]) -> list[bool] | None:
    """The decisions of the next run: the last one that was true goes the other way."""
    outcomes = [each.outcome for each in decisions]
    while outcomes and not outcomes[-1]:
        outcomes.pop()
    if not outcomes:
        return None
    return [*outcomes[:-1], False]


def _worlds(outcomes: Sequence[_Outcome]) -> tuple[ModuleObject, ...]:
    """The distinct objects, each with the choices that all runs leading to it share."""
    found: list[tuple[ModuleObject, list[str]]] = []
    for outcome in outcomes:
        if outcome.object is None:
            continue
        labels = [each.label for each in outcome.decisions if each.label]
        for index, (other, shared) in enumerate(found):
            both = merged_modules(other, outcome.object)
            if both is not None:
                found[index] = (both, [label for label in shared if label in labels])
                break
        else:
            found.append((outcome.object, labels))
    common = {label for _, labels in found[:1] for label in labels if all(label in other for _, other in found)}
    return tuple(
        replace(each, worlds=tuple(label for label in labels if label not in common)) for each, labels in found
    )


def _unfinished(value: InstanceValue | ModuleObject, world: World) -> ModuleObject:
    """One object that is not complete: what two opposite runs agree about."""
    found: list[ModuleObject] = []
    for otherwise in (True, False):
        run = Run(world, LANGUAGE, (), otherwise, _UNLIMITED)
        made = _run(value, run, Frame(run, _Nowhere(), None))
        if made is not None and made.object is not None:
            found.append(made.object)
    if len(found) == 2:
        return doubted(agreed(found[0], found[1]))
    of = found[0].of if found else value.of
    assert isinstance(of, (ClassValue, TorchValue)), "asked by instantiate"
    return ModuleObject(of, value.arguments, value.keywords, is_complete=False)
