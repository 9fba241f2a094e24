"""What names of other modules denote."""

from __future__ import annotations

import pytest

from tests.unit.value_programs import Source, names, workspace
from ts_lsp.values.model import BuiltinValue, ClassValue, ConstantValue, FunctionValue, ModuleValue, UnknownValue

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
