"""What all tests share: the option that leaves the twin out, and the running oracle."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))  # `tests` is importable however pytest was started

from tests.oracle.client import Oracle, oracle_python


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--oracle-only", action="store_true", help="hold the cases against the compiler, not the twin")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--oracle-only"):
        chosen = [item for item in items if item.get_closest_marker("oracle")]
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = chosen


@pytest.fixture(scope="session")
def oracle(pytestconfig: pytest.Config) -> Iterator[Oracle]:
    """The real compiler in a process of its own. A run in CI asks it afresh and never goes without it."""
    in_ci = os.environ.get("CI", "").lower() in ("1", "true")
    python = oracle_python()
    if python is None:
        if in_ci:
            pytest.fail("CI must verify the cases with the real compiler, and no torch is installed")
        pytest.skip("no torch here; set TS_LSP_ORACLE_PYTHON to an interpreter that has it")
    cache = None if in_ci else Path(pytestconfig.cache.mkdir("oracle"))
    running = Oracle(python, cache)
    yield running
    running.close()
