"""Programs: small functions grown from the grammar.

Owns `Program` and `Generator`. Invariant: a seed gives the same programs under the same Python.
"""

from __future__ import annotations

import random
import re
import warnings
from dataclasses import dataclass, field

from scripts.fuzz.grammar import GENERIC, LOOSE, RARE_TYPES, SCALARS, SHAPES, STATEMENTS, TYPES
from scripts.fuzz.operators import Callables

_HOLE = re.compile(r"<((?:new:|old:)?[A-Za-z][\w.\[\], ]*)>")
_DEPTH = 2


@dataclass(frozen=True)
class Program:
    """One function: annotated parameters (in order), statements (some of several lines), and how it returns."""

    parameters: tuple[tuple[str, str], ...]
    statements: tuple[str, ...]
    result: str | None = None

    def text(self, name: str) -> str:
        """The function's source under a name; a fixed number of lines for each statement."""
        parameters = ", ".join(f"{each}: {type_}" for each, type_ in self.parameters)
        arrow = f" -> {self.result}" if self.result else ""
        body = "\n".join(self.statements).replace("\n", "\n    ")
        return f"def {name}({parameters}){arrow}:\n    {body}\n"


@dataclass
class _Scope:
    """The names one function has so far, by type."""

    names: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, str] = field(default_factory=dict)
    locals: int = 0

    def of(self, type_: str) -> list[str]:
        return [name for name, found in (*self.parameters.items(), *self.names.items()) if found == type_]


class Generator:
    """Grows programs. `slips` is how often a hole is filled with another type than it asks for."""

    def __init__(self, seed: int, callables: Callables, slips: float = 0.06) -> None:
        self._random = random.Random(seed)
        self._callables = callables
        self._slips = slips

    def program(self) -> Program:
        """The next program that is Python at all."""
        while True:
            program = self._any_program()
            if _is_python(program.text("f")):
                return program

    def _any_program(self) -> Program:
        scope = _Scope()
        count = self._random.choice((0, 0, 0, 1, 1, 2, 3))
        statements = [self._statement(scope) for _ in range(count)]
        result = self._any_type() if self._random.random() < 0.25 else None
        statements.append(f"return {self._root(scope, result)}")
        return Program(tuple(scope.parameters.items()), tuple(map(self._over_lines, statements)), result)

    def _over_lines(self, statement: str) -> str:
        """Now and then a statement with its brackets broken over several lines."""
        if self._random.random() > 0.15:
            return statement
        return re.sub(r"[(\[{] ?|, ", lambda found: found[0] + "\n    " * (self._random.random() < 0.3), statement)

    def _any_type(self) -> str:
        return self._random.choice(RARE_TYPES if self._random.random() < 0.15 else TYPES)

    def _root(self, scope: _Scope, result: str | None) -> str:
        """What is returned: an expression of the type wanted, a call of something of torch's, or anything."""
        kind = self._random.random()
        if result is not None and kind < 0.7:
            return self._expression(scope, result, _DEPTH)
        if kind < 0.4:
            return self._filled(scope, self._callables.template(self._random), self._random.randrange(_DEPTH))
        if kind < 0.85:
            return self._filled(scope, self._random.choice(LOOSE), self._random.randrange(_DEPTH))
        return self._expression(scope, self._any_type(), _DEPTH)

    def _statement(self, scope: _Scope) -> str:
        return self._filled(scope, self._random.choice(STATEMENTS), 1)

    def _expression(self, scope: _Scope, type_: str, depth: int) -> str:
        """An expression meant to have a type."""
        if self._random.random() < self._slips:
            if depth > 0 and self._random.random() < 0.4:
                return f"({self._filled(scope, self._random.choice(LOOSE), depth - 1)})"
            type_ = self._any_type()
        shapes = SHAPES.get(type_, ())
        leaf = depth <= 0 or self._random.random() < 0.45
        if leaf or not shapes:
            plain = [shape for shape in shapes if "<" not in shape]
            if plain and self._random.random() < 0.25:
                return self._random.choice(plain)
            return self._name(scope, type_)
        shape = self._random.choice(GENERIC) if self._random.random() < 0.1 else self._random.choice(shapes)
        text = self._filled(scope, re.sub(r"\bT\b", type_, shape) if shape in GENERIC else shape, depth - 1)
        return f"({text})" if " " in text and depth < _DEPTH and text[0] not in "([{'f" else text

    def _name(self, scope: _Scope, type_: str) -> str:
        """A name of that type: one at hand, or a new parameter."""
        found = scope.of(type_)
        if found and self._random.random() < 0.8:
            return self._random.choice(found)
        name = f"p{len(scope.parameters)}"
        scope.parameters[name] = type_
        return name

    def _filled(self, scope: _Scope, shape: str, depth: int) -> str:
        """A shape with its holes filled; the holes and types called `T` are mostly of one type."""
        common = self._any_type() if self._random.random() < 0.5 else self._random.choice(SCALARS)
        fresh = f"v{scope.locals}"
        scope.locals += 1
        bound: list[tuple[str, str]] = []

        def fill(match: re.Match[str]) -> str:
            asked = match[1]
            if asked == "name":
                return fresh
            asked = re.sub(r"\bT\b", common if self._random.random() < 0.75 else self._any_type(), asked)
            if asked.startswith("new:"):
                bound.append((f"v{scope.locals}", asked[4:]))
                scope.locals += 1
                return bound[-1][0]
            if asked.startswith("old:"):
                return self._name(scope, asked[4:])
            return self._expression(scope, asked, depth)

        text = _HOLE.sub(fill, shape)
        scope.names.update(bound)
        return re.sub(r"\bT\b(?!\))(?=[,\s=\]])|(?<=, )T(?=\))", common, text) if "T" in shape else text


def _is_python(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<program>", "exec")
        except SyntaxError:
            return False
    return True
