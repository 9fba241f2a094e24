"""What classes are to the compiler: their kinds, fields and members."""

from __future__ import annotations

from tests.unit.value_programs import Source, describe, function, names, workspace
from ts_lsp.values.model import BuiltinValue, ClassValue, ConstantValue, EnumMemberValue, FunctionValue, Value


def test_kinds_of_classes() -> None:
    world = workspace(
        """
        import dataclasses, enum, torch, typing
        import torch.nn as nn
        from typing import NamedTuple, Protocol
        from elsewhere import Base, Mystery
        class Plain: pass
        class Colour(enum.Enum): RED = 1
        class Bits(enum.IntFlag): A = 1
        class Pair(NamedTuple):
            x: int
            y: float = 1.0
        class Named(Pair): pass
        class Oops(ValueError): pass
        class Worse(Oops): pass
        class Stop(KeyboardInterrupt): pass
        class Net(nn.Module): pass
        class Deep(Net): pass
        class Fancy(nn.Linear): pass
        class Old(torch.jit.ScriptModule): pass
        @dataclasses.dataclass
        class Data:
            a: int
            b: str = "s"
        @torch.jit.interface
        class Face:
            def run(self) -> int: pass
        class Shape(Protocol): pass
        class Foreign(Base): pass
        class Unsure(Mystery): pass
        class Mixed(Mystery, nn.Module): pass
        class Options(typing.TypedDict):
            x: int
        """,
        Source("elsewhere.py", "elsewhere", "import torch\nclass Base(torch.nn.Module): pass\nMystery = make()\n"),
    )
    kinds = {each.name: each.kind for each in world.definitions("main.py").classes}
    assert kinds == {
        "Plain": "plain",
        "Colour": "enum",
        "Bits": "enum",
        "Pair": "namedtuple",
        "Named": "namedtuple",
        "Oops": "exception",
        "Worse": "exception",
        "Stop": "plain",
        "Net": "module",
        "Deep": "module",
        "Fancy": "module",
        "Old": "script_module",
        "Data": "dataclass",
        "Face": "interface",
        "Shape": "plain",
        "Foreign": "module",
        "Unsure": "unknown",
        "Mixed": "module",
        "Options": "typed_dict",
    }


def test_fields() -> None:
    world = workspace(
        """
        from typing import ClassVar, NamedTuple
        from collections import namedtuple
        import dataclasses
        class Pair(NamedTuple):
            x: int
            y: "float" = 1.0
        Three = NamedTuple("Three", [("a", int), ("b", str)])
        Two = namedtuple("Two", "p q", defaults=(5,))
        @dataclasses.dataclass
        class Base:
            a: int
            shared: ClassVar[int] = 0
        @dataclasses.dataclass
        class More(Base):
            b: int = 2
        class Lower(Pair): pass
        """
    )
    scope = world.scope("main.py")
    assert scope is not None

    def fields(name: str) -> list[tuple[str, Value | None, object]]:
        value = scope.lookup(name)
        assert isinstance(value, ClassValue)
        return [(each.name, each.annotation_value, describe(each.default)) for each in value.fields]

    integer = BuiltinValue("int")
    assert fields("Pair") == [("x", integer, None), ("y", ConstantValue("float"), 1.0)]
    assert fields("Lower") == fields("Pair")
    assert fields("Three") == [("a", integer, None), ("b", BuiltinValue("str"), None)]
    assert fields("Two") == [("p", None, None), ("q", None, 5)]
    assert fields("More") == [("a", integer, None), ("b", integer, 2)]


def test_postponed_annotations_are_strings() -> None:
    world = workspace(
        """
        from __future__ import annotations
        from typing import List, NamedTuple
        class Pair(NamedTuple):
            x: List[int]
        """
    )
    (pair,) = world.definitions("main.py").classes
    assert pair.fields[0].annotation_value == ConstantValue("List[int]")


def test_enum_members_are_the_same_object() -> None:
    found = names(
        """
        import enum
        class Colour(enum.Enum):
            RED = 1
            def method(self): pass
        Alias = Colour
        a = Colour.RED
        b = Alias.RED
        Made = enum.Enum("Made", "ONE TWO")
        c = Made.TWO
        """
    )
    member = found["a"]
    assert isinstance(member, EnumMemberValue)
    assert member is found["b"]
    assert (member.name, member.value) == ("RED", ConstantValue(1))
    assert isinstance(member.owner.members["method"], FunctionValue)
    made = found["c"]
    assert isinstance(made, EnumMemberValue)
    assert made.value == ConstantValue(2)


def test_methods_do_not_see_the_class_body() -> None:
    world = workspace(
        """
        x = 1
        class C:
            x = 2
            y = x
            def m(self): return x
        """
    )
    assert function(world, "C.m").scope.lookup("x") == ConstantValue(1)
    (owner,) = world.definitions("main.py").classes
    assert owner.members["y"] == ConstantValue(2)
