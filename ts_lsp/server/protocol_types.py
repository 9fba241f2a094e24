"""`lsprotocol.types` at a tenth of the cost of importing it.

Owns `import_lazily`. Each of its 550 classes is finished by attrs when it is first used, not when the module is
imported: a server uses a few dozen, and generating the methods of all takes longer than everything else that happens
until the first answer. Invariant: what the module offers is the same; where something about it is not as expected, it
is imported as it is.
"""

from __future__ import annotations

import importlib
import sys
import threading
from typing import Any

import attrs

_MODULE = "lsprotocol.types"
_ARE_RESOLVED = "_resolved_forward_references"
_finishing = threading.RLock()


def import_lazily() -> None:
    """Imports the module, unless it is there already. To be called before anything else imports it."""
    if _MODULE in sys.modules:
        return
    own_names, define = vars(attrs), attrs.define
    own_names["define"] = _unfinished
    try:
        importlib.import_module(_MODULE)
    finally:
        own_names["define"] = define
    # Looking at the types of all fields would finish all classes; each is looked at when it is finished.
    hooks = vars(importlib.import_module("lsprotocol._hooks"))
    if _ARE_RESOLVED in hooks:
        hooks[_ARE_RESOLVED] = True


class _Fields:
    """Stands for the fields of a class that is not finished: who asks for them finishes it."""

    def __get__(self, instance: object, owner: type) -> Any:
        _finish(owner)
        return attrs.fields(owner)


def _unfinished(cls: type) -> type:
    def finish_and_initialize(self: object, *values: object, **named: object) -> None:
        _finish(cls)
        self.__init__(*values, **named)  # type: ignore[misc]

    cls.__init__ = finish_and_initialize  # type: ignore[misc]
    cls.__attrs_attrs__ = _Fields()  # type: ignore[attr-defined]
    return cls


def _finish(cls: Any) -> None:
    with _finishing:
        if not isinstance(cls.__dict__.get("__attrs_attrs__"), _Fields):
            return
        del cls.__init__, cls.__attrs_attrs__
        attrs.define(cls, slots=False)
        attrs.resolve_types(cls, sys.modules[_MODULE].ALL_TYPES_MAP, {})
