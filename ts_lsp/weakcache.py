"""Answers that are kept as long as what they are about.

Owns `cached_weakly`. The caches of the standard library keep their arguments: here that would be trees of texts that
were edited long ago.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeVar
from weakref import WeakKeyDictionary

_About = TypeVar("_About")
_Answer = TypeVar("_Answer")


def cached_weakly(function: Callable[[_About], _Answer]) -> Callable[[_About], _Answer]:
    """Each answer is worked out once for equal arguments, and forgotten with them. It must not hold its argument."""
    answers: WeakKeyDictionary[_About, _Answer] = WeakKeyDictionary()

    @functools.wraps(function)
    def answer(about: _About) -> _Answer:
        try:
            return answers[about]
        except KeyError:
            found = answers[about] = function(about)
            return found

    return answer
