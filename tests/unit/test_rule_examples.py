"""The examples on the pages of the rules, given to the real compiler.

What stands under "Example" has to be refused, what stands under "Use instead" has to compile.
"""

from __future__ import annotations

import importlib.util
import linecache
import sys
import textwrap
from pathlib import Path

import pytest

from tests.unit.rule_pages import WITHOUT_REFUSAL, diagnostics, mended_programs, programs
from ts_lsp.rules.registry import codes

pytest.importorskip("torch")

CODES = [code for code in codes() if code not in WITHOUT_REFUSAL]


def compile_program(text: str, folder: Path, name: str) -> None:
    """Run the program as a module, which compiles what it scripts."""
    path = folder / f"{name}.py"
    path.write_text(text)
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
@pytest.mark.parametrize("code", CODES)
def test_example_is_refused(code: str, tmp_path: Path) -> None:
    """And not because of a slip in the example: a name that is missing at run time is none of the compiler's errors."""
    examples = programs(code, "Example")
    assert examples
    for number, text in enumerate(examples):
        said = refusal(text, tmp_path, f"{code.replace('-', '_')}_fails_{number}")
        assert said is not None, f"compiles:\n{text}"
        assert not said.startswith("NameError"), said


@pytest.mark.oracle
@pytest.mark.parametrize("code", CODES)
def test_replacement_compiles(code: str, tmp_path: Path) -> None:
    for number, text in enumerate(programs(code, "Use instead")):
        said = refusal(text, tmp_path, f"{code.replace('-', '_')}_works_{number}")
        assert said is None, textwrap.indent(str(said), "  ")


@pytest.mark.oracle
@pytest.mark.parametrize("code", CODES)
def test_a_mended_example_compiles(code: str, tmp_path: Path) -> None:
    """A fix after which nothing is found leads to a program that the compiler takes."""
    for text in programs(code, "Example"):
        for number, mended in enumerate(mended_programs(text, code)):
            if not diagnostics(mended):
                said = refusal(mended, tmp_path, f"{code.replace('-', '_')}_mended_{number}")
                assert said is None, f"{said}\n{mended}"
