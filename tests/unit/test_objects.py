"""What constructors leave behind, held against the objects that Python itself makes of the same programs."""

from __future__ import annotations

import math
import sys
import textwrap
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.unit.object_programs import INCOMPLETE, PROGRAMS, WORLDS
from ts_lsp.torchdata.loader import load
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    DictValue,
    EnumMemberValue,
    FunctionValue,
    InstanceValue,
    ModuleObject,
    PartialValue,
    SequenceValue,
    TorchValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.workspace import Workspace

torch: Any = pytest.importorskip("torch")

HEADER = """
import copy, functools, math, torch
import torch.nn as nn
import torch.nn.functional as F
from collections import OrderedDict
from typing import List, Optional
from torch import Tensor
"""


def abstract(text: str) -> list[tuple[ModuleObject, ...]]:
    """The objects that each entry point of a program may hand to the compiler."""
    world = Workspace(load())
    world.set_source("main.py", text)
    targets = [entry.target for entry in world.definitions("main.py").entry_points]
    kinds = [entry.kind for entry in world.definitions("main.py").entry_points]
    assert set(kinds) == {"module"}
    return [world.instantiate(target) for target in targets if isinstance(target, (InstanceValue, ModuleObject))]


def run(text: str, monkeypatch: pytest.MonkeyPatch, seen: Callable[[Any], None]) -> None:
    """Runs a program; `seen` gets each module at the moment it is handed to the compiler."""

    def script(module: Any) -> Any:
        seen(module)
        return module

    monkeypatch.setattr(torch.jit, "script", script)
    monkeypatch.setattr(torch.jit, "freeze", lambda module: module)
    made = types.ModuleType("objects_program")
    monkeypatch.setitem(sys.modules, "objects_program", made)
    exec(compile(text, "main.py", "exec"), made.__dict__)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_object_is_the_one_python_makes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEADER + textwrap.dedent(PROGRAMS[name])
    objects = iter(abstract(text))

    def seen(module: Any) -> None:
        (found,) = next(objects)
        assert list(differences(found, module, exact=True)) == []
        assert all(each.is_complete for each in every(found))

    run(text, monkeypatch, seen)
    assert next(objects, None) is None


@pytest.mark.parametrize("name", WORLDS)
def test_unknown_arguments_make_worlds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program, expected = WORLDS[name]
    text = HEADER + textwrap.dedent(program)
    (worlds,) = abstract(text)
    assert [world.worlds for world in worlds] == expected
    matched: set[int] = set()

    def seen(module: Any) -> None:
        found = [list(differences(world, module, exact=True)) for world in worlds]
        assert [] in found
        matched.add(found.index([]))

    run(text, monkeypatch, seen)
    assert len(matched) == len(worlds)


@pytest.mark.parametrize("name", INCOMPLETE)
def test_code_that_is_not_known_leaves_the_object_incomplete(name: str) -> None:
    text = HEADER + textwrap.dedent(INCOMPLETE[name])
    (worlds,) = abstract(text)
    assert any(not each.is_complete for world in worlds for each in every(world))


def test_objects_are_kept_until_something_changes() -> None:
    world = Workspace(load())
    world.set_source("main.py", HEADER + "m = nn.Linear(1, 2)\ntorch.jit.script(m)\n")
    (entry,) = world.definitions("main.py").entry_points
    assert isinstance(entry.target, InstanceValue)
    assert world.instantiate(entry.target) is world.instantiate(entry.target)


def every(module: ModuleObject) -> Iterator[ModuleObject]:
    yield module
    for child in module.modules.values():
        if isinstance(child, ModuleObject):
            yield from every(child)


# Holding an abstract object against a real one.

BOOKKEEPING = frozenset(torch.nn.Module().__dict__)


def differences(found: ModuleObject, module: Any, exact: bool, path: str = "model") -> Iterator[str]:
    """Where an abstract object says something else than the real one; `exact`: or less."""
    yield from class_differences(found.of, type(module), path)
    if found.is_initialised != ("_parameters" in module.__dict__):
        yield f"{path}: initialised"
        return
    if not found.is_initialised:
        return
    leaf = is_leaf(found)
    unknown = {name for name, value in found.attributes.items() if isinstance(value, UnknownValue) and not exact}
    tables: list[tuple[str, Mapping[str, Value], Mapping[str, Any]]] = [
        ("parameters", found.parameters, module._parameters),
        ("buffers", found.buffers, module._buffers),
        ("modules", found.modules, module._modules),
    ]
    for kind, table, actual in tables:
        names = [name for name in actual if (not leaf or name in table) and name not in unknown]
        if (list(table) != names) if exact or (found.is_complete and not leaf) else not set(table) <= set(names):
            yield f"{path}: {kind} {list(table)} for {list(actual)}"
            continue
        for name, value in table.items():
            yield from value_differences(value, actual[name], exact, f"{path}.{name}")
    attributes = {name: value for name, value in module.__dict__.items() if name not in BOOKKEEPING}
    names = [name for name in attributes if not is_derived(found) or name in found.attributes]
    names = [name for name in names if name not in unknown]
    own = [name for name in found.attributes if name not in BOOKKEEPING and name not in unknown]
    if (own != names) if exact or (found.is_complete and not leaf) else not set(own) <= set(names):
        yield f"{path}: attributes {own} for {list(attributes)}"
    for name in own:
        if name in attributes:
            yield from value_differences(found.attributes[name], attributes[name], exact, f"{path}.{name}")
    if exact and (len(found.hooks), len(found.pre_hooks)) != (
        len(module._forward_hooks),
        len(module._forward_pre_hooks),
    ):
        yield f"{path}: hooks"


def is_leaf(found: ModuleObject) -> bool:
    """Whether torch's data, and not the tables, say what the module has."""
    return found.base is not None or (isinstance(found.of, TorchValue) and not is_container(found.of))


def is_derived(found: ModuleObject) -> bool:
    return is_leaf(found) or isinstance(found.of, TorchValue) or found.base is not None or has_torch_base(found)


def has_torch_base(found: ModuleObject) -> bool:
    """Containers keep a little book of their own (`ParameterList._size`)."""
    return isinstance(found.of, ClassValue) and any(
        isinstance(base, TorchValue) and is_container(base) for base in found.of.bases
    )


def is_container(of: TorchValue) -> bool:
    return of.path.startswith("torch.nn.modules.container.")


def class_differences(of: Value, actual: type, path: str) -> Iterator[str]:
    name = f"{actual.__module__}.{actual.__qualname__}"
    if isinstance(of, ClassValue) and of.qualname != actual.__qualname__:
        yield f"{path}: class {of.qualname} for {name}"
    if isinstance(of, TorchValue) and of.path.rpartition(".")[2] != actual.__name__:
        yield f"{path}: class {of.path} for {name}"


def value_differences(value: Value, actual: Any, exact: bool, path: str) -> Iterator[str]:
    if isinstance(value, UnknownValue):
        if exact and not isinstance(actual, (torch.Size, torch.jit.ScriptFunction)):
            yield f"{path}: unknown ({value.reason}) for {actual!r}"
    elif isinstance(value, ModuleObject):
        if isinstance(actual, torch.nn.Module):
            yield from differences(value, actual, exact, path)
        else:
            yield f"{path}: a module for {actual!r}"
    elif exact and isinstance(value, InstanceValue) and isinstance(actual, (list, tuple, dict)):
        if isinstance(value.of, BuiltinValue) and value.of.name != "generator":
            yield f"{path}: unknown elements of {actual!r}"
    elif not agrees(value, actual):
        yield f"{path}: {value!r} for {actual!r}"
    elif isinstance(value, SequenceValue) and value.kind != "set":
        for index, (part, each) in enumerate(zip(value.elements, actual, strict=True)):
            yield from value_differences(part, each, exact, f"{path}[{index}]")
    elif isinstance(value, DictValue):
        for (key, part), (name, each) in zip(value.items, actual.items(), strict=True):
            yield from value_differences(key, name, exact, f"{path} key")
            yield from value_differences(part, each, exact, f"{path}[{name!r}]")


def agrees(value: Value, actual: Any) -> bool:
    """Whether a value is of the kind of a real object, and equal where it is a constant.

    The last digit of a float may come from torch's float32, which rounds as the processor at hand does.
    """
    if isinstance(value, ConstantValue) and isinstance(value.value, float) and isinstance(actual, float):
        return math.isclose(value.value, actual, rel_tol=1e-6) or repr(value.value) == repr(actual)
    if isinstance(value, ConstantValue):
        return type(value.value) is type(actual) and repr(value.value) == repr(actual)
    if isinstance(value, SequenceValue):
        return value.kind == type(actual).__name__ and len(value.elements) == len(actual)
    if isinstance(value, DictValue):
        return isinstance(actual, dict) and len(value.items) == len(actual)
    if isinstance(value, FunctionValue):
        return getattr(actual, "__name__", None) == value.name
    if isinstance(value, EnumMemberValue):
        return getattr(actual, "name", None) == value.name
    if isinstance(value, ClassValue):
        return isinstance(actual, type) and actual.__name__ == value.name
    if isinstance(value, TorchValue):
        return not isinstance(actual, (torch.Tensor, torch.nn.Module, int, float, str, list, dict))
    if isinstance(value, InstanceValue):
        return instance_agrees(value.of, actual)
    return isinstance(value, (BuiltinValue, PartialValue))


def instance_agrees(of: Value, actual: Any) -> bool:
    if isinstance(of, ClassValue):
        return type(actual).__name__ == of.name
    if isinstance(of, BuiltinValue):
        last = of.name.rpartition(".")[2]
        return last == type(actual).__name__ or (last == "generator" and hasattr(actual, "__iter__"))
    if not isinstance(of, TorchValue):
        return False
    if of.path.endswith("Parameter"):
        return isinstance(actual, torch.nn.Parameter)
    if of.path in ("torch.Tensor", "torch.nn.parameter.Buffer"):
        return isinstance(actual, torch.Tensor) and not isinstance(actual, torch.nn.Parameter)
    return type(actual).__name__ == of.path.rpartition(".")[2]


# Torch's own classes, read from their source.

SOURCES = Path(torch.nn.__file__).parent / "modules"
CONSTRUCTED = {
    "linear": ["Linear(3, 4)", "Linear(3, 4, bias=False)", "Bilinear(1, 2, 3)", "Identity()"],
    "conv": [
        "Conv1d(1, 2, 3)",
        "Conv2d(4, 4, 3, stride=2, padding='same', groups=2, bias=False) if False else Conv2d(4, 4, (3, 5), groups=2)",
        "Conv3d(1, 2, 3, padding_mode='circular', padding=1)",
        "ConvTranspose2d(1, 2, 3, output_padding=1, stride=2)",
        "ConvTranspose1d(1, 2, 3, bias=False)",
    ],
    "batchnorm": [
        "BatchNorm1d(3)",
        "BatchNorm2d(3, affine=False)",
        "BatchNorm3d(3, track_running_stats=False)",
        "SyncBatchNorm(3)",
    ],
    "normalization": [
        "LayerNorm(3)",
        "LayerNorm((3, 4), elementwise_affine=False)",
        "LayerNorm([2, 3], bias=False)",
        "GroupNorm(2, 4)",
        "LocalResponseNorm(2)",
        "RMSNorm(3)",
        "CrossMapLRN2d(3)",
    ],
    "instancenorm": ["InstanceNorm1d(3)", "InstanceNorm2d(3, affine=True, track_running_stats=True)"],
    "activation": [
        "ReLU(inplace=True)",
        "Hardtanh(-2.0, 2.0)",
        "GELU('tanh')",
        "PReLU(3)",
        "Softmax(dim=1)",
        "Threshold(0.1, 20)",
        "ELU()",
        "MultiheadAttention(4, 2)",
        "MultiheadAttention(4, 2, bias=False, kdim=3, vdim=5, add_bias_kv=True)",
        "Softplus()",
        "RReLU()",
        "GLU()",
        "LeakyReLU(0.2)",
        "ReLU6()",
    ],
    "pooling": [
        "MaxPool2d(3, stride=2)",
        "AvgPool1d(2)",
        "AdaptiveAvgPool2d((1, None))",
        "FractionalMaxPool2d(3, output_size=(13, 12))",
        "LPPool2d(2, 3)",
        "MaxUnpool2d(2)",
    ],
    "padding": ["ConstantPad1d(2, 3.5)", "ReflectionPad2d((1, 1, 2, 0))", "ZeroPad2d(1)", "CircularPad3d(2)"],
    "dropout": ["Dropout(0.3)", "AlphaDropout()", "Dropout2d(inplace=True)"],
    "sparse": ["Embedding(10, 3)", "Embedding(10, 3, padding_idx=-1)", "EmbeddingBag(10, 3, mode='sum')"],
    "rnn": ["LSTM(3, 4)", "GRU(3, 4, num_layers=2, bidirectional=True)", "LSTM(3, 4, proj_size=2)", "LSTMCell(3, 4)"],
    "loss": [
        "CrossEntropyLoss()",
        "NLLLoss(reduction='sum')",
        "BCEWithLogitsLoss(pos_weight=torch.ones(3))",
        "HuberLoss(delta=2.0)",
        "CTCLoss()",
        "MSELoss()",
        "TripletMarginLoss()",
        "KLDivLoss(log_target=True)",
    ],
    "upsampling": ["Upsample(scale_factor=2)", "UpsamplingNearest2d(size=(2, 3))"],
    "pixelshuffle": ["PixelShuffle(2)"],
    "flatten": ["Flatten()", "Unflatten(1, (2, 3))"],
    "fold": ["Fold((4, 5), 2)", "Unfold(3)"],
    "distance": ["PairwiseDistance()", "CosineSimilarity(dim=0)"],
    "transformer": [
        "TransformerEncoderLayer(4, 2)",
        "TransformerDecoderLayer(4, 2, bias=False)",
        "TransformerEncoder(TransformerEncoderLayer(4, 2), 3)",
        "Transformer(4, 2, 1, 1)",
    ],
    "adaptive": ["AdaptiveLogSoftmaxWithLoss(8, 20, [4, 10], head_bias=True)"],
    "channelshuffle": ["ChannelShuffle(2)"],
}
CASES = [(module, text) for module, texts in CONSTRUCTED.items() for text in texts]


@pytest.mark.parametrize(("module", "text"), CASES, ids=[text for _, text in CASES])
def test_torch_from_its_source(module: str, text: str) -> None:
    """Nothing said of an object may be wrong; what is not said is unknown."""
    source = (SOURCES / f"{module}.py").read_text()
    world = Workspace(load())
    world.set_source("copied.py", source.replace("from .", "from torch.nn.modules."))
    world.set_source(
        "main.py", f"import torch\nfrom copied import *\nfrom copied import {text.partition('(')[0]}\nmodel = {text}\n"
    )
    scope = world.scope("main.py")
    assert scope is not None
    value = scope.lookup("model")
    assert isinstance(value, InstanceValue)
    assert isinstance(value.of, ClassValue)
    actual = eval(text, {**vars(torch.nn), "torch": torch})
    worlds = world.instantiate(value)
    assert worlds
    assert any(list(differences(each, actual, exact=False)) == [] for each in worlds), [
        list(differences(each, actual, exact=False)) for each in worlds
    ]
