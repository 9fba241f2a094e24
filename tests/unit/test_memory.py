"""What an editor's hour of typing leaves behind: nothing."""

from __future__ import annotations

import ast
import gc
import weakref

from ts_lsp.semantic.incremental import IncrementalAnalysis
from ts_lsp.torchdata.loader import load
from ts_lsp.values.workspace import Workspace

FUNCTION = "import torch\n\n@torch.jit.script\ndef f(x):\n    y = x + {number}\n    return y.relu()\n"
MODULE = """
class Layer(torch.nn.Module):
    def forward(self, x):
        return f(x) * {number}

layer = torch.jit.script(Layer())
"""


def test_trees_of_former_texts_are_let_go() -> None:
    torch = load("2.13.0")
    analysis = IncrementalAnalysis(torch, Workspace(torch))
    former: list[weakref.ref[ast.AST]] = []
    for number in range(8):
        analysis.apply_change("a.py", FUNCTION.format(number=number) + MODULE.format(number=number))
        facts = analysis.file_facts("a.py")
        former += [weakref.ref(each.node) for each in facts.definitions]
        former += [weakref.ref(unit.chunk.tree) for unit in analysis.workspace.units("a.py")]
    del facts
    gc.collect()
    nodes = {each.node for each in analysis.file_facts("a.py").definitions}
    nodes |= {unit.chunk.tree for unit in analysis.workspace.units("a.py")}
    alive = [node for node in (each() for each in former) if node is not None and node not in nodes]
    assert len(alive) <= len(nodes), [ast.unparse(each) for each in alive]
