"""The oracle itself: it survives what it compiles, and the comparison notices every kind of disagreement."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.format import MAIN, read_sections
from tests.oracle.client import Oracle, OracleCrash
from tests.oracle.verification import disagreements

pytestmark = [pytest.mark.oracle, pytest.mark.xdist_group("oracle")]

GOOD = "import torch\n@torch.jit.script\ndef f(x: int) -> int:\n    return x\n"
BAD = "import torch\n@torch.jit.script\ndef f(x: int) -> str:\n    return x\n"


def test_one_failing_definition_does_not_disturb_the_others(oracle: Oracle) -> None:
    other = GOOD.replace("import torch\n", "").replace("def f", "def g")
    entries = oracle.judge({MAIN: BAD + other}, MAIN).entries
    assert [(entry.name, entry.verdict) for entry in entries] == [("f", "error"), ("g", "ok")]
    assert entries[0].place({MAIN: BAD}) == (MAIN, 4)
    assert entries[1].schemas == {"g": "g(int x) -> int"}


def test_it_is_started_again_after_a_crash(oracle: Oracle) -> None:
    with pytest.raises(OracleCrash):
        oracle.judge({MAIN: "import os\nos.kill(os.getpid(), 11)\n"}, MAIN)
    assert [entry.verdict for entry in oracle.judge({MAIN: GOOD + "# again\n"}, MAIN).entries] == ["ok"]


def test_what_programs_print_is_no_answer(oracle: Oracle) -> None:
    assert oracle.judge({MAIN: "print('{}')\n" + GOOD}, MAIN).entries[0].verdict == "ok"


def test_a_program_that_cannot_be_imported(oracle: Oracle) -> None:
    failure = oracle.judge({MAIN: "import torch\nraise ValueError('no')\n"}, MAIN).import_failure
    assert failure is not None
    assert (failure.exception, failure.file, failure.line) == ("ValueError", MAIN, 2)


@pytest.mark.parametrize(
    ("program", "problem"),
    [
        ("def f(x: int) -> int:\n    return x  # error: [return-type-mismatch]", "compiles, but is marked"),
        ("def f(x: int) -> str:\n    return x", "unexpected"),
        ("def f(x: int) -> str:  # error: [return-type-mismatch]\n    return x", "but f at"),
        ("def f(x: int) -> str:\n    return x  # error: [return-type-mismatch] (no place)", "unexpected"),
        ("def f(x: int) -> str:\n    return x  # error: [undefined-name]", "not how it is worded"),
        ("def f(x: int) -> int:\n    return x\n    #      ^ revealed: str", "but the compiler says int"),
        ("def f(x: int) -> int:\n    return x\n    #      ^ dropped", "but the compiler says int"),
        ("def f(x: int) -> int:\n    return x\n    #      ^^ revealed: int", "no expression stands"),
        ("def f(x: int) -> int:  # schema: (int y) -> int\n    return x", "but the compiler's is (int x) -> int"),
        ("def f(x: int) -> int:\n    return x  # error: [undefined-name] (later)", "so nothing comes later"),
    ],
)
def test_disagreements_are_noticed(oracle: Oracle, tmp_path: Path, program: str, problem: str) -> None:
    path = tmp_path / "sample.md"
    path.write_text(f"```py\nimport torch\n@torch.jit.script\n{program}\n```\n", encoding="utf-8")
    (section,) = read_sections(path)
    assert problem in "\n".join(disagreements(section, oracle))


def test_a_fix_that_does_not_help_is_noticed(oracle: Oracle, tmp_path: Path) -> None:
    path = tmp_path / "sample.md"
    bad = BAD.replace("return x", "return x  # error: [return-type-mismatch]")
    path.write_text(f'```py\n{bad}```\n```py fixed="return-type-mismatch"\n{BAD}```\n', encoding="utf-8")
    (section,) = read_sections(path)
    assert "still fails" in "\n".join(disagreements(section, oracle))
