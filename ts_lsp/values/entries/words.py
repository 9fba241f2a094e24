"""How the text of a file tells that it may hand something to the compiler.

Owns the names of torch's own entry points, and `EntryWords`, which looks for names in bytes. Invariant: a file of which
`EntryWords` says no names nothing of torch that compiles; only through names of other files may it still do so.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ts_lsp.values.entries.texts import UNIT_CLASS
from ts_lsp.values.torchnames import SCRIPT_MODULES

_OF_JIT = frozenset({"script", "script_if_tracing", "_script_if_tracing", "interface"})
"""Plain words, too: they count beside `jit`, without which none of torch's paths leads to them."""
TORCH_ENTRIES = _OF_JIT | {UNIT_CLASS}
SCRIPT_CLASSES = frozenset(path.rpartition(".")[2] for path in SCRIPT_MODULES)
_STAR = rb"import\s*\*"


class EntryWords:
    """The words that a file needs to hand something to the compiler by itself. `wrappers` are the user's own names."""

    def __init__(self, wrappers: Sequence[str] = ()) -> None:
        of_jit = _words(_OF_JIT)
        own = [name.rpartition(".")[2] for name in wrappers if name]
        self._alone = re.compile(_words({UNIT_CLASS, *SCRIPT_CLASSES, *own}))
        self._of_jit = re.compile(of_jit)
        self._any = re.compile(_words(TORCH_ENTRIES | SCRIPT_CLASSES))

    def tell(self, text: bytes) -> bool:
        """Whether a text may hand something over."""
        return self._alone.search(text) is not None or (b"jit" in text and self._of_jit.search(text) is not None)

    def named_in(self, text: bytes) -> set[str]:
        """The names of torch that a text has, and which others may import from it."""
        return {each.decode() for each in self._any.findall(text)}


def names_any(text: bytes, names: Collection[str]) -> bool:
    """Whether a text has one of these names, or takes over all names of another file."""
    return re.search(_words(names) + b"|" + _STAR, text) is not None


def _words(names: Collection[str]) -> bytes:
    """A pattern for whole words. Letters beyond ASCII may stand beside one: that finds too much, never too little."""
    return rb"\b(?:%s)\b" % "|".join(map(re.escape, sorted(names))).encode()
