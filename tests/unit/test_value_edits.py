"""What becomes of values when texts change."""

from __future__ import annotations

from tests.unit.value_programs import describe, function, is_plain, workspace
from ts_lsp.torchdata.loader import load
from ts_lsp.values.model import ConstantValue, UnknownValue
from ts_lsp.values.workspace import Workspace


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
        shown.append((name, said if is_plain(said) else (type(value).__name__, getattr(value, "qualname", ""))))
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
