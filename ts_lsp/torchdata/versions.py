"""The torch versions whose facts are shipped, and which of them answers for a given version.

A new version needs its file, written by `scripts/extract_torch.py`, and its line here.
Invariant: `SHIPPED` names exactly the files of the `data` folder, oldest first.
"""

from __future__ import annotations

import re

SHIPPED = ("1.13", "2.13")


def nearest(version: str | None) -> str:
    """The newest shipped version that is not newer than `version` (`2.6.1+cu124`); the oldest when all are newer.

    Without a version, or with a text that is none, the newest.
    """
    wanted = _key(version or "")
    if wanted is None:
        return SHIPPED[-1]
    older = [shipped for shipped in SHIPPED if (_key(shipped) or (0, 0)) <= wanted]
    return older[-1] if older else SHIPPED[0]


def _key(version: str) -> tuple[int, int] | None:
    found = re.match(r"v?(\d+)\.(\d+)", version.strip())
    return (int(found[1]), int(found[2])) if found else None
