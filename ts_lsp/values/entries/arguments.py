"""What the calls that hand something to the compiler are given.

Owns `CompileCall` and `targets`. Invariant: an argument is evaluated at the very place of its call; in loops and
comprehensions over known elements it is one value for each of them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from ts_lsp.records import dataclass, field, replace
from ts_lsp.syntax.tree import Chunk
from ts_lsp.syntax.walking import children
from ts_lsp.values import loops
from ts_lsp.values.bindings import Binding, Placed, own_expressions, parameter_names
from ts_lsp.values.evaluation import evaluate
from ts_lsp.values.model import InstanceValue, UnknownValue, Value
from ts_lsp.values.scopes import LexicalScope, View

MOST_TARGETS = 16
_OBJECT_KEYWORDS = ("obj", "fn", "mod", "nn_module")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True, eq=False)
class CompileCall:
    """A call in a scope that may hand something to the compiler.

    `callee` may be the compiling function; with `is_mapped` it is applied to all elements of the argument, as in
    `map(torch.jit.script, modules)`. `around` are the comprehensions and lambdas the call stands in.
    """

    node: ast.Call
    callee: ast.expr
    placed: Placed
    around: tuple[ast.expr, ...] = ()
    is_mapped: bool = False

    @property
    def argument(self) -> ast.expr | None:
        given = self.node.args[1:] if self.is_mapped else self.node.args
        if given:
            return None if isinstance(given[0], ast.Starred) else given[0]
        named = {keyword.arg: keyword.value for keyword in self.node.keywords}
        found = next((named[name] for name in _OBJECT_KEYWORDS if name in named), None)
        return found or next(iter(named.values()), None)


@dataclass(frozen=True, eq=False)
class Callees:
    """The last parts of the callees that are looked for, and the lines of each chunk, counted from 1, that hold one."""

    names: frozenset[str]
    _lines: WeakKeyDictionary[Chunk, frozenset[int]] = field(default_factory=WeakKeyDictionary)

    def hold(self, callee: ast.expr) -> bool:
        return last_part(callee) in self.names

    def may_stand_in(self, expression: ast.expr, chunk: Chunk) -> bool:
        """Whether the lines of an expression hold one of the names: what is not among them need not be walked."""
        lines = self._lines.get(chunk)
        if lines is None:
            pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, self.names))})\b")
            starts = (match.start() for match in pattern.finditer(chunk.text))
            lines = self._lines[chunk] = frozenset(chunk.lines.position(start)[0] + 1 for start in starts)
        last = expression.end_lineno or expression.lineno
        return any(number in lines for number in range(expression.lineno, last + 1))


def last_part(callee: ast.expr) -> str:
    """The name that a callee is written as, or the last one of a dotted one."""
    return callee.id if isinstance(callee, ast.Name) else callee.attr if isinstance(callee, ast.Attribute) else ""


def calls_of(scope: LexicalScope, callees: Callees) -> list[CompileCall]:
    """The calls of a scope's own statements whose callee may compile what it is given, in order."""
    found: list[CompileCall] = []
    for placed in scope.table.statements:
        decorators = getattr(placed.statement, "decorator_list", ())
        for expression in own_expressions(placed.statement):
            if not callees.may_stand_in(expression, placed.unit.chunk):
                continue
            for node, around in _calls_in(expression):
                if node in decorators:  # what such a call gives compiles the definition, not what it is given
                    continue
                if callees.hold(node.func):
                    found.append(CompileCall(node, node.func, placed, around))
                elif _maps(node) and callees.hold(node.args[0]):
                    found.append(CompileCall(node, node.args[0], placed, around, True))
    return found


def _calls_in(expression: ast.expr) -> Iterator[tuple[ast.Call, tuple[ast.expr, ...]]]:
    pending: list[tuple[ast.AST, tuple[ast.expr, ...]]] = [(expression, ())]
    while pending:
        node, around = pending.pop()
        if isinstance(node, ast.Call):
            yield node, around
        if isinstance(node, (ast.Lambda, *_COMPREHENSIONS)):
            around = (*around, node)
        pending.extend((child, around) for child in reversed(children(node)))


def _maps(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "map" and len(node.args) == 2


def place_of(call: CompileCall, scope: LexicalScope) -> View:
    return View(scope, call.placed.position, call.placed.path, call.placed.unit)


def targets(call: CompileCall, at: View) -> list[Value]:
    """What a compile call is given: one value, or in loops over known elements each of them."""
    argument = call.argument
    if argument is None:
        return []
    found: list[Value] = []
    for view in rounds(call, argument, at):
        given = list(loops.elements(argument, view) or ()) if call.is_mapped else [given_value(argument, view)]
        found.extend(target for target in given if target not in found)
    known = [each for each in found if not isinstance(each, UnknownValue)]
    return (known or found or [UnknownValue("elements")])[:MOST_TARGETS]


def rounds(call: CompileCall, part: ast.expr, at: View) -> list[View]:
    """The place of a call in each round of the loops and comprehensions around that a part of it depends on."""
    names = {each.id for node in (part, *call.around) for each in ast.walk(node) if isinstance(each, ast.Name)}
    views = loops.iterations(at, frozenset(names), MOST_TARGETS) or [at]
    for node in call.around:
        views = [inner for view in views for inner in _inside(node, view)]
    return views[:MOST_TARGETS]


def _inside(node: ast.expr, at: View) -> list[View]:
    """A place as seen inside a comprehension or lambda: in each round, or with unknown values for its names."""
    if isinstance(node, ast.Lambda):
        names = parameter_names(node.args)
    else:
        assert isinstance(node, _COMPREHENSIONS)
        rounds = loops.rounds_of(node.generators, at)
        if rounds is not None and len(rounds) <= MOST_TARGETS:
            return rounds
        bound = [part for generator in node.generators for part in ast.walk(generator.target)]
        names = [part.id for part in bound if isinstance(part, ast.Name)]
    hidden = tuple((name, UnknownValue(f"variable {name}")) for name in names)
    return [replace(at, given=(*hidden, *at.given))]


def given_value(argument: ast.expr, at: View) -> Value:
    """The value of an argument, with what the statements before the call did to it."""
    target = evaluate(argument, at)
    if isinstance(target, UnknownValue):
        target = at.scope.interpreter.module_made(argument, at) or target
    return _changed(argument, target, at)


def latest(scope: LexicalScope, name: str, position: int) -> Binding | None:
    """The last binding of a name before a position."""
    before = [binding for binding in scope.table.bindings.get(name, ()) if binding.position < position]
    return before[-1] if before else None


def _changed(argument: ast.expr, target: Value, at: View) -> Value:
    """A module held by a name, with the statements that changed it between its making and the compile call."""
    name = _root(argument)
    if not isinstance(target, InstanceValue) or not name:
        return target
    if not isinstance(argument, ast.Name) and at.lookup(name) is not target:
        return target
    start = _made_at(name, target, at)
    around = [arm.statement for arm in at.path]
    changes = [
        (name, placed.statement, View(at.scope, placed.position, placed.path, placed.unit))
        for placed in at.scope.table.statements
        if start is not None
        and start < placed.position < at.position
        and placed.path == at.path[: len(placed.path)]
        and not any(placed.statement is each for each in around)
        and _changes(placed.statement, name)
    ]
    return replace(target, changes=(*target.changes, *changes)) if changes else target


def _made_at(name: str, target: InstanceValue, at: View) -> int | None:
    """The position in the scope from which on statements may have changed a module; None if it came from elsewhere."""
    if target.made_by is not None:
        made_in = target.made_by[1]
        if isinstance(made_in, View) and made_in.scope is at.scope and made_in.position < at.position:
            return made_in.position
    binding = latest(at.scope, name, at.position)
    return binding.position if binding is not None and binding.path == at.path[: len(binding.path)] else None


def _changes(statement: ast.stmt, name: str) -> bool:
    """Whether a statement assigns to parts of an object, calls its methods or passes it on."""
    if isinstance(statement, (ast.For, ast.If, ast.While, ast.With, ast.Try)):
        return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(statement))
    targets: list[ast.expr] = []
    if isinstance(statement, (ast.Assign, ast.Delete)):
        targets = statement.targets
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        targets = [statement.target]
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        # What a test case does with a module (`self.assertEqual(m(x), y)`) leaves it as it is.
        targets = [call.func] if _root(call.func) == "self" else [call.func, *call.args]
    return any(not isinstance(each, ast.Name) or isinstance(statement, ast.Expr) for each in targets) and any(
        _root(each) == name for each in targets
    )


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
