"""The examples on the pages of the rules, given to the real compiler: what "fails" must be refused, what "works" compile."""

from __future__ import annotations

import importlib.util
import linecache
import re
import sys
import textwrap
from pathlib import Path

import pytest

from ts_lsp.rules.registry import codes, page

torch = pytest.importorskip("torch")

PREAMBLE = (
    "from typing import Any, Dict, List, Optional, Tuple, Union\n\nimport torch\nfrom torch import Tensor, nn\n\n\n"
)

# A few rules speak of behaviour, not of refusal, or of what the compiler never gets to see.
NEVER_REFUSED = {"unused-suppression", "unknown-suppression", "unreadable-file"}


def blocks(code: str, title: str) -> list[str]:
    _, _, section = page(code).partition(f"## {title}\n")
    return re.findall(r"^```py\n(.*?)^```", section.split("\n## ")[0], flags=re.MULTILINE | re.DOTALL)


def compile_program(text: str, folder: Path, name: str) -> None:
    """Run the program as a module, which compiles what it scripts."""
    path = folder / f"{name}.py"
    path.write_text(PREAMBLE + text)
    linecache.checkcache(str(path))
    specification = importlib.util.spec_from_file_location(name, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    try:
        specification.loader.exec_module(module)
    finally:
        del sys.modules[name]


def refusal(text: str, folder: Path, name: str) -> str | None:
    try:
        compile_program(text, folder, name)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


@pytest.mark.oracle
@pytest.mark.parametrize("code", [code for code in codes() if code not in NEVER_REFUSED])
def test_example_is_refused(code: str, tmp_path: Path) -> None:
    """And not because of a slip in the example: a name that is missing at run time is none of the compiler's errors."""
    examples = blocks(code, "Example")
    assert examples
    for number, text in enumerate(examples):
        said = refusal(text, tmp_path, f"{code.replace('-', '_')}_fails_{number}")
        assert said is not None, f"compiles:\n{text}"
        assert not said.startswith("NameError"), said


@pytest.mark.oracle
@pytest.mark.parametrize("code", [code for code in codes() if code not in NEVER_REFUSED])
def test_replacement_compiles(code: str, tmp_path: Path) -> None:
    for number, text in enumerate(blocks(code, "Use instead")):
        said = refusal(text, tmp_path, f"{code.replace('-', '_')}_works_{number}")
        assert said is None, textwrap.indent(str(said), "  ")
