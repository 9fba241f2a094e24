"""A progress bar on stderr.

Owns `files_checked`. Invariant: there is one only on a terminal, and stdout never sees it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_FEWEST = 8
"""Of fewer files there is nothing to wait for."""


@contextmanager
def files_checked(total: int) -> Iterator[Callable[[], None]]:
    """Shows how many of `total` files are checked; the caller says so for each."""
    if total < _FEWEST or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("checking"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("files", total=total)
        yield lambda: progress.advance(task)
