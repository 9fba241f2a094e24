"""What Python names denote, asked through `Workspace`: held against Python itself where Python can say."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

import pytest

from ts_lsp.torchdata.loader import load
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    DictValue,
    EnumMemberValue,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    PartialValue,
    ScriptedValue,
    SequenceValue,
    TorchValue,
    TracedValue,
    TypingValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.workspace import Workspace


@dataclass(frozen=True)
class Source:
    path: str
    name: str
    text: str
    is_package: bool = False
    external: bool = False


class Files:
    """A reader over sources held in memory, by dotted name."""

    def __init__(self, *sources: Source) -> None:
        self.sources = {source.name: source for source in sources}

    def find_module(self, dotted: str, importing_path: str) -> Source | None:
        return self.sources.get(dotted)

    def module_name(self, path: str) -> tuple[str, bool]:
        for source in self.sources.values():
            if source.path == path:
                return source.name, source.is_package
        return path.removesuffix(".py"), False


def workspace(text: str, *sources: Source, entry_points: tuple[str, ...] = ()) -> Workspace:
    """A world whose main file is `main.py`."""
    world = Workspace(load(), Files(*sources), entry_points)
    world.set_source("main.py", textwrap.dedent(text))
    return world


def names(text: str, *sources: Source) -> dict[str, Value | None]:
    """Every name of the main file as seen when the file is finished."""
    world = workspace(text, *sources)
    scope = world.scope("main.py")
    assert scope is not None
    return {name: scope.lookup(name) for name in scope.names()}


def function(world: Workspace, qualname: str, occurrence: int = 0) -> FunctionValue:
    found = [each for each in world.definitions("main.py").functions if each.qualname == qualname]
    return found[occurrence]


def describe(value: Value | None) -> object:
    """The Python object that a value stands for; the value itself where it is no plain data."""
    if isinstance(value, ConstantValue):
        return value.value
    if isinstance(value, SequenceValue):
        parts = [describe(element) for element in value.elements]
        return tuple(parts) if value.kind == "tuple" else parts if value.kind == "list" else set(parts)
    if isinstance(value, DictValue):
        return {describe(key): describe(item) for key, item in value.items}
    return value


PLAIN_PROGRAMS = {
    "arithmetic": """
        a = 2 * 3 + 1
        b = a ** 2 / 4
        c = -b
        d = not a
        e = 7 // 2, 7 % 2, 1 << 3, 6 & 3, ~5
        f = "x" + 'y' * 3
        g = 1 < a <= 7 != 8
        h = a in (1, 7) and b
        i = a if a > 3 else b
        j = f"{a}-{f}"
        k = None or 0 or "last"
        l = a is None
    """,
    "containers": """
        a = [1, 2, *(3, 4)]
        b = {"x": 1, **{"y": a[1]}}
        c = b["y"]
        d, (e, f) = 1, (2, 3)
        g = h = (a[0], a[-1])
        i = len(a) + max(a) + int("3")
        j = {1, 2}
    """,
    "rebinding": """
        a = 1
        b = a
        a = 2
        c = a
        a += 5
        d = a
        del b
        e = 1
        if a > 3:
            e = 2
        else:
            e = 3
        for f in (1, 2):
            g = 4
        with open(__file__) as h:
            i = 5
        while a < 0:
            j = 1
        if (k := a) > 1:
            l = k
        _ = 0
    """,
    "versions": """
        import sys
        import os
        if sys.version_info >= (3, 8):
            a = "new"
        else:
            a = "old"
        b = sys.version_info < (3,)
        c = sys.version_info[0]
        if False:
            d = 1
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            import nowhere as e
    """,
    "imports that fail": """
        try:
            import a_module_that_is_nowhere as a
            b = True
        except ImportError:
            a = None
            b = False
        try:
            import enum
            c = True
        except ImportError:
            c = False
    """,
    "functions that are followed": """
        def constant():
            return 3
        def pick(flag, other=4):
            if flag:
                return 1
            return other
        def nothing():
            pass
        def gather(*parts, **named):
            return parts, named
        a = constant()
        b = pick(True)
        c = pick(False)
        d = pick(0, other=5)
        e = nothing()
        f = gather(1, 2, x=3)
        g = (lambda x, y=2: x + y)(1)
    """,
    "functions that change names": """
        a = 1
        b = 2
        def change():
            global a
            a = 5
        change()
    """,
    "classes": """
        import enum
        class C:
            x = 1
            y = x + 1
            class D:
                z = 3
        class E(C):
            y = 7
        a = C.x
        b = E.x, E.y, E.D.z
        class Colour(enum.Enum):
            RED = 1
            GREEN = "g"
            BLUE = enum.auto() if False else 4
        c = Colour.RED.value
        d = Colour.GREEN.name
        e = Colour(4).name
        f = Colour["RED"].value
        class Step(enum.IntEnum):
            ONE = enum.auto()
            TWO = enum.auto()
            NINE = 9
            TEN = enum.auto()
        g = Step.TWO.value
        h = Step.TEN.value
        i = Colour.RED is Colour.RED
    """,
    "loops that change": """
        a = 0
        for b in range(3):
            c = a
            a = a + 1
    """,
    "matching": """
        a = 3
        match a:
            case 1:
                b = 1
            case _:
                b = 2
    """,
    "containers that change": """
        a = [1]
        a.append(2)
        b = {"x": 1}
        b["y"] = 2
        c = a
        d = len(a)
    """,
}
KNOWN_NAMES = {
    "arithmetic": "a b c d e f g h i j k l",
    "containers": "a b c d e f g h i j",
    "rebinding": "a c d e g i k l",
    "versions": "a b c",
    "imports that fail": "c",
    "functions that are followed": "a b c d e f g",
    "functions that change names": "b",
    "classes": "a b c d e f g h i",
}


def _plain(value: object) -> bool:
    if isinstance(value, (tuple, list, set)):
        return all(_plain(part) for part in value)
    if isinstance(value, dict):
        return all(_plain(part) for pair in value.items() for part in pair)
    return value is None or type(value) in (bool, int, float, str)


@pytest.mark.parametrize("title", PLAIN_PROGRAMS)
def test_never_disagrees_with_python(title: str) -> None:
    """Each name is what Python makes of it, or unknown; the listed ones are not unknown."""
    text = textwrap.dedent(PLAIN_PROGRAMS[title])
    python: dict[str, object] = {"__file__": __file__, "__name__": "program"}
    exec(compile(text, "program", "exec"), python)
    ours = names(text)
    for name, value in ours.items():
        said = describe(value)
        if name not in python:
            assert value is None or isinstance(value, UnknownValue), name
        elif _plain(python[name]) and _plain(said):
            assert (type(said), said) == (type(python[name]), python[name]), name
        assert value is not None or name not in python, name
    for name in KNOWN_NAMES.get(title, "").split():
        assert _plain(describe(ours[name])), name
        assert describe(ours[name]) == python[name], name


def test_names_of_torch_and_its_kin() -> None:
    found = names(
        """
        import torch
        import torch.nn as nn
        import torch.nn.functional
        from torch import Tensor, jit
        from torch.nn import functional as F
        import math
        relu = F.relu
        dtype = torch.float32
        device = torch.device("cpu")
        bad = torch.not_there_at_all
        """
    )
    assert found["torch"] == ModuleValue("torch")
    assert found["nn"] == ModuleValue("torch.nn")
    assert found["F"] == ModuleValue("torch.nn.functional")
    assert found["jit"] == ModuleValue("torch.jit")
    assert found["math"] == ModuleValue("math")
    assert found["Tensor"] == TorchValue("torch.Tensor")
    assert found["relu"] == TorchValue("torch.nn.functional.relu")
    assert isinstance(found["dtype"], TorchValue)
    device = found["device"]
    assert isinstance(device, InstanceValue)
    assert (device.of, device.arguments) == (TorchValue("torch.device"), (ConstantValue("cpu"),))
    assert isinstance(found["bad"], UnknownValue)


def test_members_of_modules_that_do_not_exist() -> None:
    world = workspace("import torch")
    assert world.member("torch", "not_there_at_all") is None
    assert world.member("torch", "nn") == ModuleValue("torch.nn")
    assert world.member("typing", "List") == TypingValue("List")
    assert isinstance(world.member("nowhere", "x"), UnknownValue)


def test_types_as_values() -> None:
    found = names(
        """
        import typing as t
        from typing import Dict, List, Optional
        from collections import OrderedDict
        a = List[int]
        b = list[int]
        c = Optional["C"]
        d = int | None | str
        e = t.Tuple[int, ...]
        f = t.Tuple[()]
        g = Dict[str, List[int]]
        h = List
        """
    )
    integer = BuiltinValue("int")
    assert found["a"] == found["b"] == TypingValue("List", (integer,))
    assert found["c"] == TypingValue("Optional", (ConstantValue("C"),))
    assert found["d"] == TypingValue("Union", (integer, ConstantValue(None), BuiltinValue("str")))
    assert found["e"] == TypingValue("Tuple", (integer, ConstantValue(...)))
    assert found["f"] == TypingValue("Tuple", ())
    assert found["g"] == TypingValue("Dict", (BuiltinValue("str"), TypingValue("List", (integer,))))
    assert found["h"] == TypingValue("List")
    assert found["OrderedDict"] == BuiltinValue("collections.OrderedDict")


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


def test_decorators_of_torch_and_python() -> None:
    world = workspace(
        """
        import abc, functools, torch, unittest
        from torch import jit
        from torch.jit import script as s
        @torch.jit.script
        def a(x): return x
        @s
        def b(x): return x
        @jit.ignore
        def c(x): return x
        @torch.jit.ignore(drop=True)
        def d(x): return x
        @torch.jit.unused
        def e(x): return x
        @torch.jit.script_if_tracing
        def f(x): return x
        @torch.no_grad()
        def g(x): return x
        @torch.jit.ignore
        @torch.jit.export
        def h(x): return x
        @functools.lru_cache(maxsize=None)
        def i(x): return x
        @unittest.skipIf(True, "no")
        def j(x): return x
        @unheard_of
        def k(x): return x
        class C:
            @staticmethod
            def l(x): return x
            @classmethod
            def m(cls): return cls
            @abc.abstractmethod
            def n(self): pass
            @property
            def o(self): return 1
            @o.setter
            def o(self, v): pass
        """
    )
    modifiers = {each.qualname: set(each.modifiers) for each in world.definitions("main.py").functions}
    assert modifiers == {
        "a": {"script"},
        "b": {"script"},
        "c": {"ignore"},
        "d": {"unused"},
        "e": {"unused"},
        "f": {"script_if_tracing"},
        "g": {"wrapped"},
        "h": {"ignore"},
        "i": set(),
        "j": set(),
        "k": {"unknown"},
        "C.l": {"staticmethod"},
        "C.m": {"classmethod"},
        "C.n": set(),
        "C.o": {"setter"},
    }
    scope = world.scope("main.py")
    assert scope is not None
    assert isinstance(scope.lookup("i"), PartialValue)
    owner = scope.lookup("C")
    assert isinstance(owner, ClassValue)
    accessor = owner.members["o"]
    assert isinstance(accessor, FunctionValue)
    assert accessor.modifiers == {"property"}
    assert accessor.setter is not None
    assert accessor.owner is owner
    wrapped = scope.lookup("g")
    assert isinstance(wrapped, FunctionValue)
    assert wrapped.wrapper_scope is not None
    assert wrapped.wrapper_scope.lookup("torch") is None
    assert wrapped.wrapper_scope.lookup("len") == BuiltinValue("len")


def test_decorators_of_the_user() -> None:
    world = workspace(
        """
        import functools, torch
        from elsewhere import traced
        def same(f):
            f.mark = True
            return f
        def plain(f):
            def inner(x):
                return f(x)
            return inner
        def kept(f):
            @functools.wraps(f)
            def outer(*a):
                return f(*a)
            return outer
        def compiled(f):
            return torch.jit.script(f)
        def with_argument(n):
            def decorate(f):
                return f
            return decorate
        @same
        def a(x): return x
        @plain
        def b(x): return x
        @kept
        def c(x): return x
        @compiled
        def d(x): return x
        @with_argument(3)
        def e(x): return x
        @traced
        def f(x): return x
        """,
        Source("elsewhere.py", "elsewhere", "def traced(f):\n    if condition():\n        return f\n    return None\n"),
    )
    scope = world.scope("main.py")
    assert scope is not None
    seen = {}
    for name in "abcdef":
        value = scope.lookup(name)
        assert isinstance(value, FunctionValue)
        seen[name] = (value.qualname, set(value.modifiers))
    assert seen == {
        "a": ("a", set()),
        "b": ("plain.<locals>.inner", set()),
        "c": ("c", {"wrapped"}),
        "d": ("d", {"script"}),
        "e": ("e", set()),
        "f": ("f", {"unknown"}),
    }
    inner = scope.lookup("b")
    assert isinstance(inner, FunctionValue)
    captured = inner.scope.lookup("f")
    assert isinstance(captured, FunctionValue)
    assert captured.qualname == "b"
    kept = scope.lookup("c")
    assert isinstance(kept, FunctionValue)
    assert kept.wrapper_scope is not None
    assert kept.wrapper_scope.lookup("functools") == ModuleValue("functools")


def test_decorated_functions_see_what_stands_above() -> None:
    world = workspace(
        """
        import torch
        k = 1
        @torch.jit.script
        def f(x): return later(x)
        def plain(x): return later(x)
        k = 2
        def later(x): return x
        """
    )
    decorated, plain = function(world, "f"), function(world, "plain")
    assert decorated.scope.lookup("later") is None
    assert decorated.scope.lookup("k") == ConstantValue(1)
    assert isinstance(plain.scope.lookup("later"), FunctionValue)
    assert plain.scope.lookup("k") == ConstantValue(2)


def test_nested_functions_see_what_holds_when_they_are_compiled() -> None:
    world = workspace(
        """
        import torch
        class Test:
            helper = 5
            def test(self, given):
                def fn(x):
                    return helper(x) + k
                def helper(x): return x
                k = 1
                self.checkScript(fn, (1,))
                k = 2
                def fn(x):
                    return helper(x) + k + given
                def helper(x): return -x
                self.checkScript(fn, (1,))
                k = 3
                def last(x):
                    return last(x) + k
                k = 4
        """,
        entry_points=("checkScript",),
    )
    first = function(world, "Test.test.<locals>.fn", 0)
    second = function(world, "Test.test.<locals>.fn", 1)
    last = function(world, "Test.test.<locals>.last")
    helpers = [function(world, "Test.test.<locals>.helper", index) for index in (0, 1)]
    assert first.scope.lookup("helper") is helpers[0]
    assert second.scope.lookup("helper") is helpers[1]
    assert [each.scope.lookup("k") for each in (first, second, last)] == [ConstantValue(each) for each in (1, 2, 4)]
    assert isinstance(second.scope.lookup("given"), UnknownValue)
    assert last.scope.lookup("last") is last
    assert last.scope.lookup("torch") == ModuleValue("torch")
    entries = world.definitions("main.py").entry_points
    assert [(each.line, each.target) for each in entries] == [(9, first), (14, second)]


def test_names_that_functions_make_global() -> None:
    world = workspace(
        """
        kept = 1
        class Test:
            def first(self):
                global shared, alone, kept
                shared, alone, kept = 1, 2, 3
                def fn(x):
                    return shared
            def second(self):
                global shared
                shared = 4
                def fn(x):
                    return alone
        def reads():
            return shared
        """
    )
    first, second = function(world, "Test.first.<locals>.fn"), function(world, "Test.second.<locals>.fn")
    assert [each.scope.lookup_global("shared") for each in (first, second)] == [ConstantValue(1), ConstantValue(4)]
    assert second.scope.lookup("alone") == second.scope.lookup_global("alone") == ConstantValue(2)
    reads = function(world, "reads")
    assert reads.scope.lookup("alone") == ConstantValue(2)
    assert isinstance(reads.scope.lookup("shared"), UnknownValue)
    assert isinstance(reads.scope.lookup("kept"), UnknownValue)


def test_tracing_keeps_the_examples() -> None:
    found = names(
        """
        import torch
        def f(x): return x
        a = torch.jit.trace(f, torch.ones(1))
        b = torch.jit.trace(f, (torch.ones(1), unknown()))
        c = torch.jit.trace(f, unknown())
        d = torch.jit.script(a)
        """
    )
    traced = [found[name] for name in "abcd"]
    assert all(isinstance(each, TracedValue) for each in traced)
    assert [len(each.examples or ()) for each in traced if isinstance(each, TracedValue)] == [1, 2, 0, 1]
    first = traced[0]
    assert isinstance(first, TracedValue)
    assert first.examples is not None
    example = first.examples[0]
    assert isinstance(example, InstanceValue)
    assert example.of == TorchValue("torch.Tensor")
    assert traced[3] is first


def test_a_nested_decorated_function_does_not_see_later_locals() -> None:
    world = workspace(
        """
        import torch
        def later(x): return 0
        def test():
            @torch.jit.script
            def f(x): return later(x)
            def later(x): return x
        """
    )
    assert function(world, "test.<locals>.f").scope.lookup("later") is None


def test_closures_of_calls_hold_their_arguments() -> None:
    found = names(
        """
        def make(n):
            def add(x): return x + n
            return add
        a = make(3)
        b = make(4)
        """
    )
    first, second = found["a"], found["b"]
    assert isinstance(first, FunctionValue)
    assert isinstance(second, FunctionValue)
    assert first.scope.lookup("n") == ConstantValue(3)
    assert second.scope.lookup("n") == ConstantValue(4)


def test_overloads() -> None:
    world = workspace(
        """
        import torch
        @torch.jit._overload
        def f(x: int) -> int: ...
        @torch.jit._overload
        def f(x: str) -> str: ...
        def f(x): return x
        """
    )
    declared = [function(world, "f", 0), function(world, "f", 1)]
    implementation = function(world, "f", 2)
    assert all("overload" in each.modifiers for each in declared)
    assert list(implementation.overloads) == declared


ENTRY_PROGRAM = """
    import torch
    import torch.jit as j
    from torch import jit
    from torch.jit import script as s
    compile_it = torch.jit.script

    def f(x): return x
    class C: pass
    class M(torch.nn.Module): pass
    class Old(torch.jit.ScriptModule): pass
    @torch.jit.interface
    class Face: pass
    @s
    def g(x): return x
    a = torch.jit.script(f)
    b = j.script(C)
    c = torch.jit.freeze(jit.script(M().eval()))
    d = compile_it(f)
    e = torch.jit.script(a)
    if False:
        torch.jit.script(f)
    if __name__ == "__main__":
        print(s(obj=f))
    def later(unknown):
        torch.jit.script(unknown)
        with context():
            mine.compiler.run(f, 1)
            self.assertRaises(Error, lambda: torch.jit.script(f))
    @torch.jit.script_if_tracing
    def h(x): return x
    torch.compile(f)
    class Other:
        def script(self, f): return f
    Other().script(f)
"""


def test_entry_points() -> None:
    world = workspace(ENTRY_PROGRAM, entry_points=("compiler.run",))
    shown = []
    lines = textwrap.dedent(ENTRY_PROGRAM).splitlines()
    for entry in world.definitions("main.py").entry_points:
        target = entry.target.of if isinstance(entry.target, InstanceValue) else entry.target
        shown.append((lines[entry.line].strip(), entry.kind, getattr(target, "name", "?")))
    assert shown == [
        ("class Old(torch.jit.ScriptModule): pass", "module", "Old"),
        ("@torch.jit.interface", "interface", "Face"),
        ("@s", "function", "g"),
        ("a = torch.jit.script(f)", "function", "f"),
        ("b = j.script(C)", "class", "C"),
        ("c = torch.jit.freeze(jit.script(M().eval()))", "module", "M"),
        ("d = compile_it(f)", "function", "f"),
        ("print(s(obj=f))", "function", "f"),
        ("torch.jit.script(unknown)", "function", "?"),
        ("mine.compiler.run(f, 1)", "function", "f"),
        ("self.assertRaises(Error, lambda: torch.jit.script(f))", "function", "f"),
        ("@torch.jit.script_if_tracing", "function", "h"),
    ]


def test_functions_that_compile_what_they_are_given() -> None:
    world = workspace(
        """
        import torch
        def check(name, fn):
            return torch.jit.script(fn)
        class Test:
            def run(self, fn, *rest):
                torch.jit.script(fn)
            def test(self):
                def f(x): return x
                self.run(f, 1)
                check("g", fn=g)
                for each in (f, g):
                    torch.jit.script(each)
        def g(x): return x
        check("h", g)
        other = g
        print(other)
        """
    )
    found = [
        (each.line, each.target.qualname)
        for each in world.definitions("main.py").entry_points
        if isinstance(each.target, FunctionValue)
    ]
    nested = "Test.test.<locals>.f"
    inside = [(3, "g"), (6, nested)]
    assert found == [*inside, (9, nested), (10, "g"), (12, nested), (12, "g"), (14, "g")]


def test_the_options_of_a_wrapper_are_not_compiled() -> None:
    world = workspace(
        """
        from somewhere import compiled
        @compiled(option=3)
        def f(x): return x
        def g(x): return x
        compiled("name", g)
        """,
        entry_points=("compiled",),
    )
    entries = world.definitions("main.py").entry_points
    assert [(each.line, getattr(each.target, "name", None)) for each in entries] == [(2, "f"), (5, None)]


def test_script_modules_are_compiled_when_they_are_made() -> None:
    world = workspace(
        """
        import torch
        class Old(torch.jit.ScriptModule): pass
        class Older(Old): pass
        class Never(Old): pass
        a = Older()
        b = torch.jit.script(a)
        """
    )
    entries = world.definitions("main.py").entry_points
    assert [(each.line, each.kind) for each in entries] == [(2, "module"), (4, "module"), (5, "module")]
    made = entries[2].target
    assert isinstance(made, InstanceValue)
    assert isinstance(made.of, ClassValue)
    assert made.of.name == "Older"


def test_a_named_entry_point_is_not_the_builtin_of_that_name() -> None:
    text = "from tools import compile\ndef f(x): return x\ncompile(f)\n"
    assert len(workspace(text, entry_points=("tools.compile",)).definitions("main.py").entry_points) == 1
    text = text.removeprefix("from tools import compile\n")
    assert not workspace(text, entry_points=("tools.compile",)).definitions("main.py").entry_points


def test_results_of_compiling() -> None:
    found = names(
        """
        import torch
        def f(x): return x
        class C: pass
        a = torch.jit.script(f)
        b = torch.jit.script(torch.nn.Linear(3, 4))
        c = torch.jit.freeze(b.eval())
        d = torch.jit.script(C)
        e = torch.jit.annotate(int, 3)
        """
    )
    assert isinstance(found["a"], ScriptedValue)
    assert found["a"].of is found["f"]
    layer = found["b"]
    assert isinstance(layer, ScriptedValue)
    assert isinstance(layer.of, InstanceValue)
    assert layer.of.arguments == (ConstantValue(3), ConstantValue(4))
    assert found["d"] is found["C"]
    assert found["e"] == ConstantValue(3)


PACKAGE = (
    Source("pkg/__init__.py", "pkg", "from .one import *\nfrom . import two\nVERSION = 3\n", is_package=True),
    Source("pkg/one.py", "pkg.one", "from .two import deep\nONE = 1\n_hidden = 2\n"),
    Source("pkg/two.py", "pkg.two", "from . import VERSION\nfrom .one import ONE\ndef deep(x): return x\n"),
    Source("pkg/sub/__init__.py", "pkg.sub", "", is_package=True),
    Source(
        "pkg/sub/leaf.py", "pkg.sub.leaf", "from ..two import deep as d\nfrom ... import x\n__all__ = ['d']\nq = 1\n"
    ),
    Source("outer.py", "outer", "import os.path\n", external=True),
)


def test_imports() -> None:
    found = names(
        """
        import pkg
        import pkg.sub.leaf
        import pkg.two as t
        from pkg.one import ONE, deep
        from pkg.sub.leaf import *
        from pkg import two, VERSION
        a = pkg.sub.leaf.d
        b = pkg.ONE
        c = t.VERSION
        e = pkg.missing
        """,
        *PACKAGE,
    )
    assert found["pkg"] == ModuleValue("pkg")
    assert found["t"] == found["two"] == ModuleValue("pkg.two")
    assert found["ONE"] == found["b"] == ConstantValue(1)
    assert isinstance(found["deep"], FunctionValue)
    assert found["a"] is found["deep"]
    assert found["c"] == found["VERSION"] == ConstantValue(3)


def test_star_imports() -> None:
    world = workspace("from pkg.sub.leaf import *\nfrom pkg import *\nfrom nowhere import *\n", *PACKAGE)
    scope = world.scope("main.py")
    assert scope is not None
    assert isinstance(scope.lookup("d"), FunctionValue)
    assert scope.lookup("ONE") == ConstantValue(1)
    assert isinstance(scope.lookup("_hidden"), UnknownValue)
    assert isinstance(scope.lookup("q"), UnknownValue)
    assert scope.lookup("len") == BuiltinValue("len")


def test_members_of_files() -> None:
    world = workspace("import pkg, outer", *PACKAGE)
    scope = world.scope("main.py")
    assert scope is not None
    assert [scope.lookup("pkg"), scope.lookup("outer")] == [ModuleValue("pkg"), ModuleValue("outer")]
    assert world.member("pkg", "missing") is None
    assert world.member("pkg", "sub") == ModuleValue("pkg.sub")
    assert world.member("pkg.one", "len") is None
    assert isinstance(world.member("outer", "missing"), UnknownValue)


@pytest.mark.parametrize("first", ["left", "right"])
def test_cyclic_imports_lose_nothing(first: str) -> None:
    left = Source("left.py", "left", "from right import B\nclass A: pass\nclass C(B): pass\nK = 1\n")
    right = Source(
        "right.py", "right", "import torch\nfrom left import A, K\nclass B(torch.nn.Module): pass\nL = K + 1\n"
    )
    world = workspace(f"import {first}\nimport left, right", left, right)
    scope = world.scope("main.py")
    assert scope is not None
    scope.lookup(first)
    scope.lookup("left"), scope.lookup("right")
    order = ["C", "L"] if first == "left" else ["L", "C"]
    for name in order:
        value = world.member("left" if name == "C" else "right", name)
        if name == "C":
            assert isinstance(value, ClassValue)
            assert value.kind == "module"
        else:
            assert value == ConstantValue(2)


def test_star_imports_in_a_circle_end() -> None:
    world = workspace(
        "from left import *\n",
        Source("left.py", "left", "from right import *\nA = 1\n"),
        Source("right.py", "right", "from left import *\nB = A\n"),
    )
    scope = world.scope("main.py")
    assert scope is not None
    assert scope.lookup("B") == ConstantValue(1)
    assert scope.lookup("nothing") is None


def test_a_change_reaches_those_who_import() -> None:
    world = workspace("from library import K, f\nL = K + 1\n")
    world.set_source("library.py", "K = 1\ndef f(x): return x\n")
    world.set_source("other.py", "def g(x): return x\n")
    scope = world.scope("main.py")
    assert scope is not None
    assert scope.lookup("L") == ConstantValue(2)
    kept = world.definitions("other.py")
    world.set_source("library.py", "K = 5\n")
    scope = world.scope("main.py")
    assert scope is not None
    assert scope.lookup("L") == ConstantValue(6)
    assert isinstance(scope.lookup("f"), UnknownValue)
    assert world.definitions("other.py") is kept


def _summary(world: Workspace, path: str) -> list[object]:
    """What can be compared across worlds: names with their plain values or kinds, definitions and entry points."""
    scope = world.scope(path)
    assert scope is not None
    shown: list[object] = []
    for name in scope.names():
        value = scope.lookup(name)
        said = describe(value)
        shown.append((name, said if _plain(said) else (type(value).__name__, getattr(value, "qualname", ""))))
    found = world.definitions(path)
    shown += [(each.qualname, each.unit.first_line, sorted(each.modifiers)) for each in found.functions]
    shown += [(each.qualname, each.unit.first_line, each.kind) for each in found.classes]
    shown += [(each.line, each.kind, each.through) for each in found.entry_points]
    return shown


def test_edits_give_what_a_fresh_world_gives() -> None:
    steps = [
        ("lib.py", "K = 1\ndef f(x): return x\n"),
        ("main.py", "import torch\nfrom lib import *\nL = K + 1\ns = torch.jit.script(f)\n"),
        ("lib.py", "import torch\nK = 2\n@torch.jit.script\ndef f(x): return x\n"),
        ("base.py", "import torch\nclass Base(torch.nn.Module): pass\n"),
        ("main.py", "from lib import K\nfrom base import Base\nclass M(Base): pass\n"),
        ("base.py", "class Base: pass\n"),
        ("lib.py", "from base import Base as K\n"),
        ("base.py", "class Base:\n"),
        (
            "main.py",
            "import torch\n\nfrom lib import K\nfrom base import Base\nclass M(Base): pass\ntorch.jit.script(M())\n",
        ),
        ("base.py", "from enum import Enum\nclass Base(Enum): pass\n"),
        ("lib.py", "K = 1\nK = K + 1\n"),
        ("main.py", "import lib\nL = lib.K\n"),
        ("lib.py", "K = 7\n"),
    ]
    world = Workspace(load())
    texts: dict[str, str] = {}
    for path, text in steps:
        texts[path] = text
        world.set_source(path, text)
        fresh = Workspace(load())
        for each, current in texts.items():
            fresh.set_source(each, current)
        for each in texts:
            assert _summary(world, each) == _summary(fresh, each), (path, text, each)


def test_positions_after_an_edit_above() -> None:
    world = workspace("def f(x): return x\n")
    chunk = function(world, "f").unit.chunk
    world.set_source("main.py", "import torch\n\ndef f(x): return x\n")
    moved = function(world, "f").unit
    assert (moved.first_line, moved.module) == (2, "main")
    assert moved.chunk is chunk


def test_definitions_are_complete_and_in_order() -> None:
    world = workspace(
        """
        def a():
            def b():
                class C:
                    def d(self):
                        def e(): pass
            async def f(): pass
        if unknown:
            def g(): pass
        else:
            def g(): pass
        try:
            class H:
                if True:
                    def i(self): pass
        finally:
            def j(): pass
        """
    )
    found = world.definitions("main.py")
    assert [each.qualname for each in found.functions] == [
        "a",
        "a.<locals>.b",
        "a.<locals>.b.<locals>.C.d",
        "a.<locals>.b.<locals>.C.d.<locals>.e",
        "a.<locals>.f",
        "g",
        "g",
        "H.i",
        "j",
    ]
    assert [each.qualname for each in found.classes] == ["a.<locals>.b.<locals>.C", "H"]


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


def test_defaults_are_values() -> None:
    world = workspace("K = 3\ndef f(a, b=K, *, c=[1], d): pass\nK = 4\n")
    assert {name: describe(value) for name, value in function(world, "f").defaults.items()} == {"b": 3, "c": [1]}


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(["x0 = 0", *(f"x{n + 1} = x{n} + 1" for n in range(3000))]),
        "x = 0\n" + "x += 1\n" * 3000 + "x3000 = x\n",
    ],
    ids=["many names", "one name"],
)
def test_long_chains_are_followed_to_the_end(text: str) -> None:
    assert names(text)["x3000"] == ConstantValue(3000)


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "+".join(["1"] * 3000),
        "x = " + "-" * 80 + "1",
        "def f(n): return f(n)\nx = f(1)",
        "def f(n): return g(n)\ndef g(n): return f(n)\nx = f(1)",
        "x = 2 ** 10 ** 10",
        "x = 'a' * 10 ** 10",
        "x = x",
        "def f(g=f): pass\nx = f",
        "class C(C): pass\nx = C",
        "x = (lambda f: f(f))(lambda f: f(f))",
        "if x:\n  x = 1",
        "x = y\ny = x",
        "from main import x",
        "".join(f"{' ' * n}if a{n}:\n" for n in range(90)) + " " * 90 + "x = 1",
        "x = [",
        "def (:\nx = 1",
        "x = 1 / 0",
        "x: int",
        "import .",
        "from . import x",
        "@\ndef x(): pass",
        "*a, x = 1, 2, 3",
        "x = f(*y, **z)",
        "x = {**y}",
        "x = [*y]",
    ],
)
def test_odd_programs_do_no_harm(text: str) -> None:
    world = workspace(text)
    found = world.definitions("main.py")
    assert all(isinstance(each, FunctionValue) for each in found.functions)
    scope = world.scope("main.py")
    assert scope is not None
    value = scope.lookup("x")
    assert value is None or isinstance(value, Value)
