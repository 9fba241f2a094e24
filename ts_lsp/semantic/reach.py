"""What has what compiled, and so what an entry point reaches and whom a change concerns.

Owns `Reach`. Its nodes are what compiles (`Compiled`, `ClassDefinition`, `ModuleDefinition`), the tree nodes that stand
for entry points and for definitions of other kinds, and, as pairs of a word and what they are about, the answers that
are worked out once (see `once`). Invariant: every time something asks for another thing that
is noted, whether or not it is compiled already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from ts_lsp.records import dataclass, field


@dataclass(eq=False)
class Reach:
    """Edges from what compiles to what it needs, and back."""

    needs: dict[object, dict[object, None]] = field(default_factory=dict)
    users: dict[object, dict[object, None]] = field(default_factory=dict)
    texts: dict[object, dict[object, None]] = field(default_factory=dict)
    """By the site of a function what compiled of its text."""
    open: list[object] = field(default_factory=list)
    glances: dict[object, dict[object, None]] = field(default_factory=dict)
    """What somebody looked at without asking for it."""
    _below: dict[object, tuple[object, ...]] = field(default_factory=dict)
    """By entry point all that it reaches."""

    def apart(self) -> Reach:
        """For what compiles without a trace: nothing reaches it, but a change of it concerns those who asked."""
        return Reach({}, self.users, self.texts, self.open, self.glances)

    def note(self, thing: object) -> None:
        """What compiles at the moment needs `thing`."""
        if self.open and thing is not None and thing is not self.open[-1]:
            self.needs.setdefault(self.open[-1], {})[thing] = None
            self.users.setdefault(thing, {})[self.open[-1]] = None

    def note_glance(self, thing: object) -> None:
        """What compiles at the moment looks at what `thing` came to, without asking for it."""
        if self.open and thing is not self.open[-1]:
            self.glances.setdefault(self.open[-1], {})[thing] = None
            self.users.setdefault(thing, {})[self.open[-1]] = None

    @contextmanager
    def within(self, thing: object) -> Iterator[None]:
        """`thing` is needed and compiles now."""
        self.note(thing)
        self.open.append(thing)
        try:
            yield
        finally:
            self.open.pop()

    @contextmanager
    def once(self, question: str, about: object) -> Iterator[None]:
        """An answer that is worked out once is needed; what that needs counts for all who ask."""
        with self.within((question, about)):
            yield

    def answered(self, question: str, about: object) -> None:
        """An answer worked out before is needed again."""
        self.note((question, about))

    def below(self, root: object) -> tuple[object, ...]:
        """Everything that an entry point needs, it included, each once."""
        known = self._below.get(root)
        if known is None:
            known = self._below[root] = tuple(_closure((root,), self.needs))
        return known

    @contextmanager
    def again(self, roots: Sequence[object]) -> Iterator[None]:
        """Entry points are gone through once more: what they need themselves is noted anew."""
        before = [(root, self.needs.get(root), self._below.get(root)) for root in roots]
        self.forget(roots)
        yield
        for root, needs, below in before:
            if below is not None and needs == self.needs.get(root):
                self._below[root] = below

    def concerned(self, things: Iterable[object]) -> set[object]:
        """What needs one of these things, directly or through others, they included."""
        return set(_closure(tuple(things), self.users))

    def read(self, site: object, thing: object) -> None:
        """`thing` compiles the text at this site."""
        self.texts.setdefault(site, {})[thing] = None

    def unread(self, site: object, thing: object) -> None:
        """`thing` is no more."""
        readers = self.texts.get(site, {})
        readers.pop(thing, None)
        if not readers:
            self.texts.pop(site, None)

    def forget(self, things: Iterable[object]) -> None:
        """These things are no more, or compile anew: what they needed does not count.

        What reaches them has to be among them, but where they will need the same again.
        """
        for thing in things:
            self._below.pop(thing, None)
            for needed in (*self.needs.pop(thing, ()), *self.glances.pop(thing, ())):
                users = self.users.get(needed)
                if users is not None:
                    users.pop(thing, None)
                    if not users:
                        del self.users[needed]


def _closure(roots: tuple[object, ...], edges: dict[object, dict[object, None]]) -> Iterator[object]:
    seen = set(roots)
    pending = list(roots)
    while pending:
        thing = pending.pop()
        yield thing
        fresh = [each for each in edges.get(thing, ()) if each not in seen]
        seen.update(fresh)
        pending.extend(fresh)
