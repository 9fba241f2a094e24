"""Classes that nothing hands to the compiler are judged by the objects that the file's own functions make of them."""

from __future__ import annotations

import pytest

from ts_lsp.semantic.analysis import Analysis
from ts_lsp.torchdata.loader import load
from ts_lsp.values.workspace import Workspace

CLASSES = """
import unheard_of
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, width, activation):
        super().__init__()
        self.activation = activation()
        self.width = width

    def forward(self, x):
        return self.activation(x) * self.width

class Net(nn.Module):
    def __init__(self, widths, **options):
        super().__init__()
        self.blocks = nn.Sequential(*[Block(width, nn.ReLU) for width in widths])

    def forward(self, x):
        return self.blocks(x)
"""


def verdicts(functions: str) -> dict[str, set[str]]:
    torch = load("2.13")
    analysis = Analysis(torch, Workspace(torch))
    analysis.apply_change("main.py", CLASSES + functions)
    found: dict[str, set[str]] = {}
    for each in analysis.file_facts("main.py", "modules").definitions:
        found.setdefault(each.qualname, set()).add(each.verdict)
    return found


def test_a_function_that_needs_nothing_shows_what_the_classes_are() -> None:
    found = verdicts("\ndef net(pretrained=False, **options):\n    return Net([1, 2], **options)\n")
    expected = {name: {"ok"} for name in ("Net", "Net.forward", "Block", "Block.forward")}
    assert found == expected


@pytest.mark.parametrize(
    "body",
    [
        "def net(widths):\n    return Net(widths)",
        "def net():\n    return Net(unheard_of.widths())",
        "def net():\n    raise RuntimeError",
        "def net():\n    return net()",
        "def net():\n    yield Net([1])",
        "def net(flag=unheard_of.flag):\n    return Net([1]) if flag else Net([])",
    ],
)
def test_what_functions_do_not_show_stays_unknown(body: str) -> None:
    found = verdicts(f"\n{body}\n")
    assert (found["Net"], found["Block"]) == ({"unknown"}, {"unknown"})


def test_an_object_that_does_not_compile_is_no_mistake_of_its_class() -> None:
    found = verdicts("\ndef block():\n    return Block(nn.ReLU(), nn.ReLU)\n")
    assert found["Block"] == {"unknown"}


def test_an_object_of_options_as_default_only_stands_for_what_callers_give() -> None:
    found = verdicts(
        """
class Options:
    size = None

class Window(nn.Module):
    def __init__(self, options=Options()):
        super().__init__()
        self.size = options.size

    def forward(self, x):
        return x + self.size
"""
    )
    assert found["Window"] == {"unknown"}
