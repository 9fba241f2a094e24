"""The modules of torch with arguments that vary: the shipped facts, and torch's own sources, against the compiler."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

import pytest

from tests.torch_modules import programs, twin
from tests.torch_modules.twin import Found
from ts_lsp.torchdata import versions
from ts_lsp.torchdata.loader import load

pytestmark = [pytest.mark.oracle, pytest.mark.xdist_group("torch modules")]

DATA = load()
CLASSES = tuple(programs.classes(DATA))
SOURCED = tuple(path for path in CLASSES if path.startswith("torch.nn."))

Answers = Mapping[str, Found]

# What reading the sources does not come to the compiler's answer about, and why. It must still be so.
KNOWN_DIFFERENCES = {
    "torch.nn.DataParallel": "a module and a function of torch.nn.parallel have one name",
    **dict.fromkeys(
        (path for path in SOURCED if path.startswith("torch.nn.Lazy")),
        "what happens to LazyModuleMixin outside of its class is not followed",
    ),
}
# What the facts say of these is not right for all arguments: one of two must be given, and they hold for the first.
UNSETTLED = ("torch.nn.FractionalMaxPool2d", "torch.nn.FractionalMaxPool3d")


@pytest.fixture(scope="module")
def torch() -> ModuleType:
    found: ModuleType = pytest.importorskip("torch")
    if ".".join(found.__version__.split(".")[:2]) != versions.SHIPPED[-1]:
        pytest.skip("the newest facts are of another torch")
    return found


@pytest.fixture(scope="module")
def compiled(torch: ModuleType) -> Answers:
    """What the compiler says of every call whose constructor does not raise."""
    from tests.torch_modules.describe import description

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {call: description(call) for path in CLASSES for call in programs.calls(path, DATA)}
    return {call: each for call, each in found.items() if each is not None}


@pytest.fixture(scope="module")
def recorded(compiled: Answers) -> Answers:
    return dict(zip(compiled, twin.from_facts(list(compiled), DATA), strict=True))


@pytest.fixture(scope="module")
def read(torch: ModuleType, compiled: Answers) -> Answers:
    chosen = [call for call in compiled if call.startswith("torch.nn.")]
    site = Path(str(torch.__file__)).parent.parent
    return dict(zip(chosen, twin.from_sources(chosen, DATA, site), strict=True))


@pytest.mark.parametrize("path", CLASSES)
def test_recorded_facts(path: str, compiled: Answers, recorded: Answers) -> None:
    """Nothing recorded is wrong for any arguments; what depends on them in ways not recorded is unknown."""
    calls = [call for call in programs.calls(path, DATA) if call in compiled]
    assert calls, "no arguments make an instance"
    problems = [f"{call}: {each}" for call in calls for each in differences(recorded[call], compiled[call], loose=True)]
    assert bool(problems) == (path in UNSETTLED), "\n" + "\n".join(problems)


@pytest.mark.parametrize("path", SOURCED)
def test_sources(path: str, compiled: Answers, read: Answers) -> None:
    """The same answer as the compiler's from the text of the class."""
    calls = [call for call in programs.calls(path, DATA) if call in read]
    problems = [f"{call}: {each}" for call in calls for each in differences(read[call], compiled[call], loose=False)]
    if path in KNOWN_DIFFERENCES:
        assert problems, "the twin agrees now: take it off the list"
        return
    assert not problems, "\n" + "\n".join(problems)


def differences(ours: Found, theirs: Found, loose: bool) -> Iterator[str]:
    """What is otherwise; if `loose`, the unknown differs from nothing."""
    if ours.verdict != theirs.verdict and not (loose and ours.verdict == "unknown"):
        yield f"{ours.verdict} ({ours.reason}) for {theirs.verdict} ({theirs.reason})"
    if not theirs.attributes:
        return  # what stops before there is a type has none
    for kind in ("attributes", "constants", "modules"):
        yield from _otherwise(kind, getattr(ours, kind), getattr(theirs, kind), loose)
    if theirs.verdict == "ok":
        compiled = {name: schema for name, schema in ours.schemas.items() if not loose or name in theirs.schemas}
        yield from _otherwise("schemas", compiled, theirs.schemas, loose)
    for name, value in ours.values.items():
        if name in theirs.values and repr(value) != repr(theirs.values[name]):
            yield f"{name} is {value!r} for {theirs.values[name]!r}"


def _otherwise(kind: str, ours: Mapping[str, str], theirs: Mapping[str, str], loose: bool) -> Iterator[str]:
    for name in sorted({*ours, *theirs}):
        left, right = ours.get(name), theirs.get(name)
        is_unknown = left is None or "Unknown" in left or not left
        if left != right and not (loose and is_unknown):
            yield f"{kind}: {name} is {left} for {right}"
