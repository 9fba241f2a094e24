"""The recorder on a test file of its own: the installed compiler judges, the facts must say what it judged."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from scripts.conformance.facts import read_facts
from tests.oracle.client import oracle_python

_REPOSITORY = Path(__file__).parents[2]

_TEST_FILE = """\
import torch
from torch.testing._internal.jit_utils import JitTestCase


@torch.jit.script
def early(x):
    return x + 1


class TestSmall(JitTestCase):
    def test_namesakes(self):
        class Same(torch.nn.Module):
            def forward(self, x):
                return x.size(0)

        torch.jit.script(Same())

        class Same(torch.nn.Module):
            def forward(self, x):
                return x

        self.checkModule(Same(), (torch.ones(1),))

    def test_check(self):
        def never_run(x):
            raise Exception("only compiled")

        self.checkScript(never_run, (1,))

    def test_error(self):
        def outer(x):
            return inner(x)

        def inner(x):
            return missing(x)

        with self.assertRaisesRegex(RuntimeError, "another wording"):
            torch.jit.script(outer)

        @torch.jit.interface
        class OneMethod:
            def one(self, x: int) -> int:
                pass

        @torch.jit.script
        class Pair:
            def __init__(self, x: int):
                self.x = x
"""


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The facts of the file above, by definition and line."""
    python = oracle_python()
    if python is None:
        pytest.skip("no torch here")
    if subprocess.run([python, "-c", "import expecttest"], capture_output=True).returncode:
        pytest.skip("torch's test base classes need expecttest")
    folder = tmp_path_factory.mktemp("recording")
    (folder / "tests/jit").mkdir(parents=True)
    (folder / "tests/jit/test_small.py").write_text(_TEST_FILE)
    output = folder / "facts.jsonl.xz"
    command = [
        python,
        "-B",
        "-m",
        "scripts.conformance.record",
        str(folder / "tests"),
        str(folder / "work"),
        str(output),
    ]
    subprocess.run(command, cwd=_REPOSITORY, check=True, capture_output=True, timeout=300)
    return {f"{fact['name']}:{fact['line']}": fact for fact in read_facts(output)}


@pytest.mark.oracle
@pytest.mark.slow
class TestRecorder:
    def test_every_definition_once_by_its_first_line(self, facts: dict[str, dict[str, Any]]) -> None:
        kinds = {name: (fact["kind"], fact["verdict"]) for name, fact in facts.items()}
        assert kinds == {
            "early:5": ("function", "ok"),
            "Same:12": ("module", "ok"),
            "Same:18": ("module", "ok"),
            "never_run:25": ("function", "ok"),
            "outer:31": ("function", "error"),
            "OneMethod:40": ("interface", "ok"),
            "Pair:45": ("class", "ok"),
        }

    def test_types_and_schema_of_a_function(self, facts: dict[str, dict[str, Any]]) -> None:
        assert facts["early:5"]["schema"] == "early(Tensor x) -> Tensor"
        assert [7, 11, 7, 16, "aten::add", ["Tensor"]] in facts["early:5"]["values"]

    def test_types_of_methods(self, facts: dict[str, dict[str, Any]]) -> None:
        (method,) = facts["Same:12"]["methods"]
        assert (method["name"], method["line"]) == ("forward", 13)
        assert [14, 23, 14, 29, "aten::size", ["int"]] in method["values"]

    def test_places_of_an_error_and_of_its_caller(self, facts: dict[str, dict[str, Any]]) -> None:
        fact = facts["outer:31"]
        assert fact["headline"] == "undefined value missing"
        assert [(place["line"], place["role"]) for place in fact["locs"]] == [(35, "error"), (32, "called_from")]

    def test_a_module_knows_where_it_was_compiled(self, facts: dict[str, dict[str, Any]]) -> None:
        assert facts["Same:18"]["user_call"] == {"file": "jit/test_small.py", "line": 22}
