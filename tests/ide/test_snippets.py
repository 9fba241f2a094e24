"""Calls that completion writes have the arguments that must be given."""

from __future__ import annotations

import re

import pytest

from ts_lsp.ide.completion_items import Completion, member_items, module_items
from ts_lsp.ide.snippets import call_snippet
from ts_lsp.semantic.analysis import Analysis
from ts_lsp.semantic.offered import members_of
from ts_lsp.semantic.sugared import Simple
from ts_lsp.torchdata.loader import TorchData, load
from ts_lsp.types.model import TENSOR
from ts_lsp.types.schema import Schema
from ts_lsp.values.workspace import Workspace


@pytest.mark.parametrize(
    ("kind", "detail", "operator", "expected"),
    [
        ("function", "", "", "f($0)"),
        ("function", "f() -> int", "", "f()$0"),
        ("function", "f(int a=1, *, Tensor? b=None) -> int", "", "f()$0"),
        (
            "function",
            "f(Tensor x, int[2] sizes, *, Dict(str, int) table) -> (Tensor, Tensor)",
            "",
            "f(${1:x}, ${2:sizes}, table=${3:table})$0",
        ),
        (
            "function",
            "aten::f(Tensor(a!) self, Tensor b) -> Tensor(a!) (+2 overloads)",
            "aten::f",
            "f(${1:input}, ${2:b})$0",
        ),
        ("method", "aten::f(Tensor(a!) self, Tensor b) -> Tensor(a!)", "aten::f", "f(${1:b})$0"),
        ("method", "f(int self) -> int", "", "f(${1:input})$0"),
        ("function", 'f(str fmt="(,", ...) -> str', "", "f()$0"),
    ],
)
def test_calls(kind: str, detail: str, operator: str, expected: str) -> None:
    assert call_snippet(Completion("f", kind, detail, is_callable=True, operator=operator)) == expected


def _stops(text: str) -> int:
    assert re.fullmatch(r"\w+\(.*\)\$0", text), text
    return len(re.findall(r"\$\{\d+:\w+\}", text))


def _required(schema: Schema, skipped: int) -> int:
    return sum(each.default is None for each in schema.arguments[skipped:])


def test_every_function_of_torch_is_written_with_what_it_must_be_given() -> None:
    torch = load()
    items = [each for each in module_items(torch, "torch", False) if each.is_callable and each.operator]
    assert len(items) > 900
    for each in items:
        assert _stops(call_snippet(each)) == _required(torch.schemas(each.operator)[0], 0), each


def test_every_method_of_a_tensor_is_written_without_its_receiver() -> None:
    torch = load()
    methods = [each for each in _tensor_items(torch) if each.is_callable and each.operator]
    assert len(methods) > 900
    for each in methods:
        first = torch.schemas(each.operator)[0]
        skipped = 1 if first.arguments[0].name == "self" else 0
        assert _stops(call_snippet(each)) == _required(first, skipped), each


def _tensor_items(torch: TorchData) -> tuple[Completion, ...]:
    analysis = Analysis(torch, Workspace(torch))
    analysis.apply_change("m.py", "import torch\n@torch.jit.script\ndef f(x):\n    return x\n")
    (function,) = (each for each in analysis.workspace.definitions("m.py").functions)
    analysis.file_facts("m.py")
    context = analysis.program.context_of(function, None)
    return member_items(torch, members_of(context, Simple(TENSOR)), TENSOR)
