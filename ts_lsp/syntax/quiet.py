"""Python's parser without its warnings.

Owns the one way in which this layer silences Python: odd escapes and literals in the texts that it parses would
otherwise be reported on standard error, as if they stood in our own code.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_warnings() -> Iterator[None]:
    """No warning leaves the block."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
