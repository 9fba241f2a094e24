"""The rules by code: one module of `catalogue` each, found by scanning the package.

Invariant: a rule's file is its code with underscores for hyphens and holds `RULE`; it is imported when first asked for,
so a check imports only the rules that it reports.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil

from ts_lsp.rules import catalogue
from ts_lsp.rules.model import Rule

REASON_TITLE = "Why TorchScript refuses it"


@functools.cache
def codes() -> tuple[str, ...]:
    """Every rule code, sorted."""
    return tuple(sorted(entry.name.replace("_", "-") for entry in pkgutil.iter_modules(catalogue.__path__)))


@functools.cache
def find_rule(code: str) -> Rule | None:
    """The rule of that code; None where there is none."""
    if code not in codes():
        return None
    rule = importlib.import_module(_module_name(code)).RULE
    assert isinstance(rule, Rule)
    return rule


@functools.cache
def page(code: str) -> str:
    """The rule's documentation in Markdown, without a title; empty where there is no such rule."""
    if code not in codes():
        return ""
    return inspect.cleandoc(importlib.import_module(_module_name(code)).__doc__ or "")


def reason(code: str) -> str:
    """The first paragraph of the page's section on why TorchScript refuses the pattern; empty where there is none."""
    _, _, section = page(code).partition(f"## {REASON_TITLE}\n")
    return section.strip().split("\n\n")[0] if section else ""


def _module_name(code: str) -> str:
    return f"{catalogue.__name__}.{code.replace('-', '_')}"
