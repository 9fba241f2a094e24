"""The programs on the pages of the rules.

Owns `programs`, and the imports that the pages leave out. `python -m scripts.rule_examples` prints them as JSON, with
the versions of torch that there are: what the playground offers.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from itertools import zip_longest

from ts_lsp import __version__
from ts_lsp.rules.registry import codes, find_rule, page, reason
from ts_lsp.server.diagnostics import RULE_PAGES
from ts_lsp.torchdata.versions import SHIPPED

CATEGORIES = {
    "syntax": "Language subset",
    "names": "Names and bindings",
    "returns": "Returns",
    "annotations": "Annotations",
    "calls": "Operators and calls",
    "attributes": "Attributes and subscripts",
    "statements": "Statements and expressions",
    "classes": "Classes",
    "meta": "About the check itself",
}
"""The categories of rules in the order in which they are shown, with their titles."""
_TYPING = ("Any", "Dict", "List", "Optional", "Tuple", "Union")
_TORCH = ("Tensor", "nn")
PREAMBLE = f"from typing import {', '.join(_TYPING)}\n\nimport torch\nfrom torch import {', '.join(_TORCH)}\n\n\n"

Json = dict[str, object]


def programs(code: str, title: str) -> list[str]:
    """The `py` blocks of a section of a rule's page, as they stand there."""
    _, _, section = page(code).partition(f"## {title}\n")
    return re.findall(r"^```py\n(.*?)^```", section.split("\n## ")[0], flags=re.MULTILINE | re.DOTALL)


def with_imports(program: str) -> str:
    """A program of a page, with the imports that it needs."""
    words = set(re.findall(r"\w+", program))
    lines = [
        f"from {module} import {', '.join(used)}"
        for module, names in (("typing", _TYPING), ("torch", _TORCH))
        if (used := [name for name in names if name in words])
    ]
    is_typed = bool(lines) and lines[0].startswith("from typing")
    return "\n".join([*lines[:is_typed], *[""][:is_typed], "import torch", *lines[is_typed:], "", "", program])


def _examples() -> Iterator[Json]:
    """By category the rules with what fails and what may be written instead."""
    for category, title in CATEGORIES.items():
        rules = [rule for code in codes() if (rule := find_rule(code)) is not None and rule.category == category]
        found = [
            {
                "code": rule.code,
                "summary": rule.summary,
                "why": " ".join(reason(rule.code).split()),
                "fails": with_imports(fails),
                "works": with_imports(works),
            }
            for rule in rules
            for fails, works in _pairs(rule.code)
        ]
        yield {"title": title, "examples": found}


def _pairs(code: str) -> Iterator[tuple[str, str]]:
    """Each example with what stands at its place under what to write instead, or the last of that."""
    instead = programs(code, "Use instead")
    for fails, works in zip_longest(programs(code, "Example"), instead):
        if fails is not None and instead:
            yield fails, works if works is not None else instead[-1]


def playground_data() -> Json:
    """Everything that the playground's page is made from."""
    return {
        "version": __version__,
        "torch": list(reversed(SHIPPED)),
        "rules": RULE_PAGES,
        "categories": list(_examples()),
    }


if __name__ == "__main__":
    json.dump(playground_data(), sys.stdout, ensure_ascii=False, indent=1)
