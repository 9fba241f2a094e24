"""Calls of the constructors of torch's modules, with arguments that vary.

Owns `NEEDED`, what fits a parameter that must be given, `OTHERS`, what else a parameter may be given, and `calls`: the
plain call of a class, some with another value of one parameter, and some with two. Some of them raise.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ts_lsp.torchdata.loader import TorchData
from ts_lsp.torchdata.objects import TorchClass

MOST_SINGLES = 5
MOST_PAIRS = 2
MOST_QUANTIZED = 2
PACKAGES = (
    "torch.nn",
    "torch.ao.nn.quantized",
    "torch.ao.nn.quantized.dynamic",
    "torch.ao.nn.intrinsic",
    "torch.ao.nn.qat",
    "torch.ao.nn.quantizable",
    "torch.ao.quantization",
)
CONTAINERS = frozenset(
    ["Module", "Container", "Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"]
)

NEEDED = {
    "cutoffs": "[2, 3]", "d_model": "4", "decoder_layer": "nn.TransformerDecoderLayer(4, 2, 8)", "dim": "0",
    "downscale_factor": "2", "embed_dim": "4", "embedding_dim": "4", "groups": "2", "hidden_size": "5",
    "encoder_layer": "nn.TransformerEncoderLayer(4, 2, 8)", "in1_features": "3", "in2_features": "4",
    "in_channels": "4", "in_features": "4", "input_size": "3", "kernel_size": "3", "n_classes": "5", "nhead": "2",
    "norm_type": "2.0", "normalized_shape": "[4]", "num_channels": "4", "num_embeddings": "7", "num_features": "4",
    "num_groups": "2", "num_heads": "2", "num_layers": "1", "out_channels": "8", "out_features": "6",
    "output_size": "2", "padding": "1", "size": "3", "threshold": "0.5", "unflattened_size": "(2, 2)",
    "upscale_factor": "2", "value": "0.5", "mode": "'LSTM'", "num_chunks": "4", "bias": "True", "num_classes": "3",
    "module": "nn.Linear(2, 2)", "input_dim": "3", "hidden_dim": "5", "scale": "1.0", "zero_point": "0",
    "dtype": "torch.quint8", "output_scale": "1.0", "output_zero_point": "0",
}  # fmt: skip

# Parts that are given, for as many dimensions as the class has in its name.
PARTS = {
    "conv": "nn.ConvNd(2, 2, 1)", "bn": "nn.BatchNormNd(2)", "batch_norm": "nn.BatchNormNd(2)", "relu": "nn.ReLU()",
    "linear": "nn.Linear(2, 2)", "leaky_relu": "nn.LeakyReLU()", "tanh": "nn.Tanh()", "add": "torch.add",
}  # fmt: skip

OTHERS: Mapping[str, Sequence[str]] = {
    "activation": ["'gelu'", "torch.relu", "torch.nn.functional.silu"],
    "align_corners": ["True"],
    "approximate": ["'tanh'"],
    "cutoffs": ["[2]"],
    "dilation": ["2", "(2, 1)", "(1,)", "(2, 1, 2)"],
    "dim": ["None", "1"],
    "divisor_override": ["3"],
    "dropout": ["0.5", "0"],
    "eps": ["1e-3", "None"],
    "groups": ["4"],
    "kdim": ["3", "4"],
    "kernel_size": ["2", "(2,)", "(3, 2)", "(3, 2, 2)"],
    "max_norm": ["1.0"],
    "mode": ["'sum'", "'max'", "'bilinear'", "'nearest-exact'", "'GRU'", "'RNN_TANH'"],
    "momentum": ["None", "0.2", "1"],
    "nonlinearity": ["'relu'"],
    "norm": ["nn.LayerNorm(4)"],
    "norm_type": ["1", "float('inf')"],
    "normalized_shape": ["4", "(4, 2)", "[2, 3, 4]", "torch.Size([4])"],
    "num_layers": ["2"],
    "num_parameters": ["4"],
    "num_encoder_layers": ["1"],
    "num_decoder_layers": ["1"],
    "out_features": ["3"],
    "output_padding": ["(0, 0)", "(0,)"],
    "output_ratio": ["0.5", "(0.5, 0.5)", "(0.5, 0.5, 0.5)"],
    "output_size": ["(2,)", "(2, 3)", "(None, 3)", "(2, 3, 4)", "None"],
    "p": ["0", "1", "0.2", "3.0"],
    "padding": ["2", "'same'", "'valid'", "(1,)", "(1, 1)", "(1, 1, 1)", "(1, 1, 1, 1)", "(1, 1, 1, 1, 1, 1)"],
    "padding_idx": ["2", "-1"],
    "padding_mode": ["'reflect'", "'circular'"],
    "pos_weight": ["torch.ones(3)"],
    "proj_size": ["2"],
    "recompute_scale_factor": ["True"],
    "reduction": ["'sum'", "'none'"],
    "scale_factor": ["2", "2.0", "(2, 2)", "(2.0, 3.0, 1.0)"],
    "size": ["(2, 2)", "5"],
    "stride": ["2", "(2, 1)", "(2,)", "(2, 1, 2)", "None"],
    "unflattened_size": ["[2, 2]", "torch.Size([2, 2])", "(2, 1, 2)"],
    "vdim": ["3", "4"],
    "value": ["0", "1"],
    "threshold": ["1"],
    "weight": ["torch.ones(3)"],
    "_weight": ["torch.ones(7, 4)"],
    "margin": ["1", "0.5"],
    "device": ["'cpu'"],
    "dtype": ["torch.float64"],
}
"""Arguments beyond the other one of two bools. Not all of them fit every class that has a parameter of the name."""


def classes(data: TorchData) -> Iterator[str]:
    """The public paths of the module classes of torch that are recorded, containers aside."""
    for package in PACKAGES:
        for name in sorted(data.members(package) or ()):
            found = data.python_object(f"{package}.{name}")
            is_module = isinstance(found, TorchClass) and found.kind == "module" and not name.startswith("_")
            if is_module and name not in CONTAINERS and data.module_facts(f"{package}.{name}") is not None:
                yield f"{package}.{name}"


@functools.cache
def calls(path: str, data: TorchData) -> tuple[str, ...]:
    """Texts of calls of a class."""
    facts = data.module_facts(path)
    parameters = [(name, default) for name, default in facts.parameters if name[0] != "*"] if facts is not None else []
    plain = {name: NEEDED.get(name, "2") for name, default in parameters if default is None}
    if path.startswith("torch.ao.nn.qat.") or ".qat." in path:
        plain["qconfig"] = "torch.ao.quantization.get_default_qat_qconfig('fbgemm')"
    plain.update((name, text.replace("Nd", path[-2:])) for name, text in PARTS.items() if name in plain)
    chosen = random.Random(path)
    singles = [{name: value} for name, default in parameters for value in _others(name, default)]
    pairs = [{**one, **other} for one, other in itertools.combinations(singles, 2) if one.keys() != other.keys()]
    chosen.shuffle(singles)
    chosen.shuffle(pairs)
    some = [*singles[:MOST_SINGLES], *pairs[:MOST_PAIRS]] if path.startswith("torch.nn.") else singles[:MOST_QUANTIZED]
    return tuple(_call(path, {**plain, **changed}) for changed in ({}, *some))


def _others(name: str, default: str | None) -> Iterable[str]:
    if default in ("True", "False"):
        yield "False" if default == "True" else "True"
    yield from OTHERS.get(name, ())


def _call(path: str, arguments: Mapping[str, str]) -> str:
    return f"{path}({', '.join(f'{name}={value}' for name, value in arguments.items())})"
