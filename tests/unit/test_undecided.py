"""Conditions and loops that the compiler decides by a value which the source does not show.

What it accepts must have no error here, whatever it decided.
"""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from ts_lsp.semantic.analysis import Analysis
from ts_lsp.torchdata.loader import load
from ts_lsp.values.workspace import Workspace

torch: Any = pytest.importorskip("torch")

HEADER = """
import torch
from torch import nn

def hidden(value):
    return eval("value")

class Pair(nn.Module):
    def forward(self, x):
        return x, x
"""
PROGRAMS = {
    "a name bound anew under a submodule that is there": """
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.norm = hidden(nn.Identity())

            def forward(self, x):
                bias = None
                shape, rest = x.shape[0], 1
                if self.norm is not None:
                    bias = self.norm(x)
                    x, rest = x, [rest]
                    if x.dim() == 2:
                        bias = bias + 1
                    added = 3
                return bias, rest, added
        """,
    "what stands under a submodule that is not there": """
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.norm = hidden(None)

            def forward(self, x):
                if self.norm is not None:
                    x = self.norm(x).missing + "text"
                    return 1
                return x
        """,
    "a constant that is false": """
        class M(nn.Module):
            __constants__ = ["flag"]

            def __init__(self):
                super().__init__()
                self.flag = bool(hidden(False))

            def forward(self, x):
                if self.flag:
                    x = x.missing()
                    return 1
                return x
        """,
    "a return that ends the function": """
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.norm = hidden(nn.Identity())

            def forward(self, x):
                if self.norm is not None:
                    return self.norm(x)
                x.missing()
                return 1
        """,
    "a loop that is unrolled": """
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.blocks = nn.ModuleList(hidden([Pair(), Pair()]))

            def forward(self, x):
                h = None
                for block in self.blocks:
                    x, h = block(x)
                    last = h
                return x.sum() + h.sum() + last.sum()
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_the_compiler_accepts_has_no_error(name: str, tmp_path: Any) -> None:
    text = HEADER + textwrap.dedent(PROGRAMS[name])
    path = tmp_path / "undecided_program.py"
    path.write_text(text)
    scope: dict[str, Any] = {"__name__": "undecided_program", "__file__": str(path)}
    exec(compile(text, str(path), "exec"), scope)
    torch.jit.script(scope["M"]())

    analysis = Analysis(load(), Workspace(load()))
    analysis.apply_change("main.py", text + "\ntorch.jit.script(M())\n")
    facts = analysis.file_facts("main.py")
    assert [each.verdict for each in facts.entries] == ["unknown"]
    found = [finding for each in facts.definitions for finding in each.findings]
    assert [each.code for each in found if "world" not in each.data] == []
