"""What is handed to the compiler, and what comes back."""

from __future__ import annotations

import textwrap

from tests.unit.value_programs import names, workspace
from ts_lsp.values.model import ClassValue, ConstantValue, FunctionValue, InstanceValue, ScriptedValue

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
