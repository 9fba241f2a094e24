"""What expressions and modules evaluate to: held against Python itself where Python can say."""

from __future__ import annotations

import textwrap

import pytest

from tests.unit.value_programs import describe, function, is_plain, names, workspace
from ts_lsp.values.model import (
    BuiltinValue,
    ConstantValue,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    TorchValue,
    TypingValue,
    UnknownValue,
    Value,
)

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
        elif is_plain(python[name]) and is_plain(said):
            assert (type(said), said) == (type(python[name]), python[name]), name
        assert value is not None or name not in python, name
    for name in KNOWN_NAMES.get(title, "").split():
        assert is_plain(describe(ours[name])), name
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
