"""The recorded facts: one JSON object a line, compressed.

Keys: test, kind (function, class, module, interface), file, line, name, qualname, user_call {file, line}, verdict
(ok or error). Accepted functions have schema and values; accepted classes and modules have methods, each with name,
file, line, schema and values, and modules have attributes, types by name. Rejected ones have exception, headline,
message and locs, the places the compiler printed. A value is [line, column, end line, end column, node kind, types]:
lines from 1, columns in bytes from 0.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

FactRow = dict[str, Any]


def read_facts(path: Path) -> Iterator[FactRow]:
    """The facts of a file of JSON lines, compressed or not."""
    with lzma.open(path, "rt") if path.suffix == ".xz" else path.open() as file:
        for line in file:
            yield json.loads(line)


def write_facts(path: Path, facts: Iterable[FactRow]) -> None:
    """Write facts compressed, in a stable order."""
    lines = sorted(json.dumps(fact, separators=(",", ":")) for fact in facts)
    path.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(path, "wt", preset=9 | lzma.PRESET_EXTREME) as file:
        file.writelines(line + "\n" for line in lines)
