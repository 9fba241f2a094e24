"""The programs on the pages of the rules."""

from __future__ import annotations

import re

from ts_lsp.rules.registry import page

PREAMBLE = (
    "from typing import Any, Dict, List, Optional, Tuple, Union\n\nimport torch\nfrom torch import Tensor, nn\n\n\n"
)

# These speak of files and comments, or of what the compiler never gets to see.
WITHOUT_REFUSAL = frozenset({"unused-suppression", "unknown-suppression", "unreadable-file", "nested-too-deeply"})


def programs(code: str, title: str) -> list[str]:
    """The `py` blocks of a section of a rule's page, each with the imports that the pages leave out."""
    _, _, section = page(code).partition(f"## {title}\n")
    blocks = re.findall(r"^```py\n(.*?)^```", section.split("\n## ")[0], flags=re.MULTILINE | re.DOTALL)
    return [PREAMBLE + block for block in blocks]
