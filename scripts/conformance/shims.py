"""Making tests written for an older torch importable: names that the installed torch dropped get a harmless value."""

from __future__ import annotations

import importlib
import re
import sys
from types import ModuleType

_GONE = re.compile(r"cannot import name '(?P<name>\w+)' from '(?P<module>torch[\w.]*)'")


def import_with_placeholders(name: str) -> None:
    """Import a test module, supplying one missing name of torch after another until it loads or fails otherwise."""
    for _ in range(60):
        if _imports(name):
            return


def _imports(name: str) -> bool:
    """False when the import met a name that torch dropped, which from now on exists."""
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("torch."):
            raise
        _supply_module(str(error.name))
    except ImportError as error:
        gone = _GONE.search(str(error))
        if gone is None:
            raise
        setattr(sys.modules[gone["module"]], gone["name"], _placeholder(gone["name"]))
    else:
        return True
    return False


def _supply_module(name: str) -> None:
    parent, _, leaf = name.rpartition(".")
    module = ModuleType(name)
    sys.modules[name] = module
    setattr(importlib.import_module(parent), leaf, module)


def _placeholder(name: str) -> object:
    """A flag is off, a list of tests is empty, a class is bare, and a function decorates nothing."""
    if name.endswith("_tests"):
        return []
    if name.lstrip("_").split("_")[0].isupper():
        return False
    if name.lstrip("_")[:1].isupper():
        return type(name, (), {})
    return _decorate_nothing


def _decorate_nothing(*arguments: object, **keywords: object) -> object:
    if len(arguments) == 1 and callable(arguments[0]) and not keywords:
        return arguments[0]
    return lambda function: function
