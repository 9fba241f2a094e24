"""`ts_lsp.records` against the standard library: the same class bodies under both decorators behave alike."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from types import ModuleType
from typing import Any

import pytest

from ts_lsp import records

BODIES = """
from __future__ import annotations

@dataclass(frozen=True, slots=True)
class Point:
    '''Where.'''

    x: int
    y: int = 0
    label: str = field(default="", compare=False)

@dataclass(frozen=True, slots=True)
class Wrapper:
    inner: object

@dataclass(frozen=True, slots=True)
class Empty:
    pass

@dataclass(frozen=True, slots=True, order=True)
class Version:
    major: int
    minor: int = 0

@dataclass(slots=True)
class Counter:
    name: str
    counts: dict = field(default_factory=dict, repr=False)
    total: int = field(init=False)

    def __post_init__(self):
        self.total = sum(self.counts.values())

@dataclass(eq=False)
class Base:
    number: int = 1

    def doubled(self):
        return 2 * self.number

@dataclass(eq=False)
class Derived(Base):
    other: tuple = ()

    def __repr__(self):
        return "mine"

@dataclass
class Reversed(Base):
    number: int = 7
    extra: list = field(default_factory=list)

class Plain(Point):
    pass
"""


def bodies_under(source: ModuleType) -> dict[str, Any]:
    """The classes of BODIES, made by the decorator of a module."""
    names: dict[str, Any] = {name: getattr(source, name) for name in ("dataclass", "field")}
    names["__name__"] = __name__
    exec(BODIES, names)
    return names


OURS, THEIRS = bodies_under(records), bodies_under(dataclasses)
OBJECTS = [
    "Point(1)",
    "Point(1, 2, 'here')",
    "Point(1, 2, label='there')",
    "Point(y=2, x=1)",
    "Plain(1, 2)",
    "Wrapper(Wrapper(1))",
    "Wrapper(Wrapper(1.0))",
    "Wrapper(Wrapper('1'))",
    "Wrapper(Wrapper(Point(1)))",
    "Empty()",
    "Version(2, 13)",
    "Version(2)",
    "Version(1, 14)",
    "Counter('a')",
    "Counter('a', {'b': 2})",
    "Base()",
    "Derived()",
    "Derived(3, (4,)).doubled()",
    "Reversed()",
    "Reversed(7, [])",
    "Reversed(extra=[1])",
]


def made(expression: str, names: dict[str, Any]) -> Any:
    return eval(expression, names)


@pytest.mark.parametrize("expression", OBJECTS)
def test_objects_look_alike(expression: str) -> None:
    ours, theirs = made(expression, OURS), made(expression, THEIRS)
    if not isinstance(ours, (OURS["Base"], int)) or isinstance(ours, OURS["Reversed"]):
        assert repr(ours) == repr(theirs)
    assert hasattr(ours, "__dict__") == hasattr(theirs, "__dict__")


@pytest.mark.parametrize("first", OBJECTS)
@pytest.mark.parametrize("second", OBJECTS)
def test_equality_and_hashes_agree(first: str, second: str) -> None:
    ours, theirs = ((made(first, names), made(second, names)) for names in (OURS, THEIRS))
    assert (ours[0] == ours[1]) == (theirs[0] == theirs[1])
    assert [type(each).__hash__ is None for each in ours] == [type(each).__hash__ is None for each in theirs]
    if ours[0] == ours[1] and type(ours[0]).__hash__ is not None:
        assert hash(ours[0]) == hash(ours[1])


def test_an_object_equals_itself_even_where_its_parts_do_not() -> None:
    not_a_number = float("nan")
    for names in (OURS, THEIRS):
        assert names["Wrapper"](not_a_number) == names["Wrapper"](not_a_number)
        assert names["Wrapper"](not_a_number) != names["Wrapper"](float("nan"))


def test_only_records_that_ask_for_it_have_an_order() -> None:
    for names in (OURS, THEIRS):
        version = names["Version"]
        assert version(1, 9) < version(2) <= version(2) < version(2, 1)
        assert sorted([version(3), version(1, 2), version(1)]) == [version(1), version(1, 2), version(3)]
        with pytest.raises(TypeError):
            names["Point"](1) < names["Point"](2)  # noqa: B015


@pytest.mark.parametrize("expression", ["Point()", "Point(1, 2, '', 4)", "Point(1, z=2)", "Counter('a', total=1)"])
def test_wrong_arguments_are_refused(expression: str) -> None:
    for names in (OURS, THEIRS):
        for _ in range(2):  # the first object of a class is made in another way
            with pytest.raises(TypeError):
                made(expression, names)


def test_every_object_gets_its_own_default() -> None:
    first, second = OURS["Counter"]("a"), OURS["Counter"]("b")
    first.counts["x"] = 1
    assert second.counts == {}


def test_slots_allow_no_other_attribute() -> None:
    with pytest.raises(AttributeError):
        OURS["Counter"]("a").other = 1


def test_replace_changes_what_is_named() -> None:
    assert records.replace(OURS["Point"](1, 2, "here"), y=3) == OURS["Point"](1, 3)
    assert records.replace(OURS["Point"](1, 2, "here"), y=3).label == "here"
    assert records.replace(OURS["Counter"]("a", {"b": 2}), counts={"c": 5}).total == 5
    with pytest.raises(TypeError):
        records.replace(OURS["Point"](1), z=3)


def test_fields_are_told_in_order() -> None:
    for source, names in ((records, OURS), (dataclasses, THEIRS)):
        assert [each.name for each in source.fields(names["Reversed"])] == ["number", "extra"]
        assert [each.name for each in source.fields(names["Counter"]("a"))] == ["name", "counts", "total"]


@records.dataclass(frozen=True, slots=True)
class Sent:
    name: str
    rows: tuple[int, ...] = ()


def test_records_can_be_copied_and_sent_to_other_processes() -> None:
    sent = Sent("a", (1, 2))
    assert pickle.loads(pickle.dumps(sent)) == sent == copy.deepcopy(sent) == copy.copy(sent)
