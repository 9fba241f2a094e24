"""The frames of names of a definition being checked.

Owns `Frame` and `Environment`, which mirror the compiler's: each frame has first-class slots and sugar, sugar is
looked at first, and a name of an outer frame can only be re-assigned to a value of its type.
Invariant: nothing here reports; callers decide what a failed lookup or store means.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ts_lsp.records import dataclass, field
from ts_lsp.semantic.sugared import Simple, Sugared
from ts_lsp.types.model import Type


@dataclass(frozen=True, slots=True)
class Slot:
    """A first-class name: the type it reads as, the type of the value last stored, and where it was stored."""

    type: Type
    stored: Type
    node: ast.AST | None = None
    refined: bool = False


@dataclass(slots=True)
class Frame:
    parent: Frame | None = None
    slots: dict[str, Slot] = field(default_factory=dict)
    sugar: dict[str, Sugared] = field(default_factory=dict)
    returns: bool = False
    """Whether a return or raise ended this frame's block."""
    may_return: bool = False
    """Whether a branch returned that the compiler may have taken as the only one."""
    is_uncertain: bool = False
    """The compiler may not open this frame: it would decide the condition, or unroll the loop."""

    def own(self, name: str) -> Sugared | None:
        found = self.sugar.get(name)
        if found is not None:
            return found
        slot = self.slots.get(name)
        return Simple(slot.type) if slot is not None else None

    def chain(self) -> Iterator[Frame]:
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.parent


@dataclass(frozen=True, slots=True)
class MissingName:
    """Why a name is not defined after an if: set in one branch only, or to two types that do not unify."""

    code: str
    statement: ast.stmt
    data: dict[str, object]


@dataclass(slots=True)
class Environment:
    frame: Frame = field(default_factory=Frame)
    missing: dict[str, MissingName] = field(default_factory=dict)

    def push(self, is_uncertain: bool = False) -> Frame:
        self.frame = Frame(self.frame, is_uncertain=is_uncertain)
        return self.frame

    def pop(self) -> Frame:
        popped = self.frame
        assert popped.parent is not None
        self.frame = popped.parent
        return popped

    def find(self, name: str) -> Sugared | None:
        for frame in self.frame.chain():
            found = frame.own(name)
            if found is not None:
                return found
        return None

    def find_outside(self, name: str) -> Sugared | None:
        """The binding in the nearest enclosing frame, the current one excluded."""
        parent = self.frame.parent
        if parent is None:
            return None
        for frame in parent.chain():
            found = frame.own(name)
            if found is not None:
                return found
        return None

    def is_surely_outside(self, name: str) -> bool:
        """Whether the nearest enclosing frame that has the name is another one for the compiler, too."""
        is_outside = not self.frame.is_uncertain
        for frame in self.frame.parent.chain() if self.frame.parent is not None else ():
            if frame.own(name) is not None:
                break
            is_outside = is_outside or not frame.is_uncertain
        return is_outside

    def slot(self, name: str) -> Slot | None:
        for frame in self.frame.chain():
            if name in frame.slots:
                return frame.slots[name]
        return None

    def store(self, name: str, slot: Slot) -> None:
        self.frame.slots[name] = slot

    def replace(self, name: str, slot: Slot) -> None:
        """Change what a name is known as, in the frame that holds it."""
        for frame in self.frame.chain():
            if name in frame.slots:
                frame.slots[name] = slot
                return

    def store_sugar(self, name: str, value: Sugared) -> None:
        self.frame.sugar[name] = value

    def forget(self, name: str) -> bool:
        """Delete a name from every frame; whether the root frame had it."""
        in_root = False
        for frame in self.frame.chain():
            had = name in frame.slots or name in frame.sugar
            frame.slots.pop(name, None)
            frame.sugar.pop(name, None)
            if frame.parent is None:
                in_root = had
        return in_root
