"""Generated functions: the twin and the compiler agree on the verdict, the line and the schema of each one."""

from __future__ import annotations

import pytest

from scripts.fuzz.generation import Generator
from scripts.fuzz.judging import Difference, Judges, Verdict, difference_of
from scripts.fuzz.operators import Callables
from tests.oracle.client import Oracle
from ts_lsp.torchdata.loader import load

BATCHES = 5
PROGRAMS_IN_A_BATCH = 100


def told(difference: Difference) -> str:
    return f"{difference.kind}\n{difference.program.text('f')}"


@pytest.mark.oracle
@pytest.mark.xdist_group("oracle")
@pytest.mark.parametrize("seed", range(BATCHES))
def test_they_agree(oracle: Oracle, seed: int) -> None:
    generator = Generator(seed, Callables(load()))
    programs = [generator.program() for _ in range(PROGRAMS_IN_A_BATCH)]
    differences, counts = Judges(oracle).differences(programs)
    assert not differences, "\n" + "\n".join(map(told, differences))
    assert counts["unknown"] == 0
    assert counts["compiler ok"] > PROGRAMS_IN_A_BATCH // 5
    assert counts["compiler error"] > PROGRAMS_IN_A_BATCH // 5


def test_a_seed_gives_the_same_programs() -> None:
    first, second = (Generator(1, Callables(load())) for _ in range(2))
    assert [first.program() for _ in range(50)] == [second.program() for _ in range(50)]


OK = Verdict("ok", None, "(int x) -> int")
ERROR = Verdict("error", 1, "", "some reason")


@pytest.mark.parametrize(
    ("twin", "compiler", "sort"),
    [
        (OK, OK, ""),
        (ERROR, ERROR, ""),
        (OK, ERROR, "verdict"),
        (ERROR, OK, "verdict"),
        (Verdict("error", 2), ERROR, "line"),
        (Verdict("error", 2), Verdict("error", None), ""),
        (Verdict("ok", None, "(int x) -> str"), OK, "schema"),
        (Verdict("crash"), ERROR, "crash"),
        (Verdict("unknown"), ERROR, ""),
    ],
)
def test_differences_are_noticed(twin: Verdict, compiler: Verdict, sort: str) -> None:
    assert difference_of(twin, compiler) == sort
