"""What decorators, closures and overloads make of functions."""

from __future__ import annotations

from tests.unit.value_programs import Source, function, names, workspace
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    PartialValue,
    TorchValue,
    TracedValue,
    UnknownValue,
)


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
